/* SPDX-License-Identifier: BSD-3-Clause
 * Candidates: all combinations of the registries that a request allows, with their cost by the
 * model.
 *
 * Unless requested, exchanges that MPI may refuse when the plan is made (rma: windows between
 * nodes) are left out, and so is `node` with one rank per node, which equals packed with more
 * copies. Candidates with idle ranks need no rule: the model takes the largest part. */
#include "planner/planner.h"

#include <stdlib.h>
#include <string.h>

#include "request/text.h"
#include "request/axes.h"

/* A list under construction. */
typedef struct pf_trial {
  pfft3d_request request;
  const pf_environment *env;
  pf_candidates *found;
  int failed;         /* no memory for all candidates */
  pfft3d_error first; /* error of the first rejected candidate */
} trial;

/* Seconds of both directions; < 0: not possible. */
static double predict(const pfft3d_request *r, int ranks, pfft3d_decision *resolved,
                      pfft3d_error *e) {
  pf_resolved x;
  if (pf_complete(r, ranks, &x, e)) return -1;
  *resolved = x.request.decision;
  return x.planning->seconds(&x, ranks, resolved, e);
}

static int known(const trial *t, const pfft3d_decision *d) {
  for (int i = 0; i < t->found->count; i++) {
    const pfft3d_decision *k = &t->found->list[i].decision;
    if (!strcmp(k->scheme, d->scheme) && !strcmp(k->algo, d->algo) && k->local == d->local &&
        !strcmp(k->engine, d->engine) && k->grid[0] == d->grid[0] && k->grid[1] == d->grid[1])
      return 1;
  }
  return 0;
}

/* Inserts a candidate after those of the same cost. */
static void insert(trial *t, const pfft3d_candidate *c) {
  pf_candidates *f = t->found;
  if (f->count == f->room) {
    int room = 2 * f->room + 64;
    pfft3d_candidate *larger = realloc(f->list, (size_t)room * sizeof *larger);
    t->failed |= !larger;
    if (!larger) return;
    f->list = larger;
    f->room = room;
  }
  int at = f->count++;
  for (; at > 0 && f->list[at - 1].predicted > c->predicted; at--) f->list[at] = f->list[at - 1];
  f->list[at] = *c;
}

static void try_one(trial *t) {
  pfft3d_candidate c = {0};
  pfft3d_error e = {0};
  c.predicted = predict(&t->request, t->env->ranks, &c.decision, &e);
  if (c.predicted < 0) {
    if (!t->first.status) t->first = e;
    return;
  }
  if (!known(t, &c.decision)) insert(t, &c);
}

/* Nonzero if an exchange may store for ranks on the same node, if the request leaves that open: on
 * a single node `shared` stores everything, so only for a named exchange. */
static int may_store(const trial *t, const pfft3d_decision *wish, const pf_exchange_ops *x) {
  int node_ranks = t->request.node_ranks;
  return pf_local_open(wish) && x->stores && !t->env->no_stores && node_ranks > 1 &&
         (node_ranks < t->env->ranks || !pf_name_open(wish->algo));
}

/* Tries an exchange, with messages to ranks on the same node, and with stores. */
static void try_exchange(trial *t, const pfft3d_decision *wish, const pf_exchange_ops *x) {
  pf_name_set(t->request.decision.algo, x->name);
  t->request.decision.local =
      wish->local == PFFT3D_LOCAL_STORES ? PFFT3D_LOCAL_STORES : PFFT3D_LOCAL_MESSAGES;
  try_one(t);
  t->request.decision.local = PFFT3D_LOCAL_STORES;
  if (may_store(t, wish, x)) try_one(t);
}

/* Tries all exchanges, with everything else resolved. */
static void try_exchanges(trial *t, const pfft3d_decision *wish) {
  const pf_ranks ranks = {t->env->ranks, t->request.node_ranks,
                          t->request.node_ranks >= t->env->ranks};
  const pf_exchange_ops *x;
  for (int i = 0; (x = pf_exchange_at(i)); i++) {
    int asked = strcmp(wish->algo, x->name) == 0;
    int alone = ranks.ranks == 1 && t->env->without; /* exchanges for one rank have failed */
    int works = !(t->env->without >> i & 1) && (alone || x->suits(&ranks));
    if (!asked && (!pf_name_open(wish->algo) || !works)) continue;
    try_exchange(t, wish, x);
  }
}

/* Nonzero if pencils are slabs: on one column of ranks; or on one row, which are slabs along axis
 * 1, useful if axis 0 has fewer planes than there are ranks. */
static int is_slabs(const trial *t, const pfft3d_decision *wish, const int grid[2]) {
  int pencil = strcmp(t->request.decision.scheme, "pencil") == 0;
  int enough = t->request.problem.n[0] >= t->env->ranks;
  if (pf_cut_wish_lists(&t->request.cuts)) return 0; /* lists may be for pencils */
  return pencil && pf_name_open(wish->scheme) &&
         (grid[0] == t->env->ranks || (grid[1] == t->env->ranks && enough));
}

