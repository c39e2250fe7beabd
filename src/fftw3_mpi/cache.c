/* SPDX-License-Identifier: BSD-3-Clause
 * A cache of plans, as attributes of communicators.  Programs that plan in every step get the same
 * plan again.  A communicator keeps a few unused plans until it is freed; all are destroyed at the
 * beginning of MPI_Finalize, which deletes the attributes of MPI_COMM_SELF first.  Plans are
 * created and looked up by all ranks of a communicator together, so two ranks have their common
 * plans in the same order, and destroy them in the same order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fftw3_mpi/call.h"

enum { UNUSED = 4 }; /* maximum number of unused plans of a communicator */

struct pf_kept {
  pf_kept *next;     /* list of all in this process, in order of creation */
  pfft3d_plan *plan; /* plan or redist is set; none after MPI_Finalize */
  pfft3d_redist *redist;
  pfft3d_redist *lines[2]; /* by side: from the program's lines to the plan's, in `work` */
  void *work;
  void *owner; /* the communicator's attribute; NULL after it was freed */
  int users;
  unsigned long long used; /* time of the last use, in calls */
  char *key;
};

static pf_kept *all;
static unsigned long long now;
static int keyval = MPI_KEYVAL_INVALID, ending = MPI_KEYVAL_INVALID;

/* Destroys the plans of an element. */
static void destroy(pf_kept *kept) {
  for (int side = 0; side < 2; side++) pfft3d_redist_destroy(&kept->lines[side]);
  if (kept->work) pfft3d_free(kept->plan, kept->work);
  kept->work = NULL;
  pfft3d_plan_destroy(&kept->plan);
  pfft3d_redist_destroy(&kept->redist);
}

/* Takes an element out of the list and destroys it. */
static void drop(pf_kept *kept) {
  pf_kept **at = &all;
  while (*at && *at != kept) at = &(*at)->next;
  if (*at) *at = kept->next;
  destroy(kept);
  free(kept->key);
  free(kept);
}

/* Drops unused elements of one owner or of all, the oldest first, down to `most`. */
static void shrink(const void *owner, int most) {
  for (;;) {
    pf_kept *oldest = NULL;
    int count = 0;
    for (pf_kept *k = all; k; k = k->next) {
      if (k->users || (owner && k->owner != owner)) continue;
      count++;
      if (!oldest || k->used < oldest->used) oldest = k;
    }
    if (count <= most) return;
    drop(oldest);
  }
}

void pf_cache_clear(void) {
  shrink(NULL, 0);
}

/* The communicator is freed: plans in use remain, as FFTW's do. */
static int free_comm(MPI_Comm comm, int key, void *attribute, void *extra) {
  (void)comm, (void)key, (void)extra;
  shrink(attribute, 0);
  for (pf_kept *k = all; k; k = k->next)
    if (k->owner == attribute) k->owner = NULL;
  free(attribute);
  return MPI_SUCCESS;
}

/* MPI ends.  Handles of the program may still refer to the elements: only their plans are
 * destroyed. */
static int end_all(MPI_Comm comm, int key, void *attribute, void *extra) {
  (void)comm, (void)key, (void)attribute, (void)extra;
  shrink(NULL, 0);
  for (pf_kept *k = all; k; k = k->next) {
    destroy(k);
    k->owner = NULL;
  }
  return MPI_SUCCESS;
}

/* The attribute of a communicator: only its address matters. */
static void *attribute_of(MPI_Comm comm) {
  void *mark = NULL;
  int found = 0;
  if (ending == MPI_KEYVAL_INVALID) {
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_comm, &keyval, NULL)) return NULL;
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_all, &ending, NULL)) return NULL;
    MPI_Comm_set_attr(MPI_COMM_SELF, ending, &ending);
  }
  MPI_Comm_get_attr(comm, keyval, &mark, &found);
  if (found) return mark;
  mark = malloc(1);
  if (mark && MPI_Comm_set_attr(comm, keyval, mark)) {
    free(mark);
    mark = NULL;
  }
  return mark;
}

