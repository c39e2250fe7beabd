/* SPDX-License-Identifier: BSD-3-Clause
 * The loops for floats. */
#define REAL  float
#define LOOPS flow_loops_single
#include "apps/turbulence/loops_of.h"