/* Tries the grid that the scheme prefers, and all that use every rank.  Their rows are divisors,
 * each the last of the numbers with the same quotient: there are few quotients. */
static void try_grids(trial *t, const pfft3d_decision *wish) {
  const ptrdiff_t ranks = t->env->ranks;
  const pf_scheme *s = pf_scheme_find(t->request.decision.scheme);
  int *grid = t->request.decision.grid;
  pfft3d_error e = {0};
  memcpy(grid, wish->grid, sizeof wish->grid);
  if (s->grid(&t->request, t->env->ranks, grid, &e)) {
    if (!t->first.status) t->first = e;
    return;
  }
  if (!is_slabs(t, wish, grid)) try_exchanges(t, wish);
  if (strcmp(s->name, "slab") == 0 || (wish->grid[0] && wish->grid[1])) return;
  const int liked[2] = {grid[0], grid[1]};
  for (ptrdiff_t rows = 1; rows <= ranks; rows++) {
    rows = ranks / (ranks / rows);
    grid[0] = (int)rows;
    grid[1] = (int)(ranks / rows);
    if (ranks % rows || (grid[0] == liked[0] && grid[1] == liked[1])) continue;
    if ((wish->grid[0] && wish->grid[0] != grid[0]) || (wish->grid[1] && wish->grid[1] != grid[1]))
      continue;
    if (!is_slabs(t, wish, grid)) try_exchanges(t, wish);
  }
}

/* Tries all decompositions. */
static void try_schemes(trial *t, const pfft3d_decision *wish) {
  const pf_planning *planning = pf_planning_of(&t->request);
  const char *name;
  for (int i = 0; (name = pfft3d_list_name(planning->decompositions, i, NULL)); i++) {
    if (!pf_name_open(wish->scheme) && strcmp(wish->scheme, name) != 0) continue;
    pf_name_set(t->request.decision.scheme, name);
    (planning->grids ? try_grids : try_exchanges)(t, wish);
  }
}

/* Finds all candidates of a request; the caller frees found->list.  Returns their number.  Errors:
 * MEMORY; without candidates, the error of the first one that was rejected, or UNAVAILABLE. */
static int find_all(const pfft3d_request *r, const pf_environment *env, pf_candidates *found,
                    pfft3d_error *e) {
  trial t = {.request = *r, .env = env, .found = found};
  pfft3d_decision wish = r->decision;
  const char *same_bits = pf_planning_of(r)->same_bits;
  if (same_bits && r->deterministic && pf_name_open(wish.scheme))
    pf_name_set(wish.scheme, same_bits);
  *found = (pf_candidates){NULL, 0, 0};
  try_schemes(&t, &wish);
  if (t.failed) {
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for more than %d candidates", found->count);
    found->count = 0;
  } else if (!found->count && t.first.status) {
    *e = t.first;
  } else if (!found->count) {
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "no decomposition and exchange can do this on %d ranks",
            env->ranks);
  }
  return found->count;
}

int pfft3d_candidates(const pfft3d_request *request, int ranks, pfft3d_candidate *list, int most) {
  pfft3d_error e = {0};
  if (pf_request_valid(request, &e) || ranks < 1 || (most > 0 && !list)) return -1;
  pfft3d_request r = *request;
  pf_boxes boxes = {.ranks = 0};
  pf_candidates all = {NULL, 0, 0};
  int permuted = pf_axes_request(&r, ranks), count = -1;
  pf_machine_resolve(&r, ranks);
  const pf_environment env = {.ranks = ranks};
  r.boxes = &boxes;
  if (!pf_check(&r, ranks, &e) && !pf_boxes_dry(&r, ranks, &boxes, &e)) {
    count = find_all(&r, &env, &all, &e);
    if (e.status == PFFT3D_ERR_MEMORY) count = -1;
  }
  for (int i = 0; i < count && i < most; i++) {
    list[i] = all.list[i];
    pf_axes_decision(permuted, &list[i].decision);
  }
  pf_boxes_free(&boxes);
  free(all.list);
  return count;
}

/* Nonzero if a named exchange uses the decomposition that is best with `packed`, so that named
 * exchanges are compared with the same layouts.  Methods for lines have the caller's layouts. */
static int has_layout_of_packed(const pfft3d_request *r) {
  return pf_planning_of(r)->grids && pf_exchange_find(r->decision.algo);
}

/* Finds the decompositions to choose from. */
static int find_layouts(const pfft3d_request *r, const pf_environment *env, pf_candidates *layouts,
                        pfft3d_error *e) {
  pfft3d_request plain = *r;
  if (!has_layout_of_packed(r)) return find_all(r, env, layouts, e);
  pf_name_set(plain.decision.algo, "packed");
  if (!pf_exchange_find(r->decision.algo)->stores) plain.decision.local = PFFT3D_LOCAL_USUAL;
  return find_all(&plain, env, layouts, e);
}

