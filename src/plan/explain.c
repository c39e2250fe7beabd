/* SPDX-License-Identifier: BSD-3-Clause
 * Dry runs: the outline of every rank, and the largest of each figure. */
#include <string.h>

#include "plan/outline.h"

static double larger(double a, double b) {
  return a > b ? a : b;
}

static void add_rank(const pf_outline *o, pfft3d_explanation *x) {
  const pf_outline_way *w = &o->way[PFFT3D_FORWARD];
  int idle = !pf_box_elements(&o->box[0]) || !pf_box_elements(&o->box[1]);
  x->idle_ranks += idle;
  x->messages = larger(x->messages, w->messages.messages);
  x->bytes = larger(x->bytes, w->messages.bytes);
  if (w->messages.messages && (x->bytes_min == 0 || w->messages.bytes_min < x->bytes_min))
    x->bytes_min = w->messages.bytes_min;
  x->bytes_max = larger(x->bytes_max, w->messages.bytes_max);
  x->user_bytes = larger(x->user_bytes, (double)o->user_bytes);
  x->work_bytes = larger(x->work_bytes, (double)o->work_bytes);
  if (o->user_bytes) x->passes = larger(x->passes, w->traffic / (2 * (double)o->user_bytes));
}

int pfft3d_explain(const pfft3d_request *request, int ranks, pfft3d_explanation *x,
                   pfft3d_error *error) {
  pfft3d_error e;
  pf_outline o;
  pf_error_clear(&e);
  memset(x, 0, sizeof *x);
  for (int rank = 0; rank < ranks || rank == 0; rank++) {
    if (pf_outline_make(request, ranks, rank, ranks == 1, &o, &e)) break;
    add_rank(&o, x);
  }
  if (!e.status) {
    x->decision = o.decision;
    x->exchanges = ranks > 1 ? o.way[PFFT3D_FORWARD].route.steps - 1 : 0;
  }
  return pf_error_out(&e, error);
}

int pfft3d_explain_box(const pfft3d_request *request, int ranks, pfft3d_side side, int rank,
                       pfft3d_box *box) {
  pf_outline o;
  pfft3d_error e;
  pf_error_clear(&e);
  if (rank < 0 || rank >= ranks || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM))
    return PFFT3D_ERR_USAGE;
  if (pf_outline_make(request, ranks, rank, ranks == 1, &o, &e)) return e.status;
  *box = o.box[side];
  return PFFT3D_OK;
}
