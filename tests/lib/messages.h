/* SPDX-License-Identifier: BSD-3-Clause
 * Messages as they are sent, counted.  A program that includes this has lib/messages.c among its
 * sources: functions there replace MPI's, record the counts and pass the call on. */
#ifndef PF_TESTS_MESSAGES_H
#define PF_TESTS_MESSAGES_H

#include "support.h"

/* While `on`: messages to other ranks, their bytes, and the largest count of any call. */
typedef struct seen_messages {
  int on, me;
  double messages, bytes, least, most;
  ptrdiff_t largest;
} seen_messages;
extern seen_messages seen;

/* Local. Starts to count. */
void see_start(void);

/* Collective. The largest of the values of all ranks. */
double largest_of(double x);

/* Collective. The smallest value that is not 0, or 0. */
double smallest_of(double x);

#endif
