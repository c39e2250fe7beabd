/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme matrix, implemented in matrix_geometry.c, matrix_views.c and edges.c. */
#include "plan/matrix.h"

const pf_scheme pf_scheme_matrix = {.name = "transpose",
                                    .geometry = pf_matrix_geometry,
                                    .fft = pf_matrix_fft,
                                    .views = pf_matrix_views,
                                    .stage = pf_matrix_stage,
                                    .prepare = pf_matrix_prepare,
                                    .before = pf_matrix_before,
                                    .after = pf_matrix_after};
