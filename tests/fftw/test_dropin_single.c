/* SPDX-License-Identifier: BSD-3-Clause
 * test_dropin.c in single precision. */
#define PF_SINGLE
#include "test_dropin.c"
