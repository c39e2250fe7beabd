/* SPDX-License-Identifier: BSD-3-Clause
 * The end of a job in which a call of MPI has failed on one rank, and the others do not know it.
 *
 * There is one such failure in a process.  It belongs to the core library, which exports these
 * functions for libpfft3d_hdf5; applications have no use for them. */
#ifndef PF_BASE_GRACE_H
#define PF_BASE_GRACE_H

/** Local. A call of MPI has failed on this rank; @p text says what, @p ranks of how many it is one.
 *  Ends the job after the time of pfft3d_grace(). */
void pfft3d_internal_failed(int ranks, const char *text);

/** Local. So many ranks, this one among them, know of all failures. */
void pfft3d_internal_agreed(int ranks);

#endif
