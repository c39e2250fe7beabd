/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of exchanges and what they share. */
#include "exchange/exchange.h"

#include <limits.h>
#include <string.h>

#define PF_EXCHANGE(name) extern const pf_exchange_ops pf_exchange_##name;
#include "exchange/exchange_list.h"
#undef PF_EXCHANGE

static const pf_exchange_ops *const exchanges[] = {
#define PF_EXCHANGE(name) &pf_exchange_##name,
#include "exchange/exchange_list.h"
#undef PF_EXCHANGE
};

const pf_exchange_ops *pf_exchange_at(int index) {
  int count = (int)(sizeof exchanges / sizeof *exchanges);
  return index >= 0 && index < count ? exchanges[index] : NULL;
}

const pf_exchange_ops *pf_exchange_find(const char *name) {
  for (int i = 0; pf_exchange_at(i); i++)
    if (!strcmp(pf_exchange_at(i)->name, name)) return pf_exchange_at(i);
  return NULL;
}

int pf_exchange_create(pf_exchange *x, const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                       MPI_Comm comm, int tag, pfft3d_error *e) {
  *x = (pf_exchange){.ops = ops,
                     .redist = *r,
                     .size = size,
                     .comm = comm,
                     .tag = tag,
                     .row_type = MPI_DATATYPE_NULL};
  if (!ops->supports(r, size, e)) return e->status;
  size_t bytes = (size_t)r->row * size; /* of one row: it is in memory, so it fits */
  if (bytes > INT_MAX)
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "rows of %zu bytes are too long for one MPI datatype",
                   bytes);
  int code = MPI_Type_contiguous((int)bytes, MPI_BYTE, &x->row_type);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&x->row_type);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Type_contiguous");
  return ops->setup(x, e);
}

void pf_exchange_destroy(pf_exchange *x) {
  if (!x->ops) return;
  if (x->state) x->ops->teardown(x);
  if (x->row_type != MPI_DATATYPE_NULL) MPI_Type_free(&x->row_type);
  memset(x, 0, sizeof *x);
}

void pf_exchange_sent(pf_message_count *c, double bytes) {
  if (c->messages == 0 || bytes < c->bytes_min) c->bytes_min = bytes;
  if (bytes > c->bytes_max) c->bytes_max = bytes;
  c->messages++;
  c->bytes += bytes;
}

int pf_exchange_poll(pf_exchange *x) {
  int flag;
  return MPI_Iprobe(MPI_ANY_SOURCE, x->tag, x->comm, &flag, MPI_STATUS_IGNORE);
}