/* The contents of a form, cuts included, as bytes to compare. */
static char *key_of(const pf_form *form) {
  size_t text = strlen(form->text), lists[2], bytes;
  for (int k = 0; k < 2; k++)
    lists[k] = form->at[k] ? (size_t)(form->cuts[k].parts + 1) * sizeof(ptrdiff_t) : 0;
  bytes = sizeof bytes + text + sizeof form->array + sizeof lists + lists[0] + lists[1];
  char *key = calloc(1, bytes), *at = key;
  if (!key) return NULL;
  memcpy(at, &bytes, sizeof bytes), at += sizeof bytes;
  memcpy(at, form->array, sizeof form->array), at += sizeof form->array;
  memcpy(at, lists, sizeof lists), at += sizeof lists;
  for (int k = 0; k < 2; k++)
    if (lists[k]) memcpy(at, form->at[k], lists[k]), at += lists[k];
  memcpy(at, form->text, text);
  return key;
}

static int same_key(const char *a, const char *b) {
  size_t bytes;
  memcpy(&bytes, a, sizeof bytes);
  return memcmp(a, b, sizeof bytes) == 0 && memcmp(a, b, bytes) == 0;
}

static pfft3d_plan *create_plan(MPI_Comm comm, const pf_form *form, pfft3d_error *e) {
  pfft3d_request *r = NULL;
  pfft3d_plan *plan = NULL;
  int status = pfft3d_request_create(&r, e);
  if (!status) status = pfft3d_request_parse(r, form->text, e);
  for (int side = 0; side < 2 && !status; side++)
    status = pfft3d_request_array(r, (pfft3d_side)side, &form->array[side], e);
  for (int k = 0; k < 2 && !status; k++)
    if (form->at[k] && !form->lines) status = pfft3d_request_cuts(r, &form->cuts[k], e);
  /* Ranks that failed take part, too: a request that is NULL is an error on all. */
  if (status) pfft3d_request_destroy(&r);
  pfft3d_plan_create(comm, r, &plan, status ? NULL : e);
  pfft3d_request_destroy(&r);
  return plan;
}

/* Nonzero if all ranks hold the parts that FFTW gives them. */
static int check_boxes(MPI_Comm comm, const pf_form *form, const pfft3d_plan *plan,
                       pfft3d_error *e) {
  int rank, right = 1;
  pfft3d_box box;
  MPI_Comm_rank(comm, &rank);
  for (int side = 0; side < 2; side++) {
    int a = form->axis[side];
    pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box);
    right = right && box.len[a] == form->len[side] && (!box.len[a] || box.lo[a] == form->lo[side]);
  }
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, comm);
  if (!right && e) {
    e->status = PFFT3D_ERR_UNAVAILABLE;
    snprintf(e->text, sizeof e->text,
             "other parts of the array would be on the ranks than with FFTW");
  }
  return right;
}

/* Redistributions between the lines of the program, which are interleaved, and the plan's, which
 * are stored one after another. */
static int create_lines(MPI_Comm comm, const pf_form *form, pf_kept *kept, pfft3d_error *e) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  int status = pfft3d_alloc(kept->plan, &kept->work, e);
  for (int side = 0; side < 2 && !status; side++) {
    pfft3d_box box;
    pfft3d_plan_box(kept->plan, (pfft3d_side)side, rank, &box);
    pfft3d_redist_spec s = {.dims = 2, .n = {form->n, form->lines}, .element = form->element};
    s.from = (pfft3d_region){
        .lo = {form->lo[side]}, .len = {form->len[side], form->lines}, .stride = {form->lines, 1}};
    s.to = (pfft3d_region){.lo = {box.lo[2]},
                           .len = {box.len[2], form->lines},
                           .stride = {box.stride[2], box.distance},
                           .offset = box.offset};
    status = pfft3d_redist_create(comm, &s, &kept->lines[side], e);
  }
  return status;
}

static int made(const pf_kept *kept) {
  return kept->plan || kept->redist;
}

/* MPI_Comm_errhandler_function: as MPI_ERRORS_ARE_FATAL, with a message that names the library. */
static void end_job(MPI_Comm *comm, int *code, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  MPI_Error_string(*code, text, &length);
  fprintf(stderr, "pfft3d: MPI failed in a plan of fftw_mpi: %.200s\n", text);
  MPI_Abort(*comm, *code);
}

