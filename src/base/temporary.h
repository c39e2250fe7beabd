/* SPDX-License-Identifier: BSD-3-Clause
 * Temporary files under way, so that whoever is stopped by a signal can remove them:
 * pfft3d_remove_temporary() does. */
#ifndef PF_BASE_TEMPORARY_H
#define PF_BASE_TEMPORARY_H

/** Local. Notes a file that is to be removed if the program is stopped; before it is created, so
 *  that there is no moment at which nobody knows of it.  Returns its slot, negative when there is
 *  none left (or the name is too long): the file then stays where the program is stopped. */
int pf_temporary_add(const char *name);

/** Local. The file of a slot is finished, or gone; a negative one is ignored. */
void pf_temporary_drop(int slot);

#endif
