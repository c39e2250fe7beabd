/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes of problems, and names in decisions. */
#ifndef PF_PLAN_TEXT_H
#define PF_PLAN_TEXT_H

#include "base/status.h"

/** Local. Reads one to three sizes, "64x48x50", from *text into n and dims of a problem and
 * advances *text; returns whether that succeeded. */
int pf_sizes_parse(const char **text, pfft3d_problem *p);

/** Local. Copies a registered name or "auto"; longer text is truncated. */
void pf_name_set(char field[16], const char *name);

/** Local. Reads `length` characters, a registered name, an alias of one, or "auto", into field[16].
 * Otherwise USAGE with the valid names. */
int pf_name_parse(pfft3d_list list, const char *word, size_t length, char field[16],
                  pfft3d_error *e);

#endif
