/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Random cases of everything a request can say, forward and backward against the reference; where
 * the same bits are promised, also against those of another exchange, decomposition and setting.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 40 by default. */
#include "base/hooks.h"
#include "cases.h"
#include "kinds.h"
#include "planes.h"
#include "tiles.h"
#include "trial.h"

/* Elements of a field: of a half, which take little time, of most others, of one in ten, and with
 * engine naive, which is slow by design. */
enum { SMALL = 400, LARGEST = 6000, LARGE = 40000, NAIVE = 300 };

static ptrdiff_t roll_length(dice *d, int ranks) {
  static const ptrdiff_t prime[] = {2,  3,  5,  7,  11, 13,  17,  19, 23,
                                    29, 31, 37, 41, 61, 127, 131, 149};
  int kind = roll(d, 100);
  if (kind < 20) return 1;
  if (kind < 45) return ROLL_ONE(d, prime);
  if (kind < 60) return ranks > 1 ? ranks - 1 + roll(d, 3) : 1 + roll(d, 2);
  /* parts of whole cache lines, which are padded in another way than those of an element more */
  if (kind < 70) return 16 * (1 + roll(d, 4)) * (1 + roll(d, ranks)) + roll(d, 4) - 1;
  return 1 + roll(d, 64);
}

/* In two of five cases not only the DFT: any kinds, with one that is transformed. */
static void roll_kinds(dice *d, pfft3d_problem *p) {
  if (percent(d, 60)) return;
  int transformed = 0;
  while (!transformed)
    for (int a = 0; a < 3; a++) {
      p->axis[a] = (pfft3d_axis_kind)roll(d, percent(d, 50) ? PFFT3D_DCT1 : PFFT3D_HC2R + 1);
      if (p->axis[a] == PFFT3D_DCT1 && p->n[a] == 1) p->axis[a] = PFFT3D_DCT2;
      transformed |= p->axis[a] != PFFT3D_NONE;
    }
}

/* In one of three cases the spectrum has not all modes. */
static void roll_keep(dice *d, pfft3d_problem *p) {
  if (percent(d, 67)) return;
  for (int a = 0; a < 3; a++)
    p->keep[a] = p->axis[a] == PFFT3D_NONE || p->axis[a] >= PFFT3D_DHT || percent(d, 25)
                     ? p->n[a]
                     : 1 + roll(d, (int)p->n[a]);
}

static void roll_problem(dice *d, int ranks, pfft3d_problem *p) {
  ptrdiff_t most = percent(d, 10) ? LARGE : percent(d, 55) ? SMALL : LARGEST;
  p->kind = (pfft3d_kind)roll(d, 2);
  p->precision = (pfft3d_precision)roll(d, 2);
  p->batch = percent(d, 60) ? roll(d, 2) : 2 + roll(d, 2);
  do
    for (int a = 0; a < 3; a++) p->n[a] = roll_length(d, ranks);
  while (p->n[0] * p->n[1] * p->n[2] > most);
  roll_kinds(d, p);
  roll_keep(d, p);
  if (p->kind == PFFT3D_C2C) p->sign = roll(d, 3) - 1;
}

/* ---- requests ---- */

static void roll_grid(dice *d, int ranks, pfft3d_decision *decision) {
  if (strcmp(decision->scheme, "pencil") || percent(d, 20)) return;
  decision->grid[0] = 1 + roll(d, ranks);
  decision->grid[1] = ranks / decision->grid[0];
  if (percent(d, 20)) decision->grid[1] = 1 + roll(d, decision->grid[1]); /* idle ranks */
}

/* Ghosts, components of vectors, or fields far apart. */
static void roll_array(dice *d, const pfft3d_problem *p, pfft3d_array *array) {
  ptrdiff_t fields = p->batch ? p->batch : 1;
  if (percent(d, 60)) return;
  if (percent(d, 60))
    for (int a = 0; a < 3; a++) {
      array->below[a] = roll(d, 3);
      array->above[a] = roll(d, 3);
    }
  if (percent(d, 40)) array->every = 1 + roll(d, 4);
  if (percent(d, 50) && array->every >= fields)
    array->distance = 1;
  else if (percent(d, 20)) /* more than a field takes with all of the above */
    array->distance = 4 * (p->n[0] + 4) * (p->n[1] + 4) * (p->n[2] + 4) + roll(d, 50);
}

