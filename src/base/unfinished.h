/* SPDX-License-Identifier: BSD-3-Clause
 * Temporary files under way, so that whoever is stopped by a signal can remove them:
 * pfft3d_remove_unfinished() does. */
#ifndef PFFT3D_BASE_UNFINISHED_H
#define PFFT3D_BASE_UNFINISHED_H

/** Local. Notes a file that is to be removed if the program is stopped; before it is created, so
 *  that there is no moment at which nobody knows of it.  Returns its slot, negative when there is
 *  none left (or the name is too long): the file then stays where the program is stopped. */
int pf_unfinished_add(const char *name);

/** Local. The file of a slot is finished, or gone; a negative one is ignored. */
void pf_unfinished_drop(int slot);

#endif
