/* SPDX-License-Identifier: BSD-3-Clause
 * The clock of a run, which is read a dozen times: with MPI_Wtime() this takes 3 % of the time of
 * 16^3 points. */
#ifndef PF_BASE_CLOCK_H
#define PF_BASE_CLOCK_H

/** Local. Seconds, to be compared with other results of this function within one run: by the
 *  processor's counter, if it runs at a constant rate that is known; otherwise by MPI_Wtime(). */
double pf_clock(void);

/** Local. MPI_Wtime(); on a simulated machine without the time that the simulation takes for it. */
double pf_wtime(void);

/** Local, by any thread. Compares the counter with MPI_Wtime().  The rate is known after the first
 * call that is 100 microseconds or more after the very first one, and more precise with each call
 * ten times as late; it is called before and after plans are made. */
void pf_clock_compare(void);

#endif
