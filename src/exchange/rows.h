/* SPDX-License-Identifier: BSD-3-Clause
 * The operations of slabs, pencils and persistent, which send lines as soon as they are complete
 * (rows.c). */
#ifndef PF_EXCHANGE_ROWS_H
#define PF_EXCHANGE_ROWS_H

#include "exchange/exchange.h"

int pf_rows_setup(pf_exchange *x, pfft3d_error *e);
int pf_rows_start(pf_exchange *x);
int pf_rows_post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count);
int pf_rows_progress(pf_exchange *x);
int pf_rows_wait(pf_exchange *x, ptrdiff_t plane);
int pf_rows_finish(pf_exchange *x);
void pf_rows_teardown(pf_exchange *x);

#endif
