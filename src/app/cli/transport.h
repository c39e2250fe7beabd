/* SPDX-License-Identifier: BSD-3-Clause
 * Settings of Open MPI's transports that suit exchanges of rows. */
#ifndef PF_APP_CLI_TRANSPORT_H
#define PF_APP_CLI_TRANSPORT_H

/** Local, before MPI_Init(). Puts the settings into the environment, for Open MPI; existing
 * settings, including those of `mpirun --mca`, are kept. Another MPI ignores them. */
void transport_prepare(void);

/** Local. Setting number k in Open MPI's form, and its current value; NULL after the last one, or
 * with another MPI. */
const char *transport_setting(int k, const char **value);

#endif