static pfft3d_request roll_request(dice *d, int ranks) {
  static const double scale[] = {1, 1, 2, -2.75, 1e-3};
  pfft3d_request r;
  pf_request_init(&r);
  roll_problem(d, ranks, &r.problem);
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", roll_name(d, PFFT3D_SCHEMES));
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", roll_name(d, PFFT3D_EXCHANGES));
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", roll_engine(d));
  ptrdiff_t points = r.problem.n[0] * r.problem.n[1] * r.problem.n[2];
  if (!strcmp(r.decision.engine, "naive") && (points > NAIVE || percent(d, 75)))
    snprintf(r.decision.engine, sizeof r.decision.engine, "auto");
  r.decision.order = (pfft3d_order)roll(d, 2);
  roll_grid(d, ranks, &r.decision);
  r.padded = r.problem.kind == PFFT3D_R2C && percent(d, 25);
  for (int side = 0; side < 2; side++)
    if (side || !r.padded) roll_array(d, &r.problem, &r.array[side]);
  for (int k = 0; k < 2; k++) r.scale[k] = ROLL_ONE(d, scale);
  roll_deterministic(d, 50, &r);
  r.wire = percent(d, 25) ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
  roll_machine(d, &r.machine);
  roll_settings(d, ranks, &r);
  int boxed = percent(d, 25) ? 1 + roll(d, 3) : 0, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int side = 0; side < 2; side++)
    if (boxed >> side & 1) roll_boxes(d, rank, ranks, side, &r);
  r.joined = percent(d, 20);
  if (!boxed && percent(d, 25)) roll_field_cuts(&r, ranks, (uint64_t)roll(d, 1 << 20));
  return r;
}

/* All of a request that request_name() leaves out. */
static void tell_rest(const pfft3d_request *r) {
  char cuts[200];
  pf_cut_wish_print(&r->cuts, cuts, sizeof cuts);
  case_tell(
      "; deterministic %d, threads %d, max_count %td, padded %d, wire %d, scales %g %g, "
      "joined %d, cuts %s",
      r->deterministic, r->threads, pf_hooks.max_count, r->padded, (int)r->wire, r->scale[0],
      r->scale[1], r->joined, cuts);
  for (int side = 0; side < 2; side++) {
    const pfft3d_array *a = &r->array[side];
    if (r->boxed[side]) case_tell("; side %d is boxed", side);
    case_tell("; side %d: below %td %td %td, above %td %td %td, every %td, distance %td", side,
              a->below[0], a->below[1], a->below[2], a->above[0], a->above[1], a->above[2],
              a->every, a->distance);
  }
}

/* ---- the same bits ---- */

/* Collective on comm. The bits of a request are those of the first trial, where the orders allow
 * it: backward, they transform the axes in sequences of their own. */
static void test_bits(dice *d, MPI_Comm comm, const pfft3d_request *r, trial *first,
                      const char *what) {
  trial t = trial_make(comm, r, first->o);
  if (first->multiplier[0]) trial_weigh(&t);
  for (int direction = 0; direction < 2; direction++) {
    if (direction && r->decision.order != first->request->decision.order) continue;
    trial_run(&t, direction, (trial_how)roll(d, HOWS), 0);
    CHECK(t.bits[direction] == first->bits[direction],
          "%s on %d ranks direction %d, %s: other bits than %s on %d ranks", request_name(r),
          t.ranks, direction, what, first->request->decision.algo, first->ranks);
  }
  trial_free(&t);
}

/* Another decomposition and order, without lists of cuts. */
static void roll_cut(dice *d, int ranks, pfft3d_request *r) {
  pfft3d_decision *decision = &r->decision;
  const char *scheme = roll_name(d, PFFT3D_SCHEMES);
  r->cuts = (pf_cut_wish){.rule = r->cuts.rule};
  snprintf(decision->scheme, sizeof decision->scheme, "%s", scheme);
  decision->order = (pfft3d_order)roll(d, 2);
  decision->grid[0] = decision->grid[1] = 0;
  roll_grid(d, ranks, decision);
}

/* Collective. The request again, all that was left to "auto" decided as at first, by other
 * exchanges: by one, or in every tenth case by all of them and by one rank alone. */
