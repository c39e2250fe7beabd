/* SPDX-License-Identifier: BSD-3-Clause
 * Settings of tests. */
#include "base/hooks.h"

struct pf_hooks pf_hooks;
