/* SPDX-License-Identifier: BSD-3-Clause
 * The loops for doubles. */
#define REAL  double
#define LOOPS flow_loops_double
#include "apps/turbulence/loops_of.h"