/* If MPI errors end the program, make them do so in the plans, too, whose communicators inherit the
 * handler: if the library returned an error to one rank only, this rank would call FFTW, and the
 * others would wait for ever.  Returns 1 if the handler was changed. */
static int make_fatal(MPI_Comm comm) {
  MPI_Errhandler handler;
  if (MPI_Comm_get_errhandler(comm, &handler)) return 0;
  int fatal = handler == MPI_ERRORS_ARE_FATAL;
  MPI_Errhandler_free(&handler);
  if (!fatal || MPI_Comm_create_errhandler(end_job, &handler)) return 0;
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  return 1;
}

/* Creates the plan of an element; none after an error. */
static void create(MPI_Comm comm, const pf_form *form, pf_kept *kept, pfft3d_error *e) {
  if (form->transpose.n0) {
    pfft3d_transpose_create(comm, &form->transpose, &kept->redist, e);
    return;
  }
  kept->plan = create_plan(comm, form, e);
  if (kept->plan && form->lines) {
    if (create_lines(comm, form, kept, e)) destroy(kept);
    return;
  }
  if (kept->plan && !check_boxes(comm, form, kept->plan, e)) destroy(kept);
}

/* The element of the list for a form, or a new one without a plan. */
static pf_kept *find_or_add(void *owner, const pf_form *form) {
  char *key = form ? key_of(form) : NULL;
  pf_kept **at = &all;
  while (*at && !(key && (*at)->owner == owner && same_key((*at)->key, key))) at = &(*at)->next;
  if (!*at && key && owner) *at = calloc(1, sizeof **at);
  pf_kept *kept = *at;
  if (kept && !kept->key)
    *kept = (pf_kept){.owner = owner, .key = key};
  else
    free(key);
  return kept;
}

/* If only some ranks have the plan, the forms differ between ranks: no plan is created, and the
 * existing ones remain. */
pf_kept *pf_cache_get(MPI_Comm comm, const pf_form *form, int old, pfft3d_error *e) {
  pf_kept *kept = find_or_add(attribute_of(comm), form);
  int mine = kept && made(kept), on_all[3] = {kept != NULL, mine, !mine};
  MPI_Allreduce(MPI_IN_PLACE, on_all, 3, MPI_INT, MPI_MIN, comm);
  if (kept && on_all[0] && on_all[2] && !old) {
    int fatal = make_fatal(comm);
    create(comm, form, kept, e);
    if (fatal) MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  }
  if (kept && !made(kept)) {
    drop(kept);
    return NULL;
  }
  if (!kept || !on_all[0] || (!on_all[1] && !on_all[2])) return NULL;
  kept->users++;
  kept->used = ++now;
  return kept;
}

void pf_cache_share(pf_kept *kept) {
  kept->users++;
}

void pf_cache_release(pf_kept *kept) {
  if (--kept->users) return;
  if (!kept->owner)
    drop(kept);
  else
    shrink(kept->owner, UNUSED);
}

int pf_cache_execute(const pf_kept *kept, pfft3d_direction direction, const void *in, void *out) {
  if (kept->redist) return pfft3d_redist_execute(kept->redist, direction, in, out);
  if (kept->work) {
    int to = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
    int status = pfft3d_redist_execute(kept->lines[!to], PFFT3D_FORWARD, in, kept->work);
    if (!status) status = pfft3d_execute(kept->plan, direction, kept->work, kept->work);
    if (status) return status;
    return pfft3d_redist_execute(kept->lines[to], PFFT3D_BACKWARD, kept->work, out);
  }
  return pfft3d_execute(kept->plan, direction, in, out);
}

void pf_cache_describe(const pf_kept *kept, char *out, size_t size) {
  char text[400] = "redistribution";
  pfft3d_stats stats = {.work_bytes = 0};
  if (kept->plan) pfft3d_plan_print(kept->plan, text, sizeof text);
  if (kept->plan) pfft3d_plan_stats(kept->plan, PFFT3D_FORWARD, 0, &stats, sizeof stats);
  snprintf(out, size, "%s", text);
  if (kept->plan && strlen(text) + 1 < size)
    snprintf(out + strlen(text), size - strlen(text), ", %.1f MB of work memory on rank 0",
             (double)stats.work_bytes / 1e6);
}
