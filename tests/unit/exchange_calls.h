/* SPDX-License-Identifier: BSD-3-Clause
 * What test_exchange sees of calls of MPI: functions in exchange_calls.c stand before MPI's own. */
#ifndef PF_TESTS_EXCHANGE_CALLS_H
#define PF_TESTS_EXCHANGE_CALLS_H

#include <stddef.h>

/* The largest count or offset of any call. */
extern ptrdiff_t largest_count;

/* The last tag of a message sent, and how many came after a larger one: parts go in order. */
extern int last_tag, disorder;

#endif
