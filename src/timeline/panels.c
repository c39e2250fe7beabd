/* SPDX-License-Identifier: BSD-3-Clause
 * Which calls are drawn: of all that are alike, complete ones, that of median length. */
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"

/* A call of all ranks. */
typedef struct call {
  double begun, end, lost; /* minus its beginning, its end, events that were left out: maxima */
} call;

typedef struct candidate {
  double length;
  int call;
} candidate;

static int find_calls(const pf_record *r, call **list, int *count, pfft3d_error *e) {
  int code = MPI_Allreduce(&r->calls, count, 1, MPI_INT, MPI_MIN, r->t->comm);
  *list = malloc((size_t)(*count + 1) * sizeof **list);
  if (!*list) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the drawing of a timeline");
  pf_mpi(e, code, "MPI_Allreduce");
  PF_TRY(pf_agree(r->t->comm, e));
  for (int k = 0; k < *count; k++) {
    const pf_event *mine = &r->event[r->call[k]];
    (*list)[k] = (call){-mine->begin, mine->end, mine->bytes};
  }
  code = MPI_Allreduce(MPI_IN_PLACE, *list, 3 * *count, MPI_DOUBLE, MPI_MAX, r->t->comm);
  return pf_mpi(e, code, "MPI_Allreduce");
}

/* A plan may have been recorded several times: its text decides. */
static int are_alike(const pf_record *r, int a, int b) {
  const pf_event *x = &r->event[r->call[a]], *y = &r->event[r->call[b]];
  return x->detail == y->detail &&
         (x->number == y->number || strcmp(r->t->plan[x->number], r->t->plan[y->number]) == 0);
}

static int by_length(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->length != y->length) return x->length < y->length ? -1 : 1;
  return x->call - y->call;
}

/* The panel of all calls that are like @p first; nothing if none is complete. */
static void add_panel(const pf_record *r, const call *list, int count, int first, candidate *some,
                      pf_panels *p) {
  int found = 0;
  for (int k = first; k < count; k++)
    if (are_alike(r, first, k) && !(list[k].lost > 0))
      some[found++] = (candidate){list[k].end + list[k].begun, k};
  if (!found) return;
  if (p->count == PF_PANELS) {
    p->left_out++;
    return;
  }
  qsort(some, (size_t)found, sizeof *some, by_length);
  int k = some[(found - 1) / 2].call;
  p->panel[p->count++] = (pf_panel){.call = k, .begin = -list[k].begun, .end = list[k].end};
}

int pf_panels_find(const pf_record *r, pf_panels *p, pfft3d_error *e) {
  call *list = NULL;
  int count = 0, kinds[4 * PF_PANELS], known = 0;
  *p = (pf_panels){.count = 0};
  find_calls(r, &list, &count, e);
  candidate *some = malloc((size_t)(count + 1) * sizeof *some);
  if (!some) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the drawing of a timeline");
  pf_agree(r->t->comm, e);
  for (int k = 0; k < count && !e->status; k++) {
    int i = 0;
    while (i < known && !are_alike(r, kinds[i], k)) i++;
    if (i < known || known == 4 * PF_PANELS) continue;
    kinds[known++] = k;
    add_panel(r, list, count, k, some, p);
  }
  free(some);
  free(list);
  return e->status;
}