/* Finds all candidates: the best decomposition with the named exchange, or all layouts. */
static int find_best(const pfft3d_request *r, const pf_environment *env,
                     const pf_candidates *layouts, pf_candidates *all, pfft3d_error *e) {
  pfft3d_request fixed = *r;
  const pfft3d_decision *best = &layouts->list[0].decision;
  if (!has_layout_of_packed(r)) {
    *all = *layouts;
    return all->count;
  }
  memcpy(fixed.decision.scheme, best->scheme, sizeof best->scheme);
  memcpy(fixed.decision.grid, best->grid, sizeof best->grid);
  return find_all(&fixed, env, all, e);
}

int pf_choose(pfft3d_request *r, const pf_environment *env, pfft3d_candidate *best, int most,
              char reason[PF_REASON], pfft3d_error *e) {
  pf_candidates layouts, all = {NULL, 0, 0};
  int count = find_layouts(r, env, &layouts, e);
  if (count > 0) count = find_best(r, env, &layouts, &all, e);
  if (count > 0) {
    pf_reason(r, env->ranks, &all, &layouts, reason);
    r->decision = all.list[0].decision;
  }
  for (int i = 0; i < count && i < most; i++) best[i] = all.list[i];
  if (all.list != layouts.list) free(all.list);
  free(layouts.list);
  return count;
}

int pf_dry_run(const pfft3d_request *request, int ranks, pf_resolved *x, char reason[PF_REASON],
               pfft3d_error *e) {
  pfft3d_request r = *request;
  pf_boxes boxes = {.ranks = 0};
  reason[0] = 0;
  int permuted = pf_axes_request(&r, ranks);
  *x = (pf_resolved){.request = r};
  PF_TRY(pf_check(&r, ranks, e));
  PF_TRY(pf_decision_names(&r, &r.decision, e));
  pf_machine_resolve(&r, ranks);
  r.boxes = &boxes;
  if (!pf_boxes_dry(&r, ranks, &boxes, e) && pf_request_open(&r)) {
    const pf_environment env = {.ranks = ranks};
    pf_choose(&r, &env, NULL, 0, reason, e);
  }
  if (!e->status) pf_complete(&r, ranks, x, e);
  x->permuted = permuted;
  x->boxes = boxes;
  x->request.boxes = &x->boxes;
  if (x->field.boxes) x->field.boxes = &x->boxes;
  return e->status;
}

/* ---- dry runs ---- */

/* A dry run in all, and by steps. */
static int explain(const pfft3d_request *request, int ranks, pf_explained *found, pfft3d_error *e) {
  pf_resolved r;
  *found = (pf_explained){.steps = 0};
  if (!pf_dry_run(request, ranks, &r, found->sums.reason, e)) {
    found->sums.machine = r.request.machine;
    found->sums.machine.node_ranks = r.request.node_ranks;
    r.planning->explain(&r, ranks, found, e);
    pf_axes_decision(r.permuted, &found->sums.decision);
  }
  pf_boxes_free(&r.boxes);
  return e->status;
}

int pfft3d_explain(const pfft3d_request *request, int ranks, pfft3d_explanation *x, size_t size,
                   pfft3d_error *error) {
  pfft3d_error e = {0};
  pf_explained found;
  pf_request_valid(request, &e);
  if (!x || !size) pf_fail(&e, PFFT3D_ERR_USAGE, "explanation: no room for it");
  if (e.status || !x) return pf_error_out(&e, error);
  explain(request, ranks, &found, &e);
  pf_struct_out(x, size, &found.sums, sizeof found.sums);
  return pf_error_out(&e, error);
}

int pfft3d_explain_steps(const pfft3d_request *request, int ranks, pfft3d_explained_step *list,
                         int most, pfft3d_error *error) {
  pfft3d_error e = {0};
  pf_explained found;
  pf_request_valid(request, &e);
  if (most < 0 || (most && !list)) pf_fail(&e, PFFT3D_ERR_USAGE, "steps: no room for them");
  if (!e.status) explain(request, ranks, &found, &e);
  for (int k = 0; k < most && !e.status && k < found.steps; k++) list[k] = found.step[k];
  return pf_error_out(&e, error) ? -1 : found.steps;
}

int pfft3d_explain_box(const pfft3d_request *request, int ranks, pfft3d_side side, int rank,
                       pfft3d_box *box) {
  pf_resolved r;
  pfft3d_error e = {0};
  char reason[PF_REASON];
  if (pf_request_valid(request, &e)) return e.status;
  if (!box || rank < 0 || rank >= ranks || (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM))
    return PFFT3D_ERR_USAGE;
  int status = pf_dry_run(request, ranks, &r, reason, &e);
  if (!status) status = r.planning->box(&r, ranks, side, rank, box);
  if (!status) pf_axes_box_back(r.permuted, box);
  pf_boxes_free(&r.boxes);
  return status;
}
