/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of lines: what rows.c sends and receives in a run, and how parcels.c lists it once. */
#ifndef PFFT3D_EXCHANGE_PARCELS_H
#define PFFT3D_EXCHANGE_PARCELS_H

#include "exchange/exchange.h"
#include "exchange/puts.h"

enum { PARTS = PF_EXCHANGE_PARTS };

/* A message with its requests: one for each portion. */
typedef struct {
  pf_message message;
  ptrdiff_t request, requests;
} pf_parcel;

/* All messages to, or from, other ranks. */
typedef struct {
  pf_parcel *list;
  ptrdiff_t count, requests;
  MPI_Request *request; /* receives are sorted by part */
} pf_parcels;

/* Messages to another rank: its first parcel (they are sorted by plane), and the missing lines of
 * each message of the plane. */
typedef struct {
  pf_cut cut;
  ptrdiff_t first, *left;
} pf_receiver;

/* Complete parcels, to be sent. */
typedef struct {
  ptrdiff_t *parcel, head, tail;
} pf_queue;

typedef struct {
  pf_receiver *to;
  pf_parcels send, recv;
  pf_queue waiting[PARTS];
  ptrdiff_t *number;              /* memory of the queues and of the next arrays */
  ptrdiff_t *left;                /* missing lines, of all receivers */
  ptrdiff_t *line, gone, started; /* parcels in the order of sending; number sent, number started */
  ptrdiff_t complete;             /* number of parcels that are in a queue or have left it */
  double bytes;                   /* elements in flight */
  ptrdiff_t parts, arrived;       /* of the receiver (0: nothing arrives); number arrived */
  ptrdiff_t part_planes;          /* planes of a part */
  ptrdiff_t queue;                /* maximum number of messages in parts from one rank */
  ptrdiff_t *part_end;            /* requests of part p end before part_end[p] */
  pf_puts *puts;                  /* instead of messages, if ops->windows */
  ptrdiff_t in_part[PARTS], left_in_part[PARTS]; /* parcels to send; to put in this run */
} pf_traffic;

/** Collective on x->comm. Creates x->state with the list of the messages of x, and prepares
 * persistent requests.  Errors: MEMORY, INTERNAL. */
int pf_parcels_setup(pf_exchange *x, pfft3d_error *e);
void pf_parcels_teardown(pf_exchange *x);

/** Local. Starts parcel i: a message, its persistent requests, or a put.  pf_parcels_begin_all():
 *  all parcels of a list. Return MPI error codes. */
int pf_parcels_begin(pf_exchange *x, pf_operation operation, const pf_parcels *all, ptrdiff_t i);
int pf_parcels_begin_all(pf_exchange *x, pf_operation operation, const pf_parcels *all);

/** Local. Records that all messages of a part have arrived, in the order in which they were sent. */
void pf_parcels_arrived(pf_exchange *x, ptrdiff_t part);

/** Local. Lines of a message of a plane; 0 if there is no such message. */
ptrdiff_t pf_parcels_lines(const pf_cut *c, ptrdiff_t plane, ptrdiff_t message);

/** Local. Number of messages of a plane of a block; number of parts of a block with puts. */
ptrdiff_t pf_parcels_messages(const pf_cut *c, ptrdiff_t plane);
ptrdiff_t pf_parcels_parts(const pf_exchange *x, const pf_cut *c);

#endif
