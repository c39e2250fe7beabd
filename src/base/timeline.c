/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder of a timeline. */
#include "base/timeline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void pf_timeline_drop(pf_timeline *t) {
  if (!t || --t->users) return;
  for (int k = 0; k < t->exchanges; k++) free(t->rank_of[k]);
  for (int p = 0; p < t->plans; p++) free(t->plan[p]);
  free(t->rank_of);
  free(t->plan);
  free(t->event);
  free(t->file);
  pf_comm_free(&t->comm);
  free(t);
}

int pf_timeline_add_plan(pf_timeline *t, const char *text, pfft3d_error *e) {
  char **more = realloc(t->plan, ((size_t)t->plans + 1) * sizeof *more);
  if (more) t->plan = more;
  char *copy = more ? strdup(text) : NULL;
  if (!copy) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of a timeline");
  t->plan[t->plans++] = copy;
  return PFFT3D_OK;
}

/* The ranks in @p known of all ranks of @p comm, in order. */
static int translate(MPI_Comm comm, MPI_Comm known, int ranks, int *from, int *to) {
  MPI_Group group = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
  for (int k = 0; k < ranks; k++) from[k] = k;
  int code = MPI_Comm_group(comm, &group);
  if (code == MPI_SUCCESS) code = MPI_Comm_group(known, &all);
  if (code == MPI_SUCCESS) code = MPI_Group_translate_ranks(group, ranks, from, all, to);
  if (group != MPI_GROUP_NULL) MPI_Group_free(&group);
  if (all != MPI_GROUP_NULL) MPI_Group_free(&all);
  return code;
}

/* Memory for another exchange. */
static int make_space(pf_timeline *t, pfft3d_error *e) {
  int **more = NULL;
  if (t->exchanges <= USHRT_MAX)
    more = realloc(t->rank_of, ((size_t)t->exchanges + 1) * sizeof *more);
  if (!more)
    return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for exchange number %d of a timeline",
                   t->exchanges + 1);
  t->rank_of = more;
  t->rank_of[t->exchanges++] = NULL;
  return PFFT3D_OK;
}

int pf_timeline_add_exchange(pf_timeline *t, MPI_Comm comm, pfft3d_error *e) {
  int ranks = 0;
  PF_TRY(make_space(t, e));
  if (comm == MPI_COMM_NULL) return PFFT3D_OK;
  MPI_Comm_size(comm, &ranks);
  int *from = malloc((size_t)ranks * sizeof *from), *to = malloc((size_t)ranks * sizeof *to);
  if (!from || !to)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the ranks of a timeline");
  else
    pf_mpi(e, translate(comm, t->comm, ranks, from, to), "MPI_Group_translate_ranks");
  for (int k = 0; k < ranks && !e->status; k++)
    if (to[k] == MPI_UNDEFINED)
      pf_fail(e, PFFT3D_ERR_USAGE, "timeline: rank %d of the plan has no part in it", k);
  free(from);
  t->rank_of[t->exchanges - 1] = to;
  return e->status;
}

ptrdiff_t pf_timeline_open(pf_timeline *t, const pf_event *e) {
  if (!t) return -1;
  pf_timeline_add(t, e);
  return t->left_out > 0 ? -1 : t->count - 1;
}

ptrdiff_t pf_timeline_call(pf_timeline *t, int plan, int detail) {
  if (!t) return -1;
  if (t->count + 2 > t->room) { /* one without the other would have no meaning */
    t->room = t->count;
    t->left_out += 2;
    return -1;
  }
  pf_event call = {
      .bytes = t->left_out, .number = plan, .kind = PF_EVENT_CALL, .detail = (unsigned char)detail};
  pf_event *at = &t->event[t->count];
  t->count += 2;
  at[1] = (pf_event){.begin = pf_wtime(), .kind = PF_EVENT_CLOCK};
  call.begin = pf_clock();
  at[0] = call;
  return at - t->event;
}

void pf_timeline_return(pf_timeline *t, ptrdiff_t index) {
  if (index < 0) return;
  pf_event *at = &t->event[index];
  at[0].end = pf_clock();
  at[1].end = pf_wtime();
  at[0].bytes = t->left_out - at[0].bytes;
}

double pf_event_axes(const int *axis, int axes) {
  double sum = 0;
  for (int k = 0; k < axes; k++) sum = 4 * sum + axis[k] + 1;
  return sum;
}
