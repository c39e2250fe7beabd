/* SPDX-License-Identifier: BSD-3-Clause
 * The life of an exchange: creation, the steps of a run, destruction; including blocks that are
 * stored for ranks on the same node. */
#include <stdlib.h>
#include <string.h>

#include "exchange/peers.h"

/* ---- creation ---- */

static int make_unit(pf_exchange *x, pfft3d_error *e) {
  MPI_Datatype element;
  int code = MPI_Type_contiguous((int)x->size, MPI_BYTE, &element);
  if (code == MPI_SUCCESS) code = MPI_Type_contiguous((int)x->counting.unit, element, &x->unit);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&x->unit);
  if (code == MPI_SUCCESS) code = MPI_Type_free(&element);
  return code == MPI_SUCCESS ? PFFT3D_OK : pf_fail_mpi(e, code, "MPI_Type_contiguous");
}

int pf_exchange_create(pf_exchange *x, pfft3d_error *e) {
  x->unit = MPI_DATATYPE_NULL;
  PF_TRY(make_unit(x, e));
  int peers = pf_peers_create(x, e); /* setup() may be collective */
  int status = x->ops->setup ? x->ops->setup(x, e) : PFFT3D_OK;
  return peers ? peers : status;
}

int pf_exchange_create_plain(pf_exchange *x, pfft3d_error *e) {
  static const pf_exchange_ops plain = {.name = "plain"};
  const pf_redist none = {.batch = 1, .from = 2};
  x->ops = &plain;
  x->plain = 1;
  x->counting = pf_exchange_counting(&none, x->counting.cap);
  return pf_exchange_create(x, e);
}

void pf_exchange_destroy(pf_exchange *x) {
  if (!x->ops) return;
  if (x->state && x->ops->teardown) x->ops->teardown(x);
  free(x->state);
  pf_peers_destroy(x);
  while (x->lanes) pf_comm_free(&x->lane[--x->lanes]);
  pf_type_free(&x->unit);
  memset(x, 0, sizeof *x);
}

int pf_exchange_record(pf_exchange *x, pf_timeline *t, pfft3d_error *e) {
  x->timeline = t;
  if (!t) return PFFT3D_OK;
  x->number = t->exchanges;
  x->posted = t->count;
  return pf_timeline_add_exchange(t, x->comm, e);
}

/* ---- a run ---- */

int pf_exchange_start(pf_exchange *x) {
  x->finished = 0;
  pf_peers_begin(x);
  int code = x->ops->start ? x->ops->start(x) : MPI_SUCCESS;
  return code == MPI_SUCCESS ? pf_peers_ready(x) : code;
}

int pf_exchange_wait(pf_exchange *x, ptrdiff_t plane) {
  return x->ops->wait ? x->ops->wait(x, plane) : pf_exchange_finish(x);
}

int pf_exchange_finish(pf_exchange *x) {
  if (x->finished || x->comm == MPI_COMM_NULL) return MPI_SUCCESS;
  x->finished = 1;
  if (x->ops->wait || !x->peers.flags) return x->ops->finish(x);
  pf_peers_stored_all(x);
  int code = x->ops->finish(x);
  return code == MPI_SUCCESS ? pf_peers_wait_all(x) : code;
}
