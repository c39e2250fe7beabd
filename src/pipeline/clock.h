/* SPDX-License-Identifier: BSD-3-Clause
 * The clock of a run, which is read a dozen times: with MPI_Wtime() that is 3 % of 16^3 points. */
#ifndef PF_PIPELINE_CLOCK_H
#define PF_PIPELINE_CLOCK_H

/** Local. Seconds, to be compared with other results of this function within one run: by the
 *  processor's counter, if it runs at a constant rate that is known; otherwise by MPI_Wtime(). */
double pf_clock(void);

/** Local, by any thread. Compares the counter with MPI_Wtime().  The rate is known from the second
 * call on that is 100 microseconds or more after the first one, and better known from calls on that
 * are ten times as late; plans call it when they begin and when they are made. */
void pf_clock_compare(void);

#endif