static void test_equal(dice *d, trial *first, int ranks) {
  pfft3d_request r = *first->request;
  int all = percent(d, 10);
  pfft3d_plan_decision(first->plan, &r.decision);
  roll_settings(d, ranks, &r);
  if (all) {
    FOR_LIST(PFFT3D_EXCHANGES, algo) {
      pfft3d_request named = r;
      name_exchange(&named, algo);
      test_bits(d, MPI_COMM_WORLD, &named, first, "each exchange");
    }
    roll_cut(d, 1, &r);
    r.boxed[0] = r.boxed[1] = 0; /* which are parts for all ranks */
    if (first->rank == 0) test_bits(d, MPI_COMM_SELF, &r, first, "alone");
    return;
  }
  name_exchange(&r, roll_name(d, PFFT3D_EXCHANGES));
  if (percent(d, 40)) roll_cut(d, ranks, &r);
  test_bits(d, MPI_COMM_WORLD, &r, first, "another exchange");
}

/* ---- joined transforms ---- */

/* Collective. A transform, a function and the inverse: one after the other, and joined. */
static void test_joined(const trial *t, int d, uint64_t seed) {
  const pfft3d_request *r = t->request;
  const oracle *o = t->o;
  int single = r->problem.precision == PFFT3D_SINGLE;
  mapping m = {.from = t->box[!d],
               .to = t->box[!d],
               .fields = {o->fields, o->fields},
               .parts = o->parts[!d],
               .single = single,
               .threads = r->threads};
  pfft3d_plan *other = make_plan(t->comm, r);
  size_t bytes = pfft3d_plan_bytes(t->plan);
  char *in = get(bytes), *near = get(bytes), *far = get(bytes), *out[2] = {get(bytes), get(bytes)};
  fill_numbers(in, bytes, single, seed + (uint64_t)(1000003 * t->rank));
  CHECK(!pfft3d_execute(t->plan, (pfft3d_direction)d, in, near), "first");
  combine_all(&m, near, far);
  CHECK(!pfft3d_execute(other, (pfft3d_direction)!d, far, out[0]), "second");
  CHECK(!pfft3d_execute_begin(t->plan, (pfft3d_direction)d, in), "begins");
  CHECK(!pfft3d_execute_between(t->plan, (pfft3d_direction)d, other, combine, &m, near, far),
        "between");
  CHECK(!pfft3d_execute_end(other, (pfft3d_direction)!d, out[1]), "ends");
  CHECK(same_elements(&t->box[d], o->fields, element_bytes(o, d), out[0], out[1]),
        "%s on %d ranks direction %d: other bits with a function between transforms",
        request_name(r), t->ranks, d);
  pfft3d_plan_destroy(&other);
  free(in), free(near), free(far), free(out[0]), free(out[1]);
}

/* ---- cases ---- */

/* Collective. One case, which engine simd can do if it is named. */
static void test_case(dice *d, uint64_t seed, long number, int ranks) {
  pfft3d_request r;
  oracle o;
  while (r = roll_request(d, ranks), !trial_possible(&r, ranks)) pf_cut_wish_drop(&r.cuts);
  case_tell("%s", request_name(&r));
  tell_rest(&r);
  oracle_make(MPI_COMM_WORLD, &o, &r.problem, seed + (uint64_t)number);
  if (r.wire == PFFT3D_SINGLE) o.limit = oracle_limit(&r.problem, r.wire);
  trial t = trial_make(MPI_COMM_WORLD, &r, &o);
  if (percent(d, 40)) trial_weigh(&t);
  for (int k = 0; k < 3; k++) { /* in any sequence, with what the one before left in the buffers */
    int direction = roll(d, 2), how = roll(d, HOWS);
    trial_run(&t, direction, (trial_how)how, roll(d, 4));
  }
  for (int direction = 0; direction < 2; direction++)
    trial_run(&t, direction, (trial_how)roll(d, HOWS), 0);
  int narrow = r.wire == PFFT3D_SINGLE && r.problem.precision == PFFT3D_DOUBLE;
  if (percent(d, 20)) test_joined(&t, roll(d, 2), seed + (uint64_t)number);
  if (r.deterministic && !narrow) test_equal(d, &t, ranks); /* the last one: dice differ then */
  trial_free(&t);
  oracle_free(&o);
  pf_cut_wish_drop(&r.cuts);
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 40, "transform/test_random", test_case);
}
