/* SPDX-License-Identifier: BSD-3-Clause
 * Names inside decisions. */
#ifndef PF_PLAN_TEXT_H
#define PF_PLAN_TEXT_H

#include "base/status.h"

/** Local. Copies a registered name or "auto", which fits; a longer one would be cut. */
void pf_name_set(char field[16], const char *name);

/** Local. Takes `length` letters of a registered name, an alias of one, or "auto" into field[16].
 *  USAGE with the valid names otherwise. */
int pf_name_parse(pfft3d_list list, const char *word, size_t length, char field[16],
                  pfft3d_error *e);

#endif
