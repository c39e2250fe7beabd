/* SPDX-License-Identifier: BSD-3-Clause
 * A plan under test against the oracle; see trial.h. */
#include "trial.h"

#include "poison.h"

enum { GUARD = 64 }; /* bytes before and behind an array */

const char *const trial_hows[HOWS] = {"out of place", "in place", "in the library's arrays",
                                      "in place in the library's array"};

trial trial_make(MPI_Comm comm, const pfft3d_request *r, const oracle *o) {
  trial t = {.comm = comm, .request = r, .o = o, .plan = make_plan(comm, r)};
  MPI_Comm_rank(comm, &t.rank);
  MPI_Comm_size(comm, &t.ranks);
  int open = !strcmp(r->decision.scheme, "auto") ||
             (!strcmp(r->decision.scheme, "pencil") && !r->decision.grid[0]);
  for (int side = 0; side < 2; side++) {
    CHECK(!pfft3d_plan_box(t.plan, (pfft3d_side)side, t.rank, &t.box[side]), "side %d", side);
    size_t elements = pfft3d_plan_elements(t.plan, (pfft3d_side)side);
    size_t bytes = elements * element_bytes(o, side);
    CHECK(elements >= 1 && box_reach(o, side, &t.box[side]) <= bytes,
          "%s: side %d reaches to byte %zu of %zu", request_name(r), side,
          box_reach(o, side, &t.box[side]), bytes);
    CHECK(bytes <= pfft3d_plan_bytes(t.plan) || !box_elements(&t.box[side]),
          "%s: an array for both sides of %zu bytes, not %zu", request_name(r),
          pfft3d_plan_bytes(t.plan), bytes);
    if (open && !r->boxed[side]) continue;
    pfft3d_box want = expected_box(o, r, t.ranks, side, t.rank), *have = &t.box[side];
    int chosen = r->boxed[side] ? !want.distance : r->boxed[!side]; /* the distance, by the plan */
    CHECK(same_box(have, &want, chosen ? 1 : o->fields),
          "%s rank %d of %d side %d: box lo %td %td %td len %td %td %td stride %td %td %td offset "
          "%td distance %td, not lo %td %td %td len %td %td %td stride %td %td %td offset %td "
          "distance %td",
          request_name(r), t.rank, t.ranks, side, have->lo[0], have->lo[1], have->lo[2],
          have->len[0], have->len[1], have->len[2], have->stride[0], have->stride[1],
          have->stride[2], have->offset, have->distance, want.lo[0], want.lo[1], want.lo[2],
          want.len[0], want.len[1], want.len[2], want.stride[0], want.stride[1], want.stride[2],
          want.offset, want.distance);
  }
  return t;
}

void trial_weigh(trial *t) {
  for (int a = 0; a < 3; a++) {
    ptrdiff_t n = t->o->n[PFFT3D_SPECTRUM][a];
    t->multiplier[a] = get((size_t)n * sizeof(double));
    for (ptrdiff_t i = 0; i < n; i++) {
      uint64_t number = mix((uint64_t)(3 * i + a));
      t->multiplier[a][i] = ldexp(number & 1 ? 1 : -1, (int)(number >> 8) % 4);
    }
  }
}

/* Local. Whole fields of a spectrum over the multiplier. */
static long double *trial_unweigh(const trial *t, const long double *fields) {
  const ptrdiff_t *n = t->o->n[PFFT3D_SPECTRUM], all = t->o->elements[PFFT3D_SPECTRUM];
  ptrdiff_t parts = t->o->parts[PFFT3D_SPECTRUM], numbers = parts * all * t->o->fields;
  long double *x = get((size_t)numbers * sizeof *x);
  for (ptrdiff_t i = 0; i < numbers; i++) {
    ptrdiff_t g = i / parts % all;
    x[i] = fields[i] / (t->multiplier[0][g / n[2] / n[1]] * t->multiplier[1][g / n[2] % n[1]] *
                        t->multiplier[2][g % n[2]]);
  }
  return x;
}

/* The multiplier as a function of blocks of elements. */
static void trial_factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                          double *factor) {
  const trial *t = context;
  for (int a = 0; a < 3; a++)
    CHECK(lo[a] >= 0 && len[a] > 0 && lo[a] + len[a] <= t->o->n[PFFT3D_SPECTRUM][a],
          "%s: factors %td .. %td along axis %d", request_name(t->request), lo[a], lo[a] + len[a],
          a);
  for (ptrdiff_t i = 0; i < len[0]; i++)
    for (ptrdiff_t j = 0; j < len[1]; j++)
      for (ptrdiff_t k = 0; k < len[2]; k++)
        *factor++ =
            t->multiplier[0][lo[0] + i] * t->multiplier[1][lo[1] + j] * t->multiplier[2][lo[2] + k];
}

int trial_execute(const trial *t, int direction, const void *in, void *out) {
  MPI_Barrier(t->comm);
  poison_plan(t->plan);
  MPI_Barrier(t->comm);
  const ptrdiff_t *n = t->o->n[PFFT3D_SPECTRUM];
  ptrdiff_t as_function = (n[0] + n[1] + n[2] + t->o->fields) % 2; /* with bits of its own */
  if (direction == PFFT3D_BACKWARD && t->multiplier[0] && as_function)
    return pfft3d_execute_factors(t->plan, trial_factors, (void *)(uintptr_t)t, in, out);
  if (direction == PFFT3D_BACKWARD && t->multiplier[0])
    return pfft3d_execute_multiplier(t->plan, (const double *const *)t->multiplier, in, out);
  return pfft3d_execute(t->plan, (pfft3d_direction)direction, in, out);
}

void trial_free(trial *t) {
  for (int a = 0; a < 3; a++) free(t->multiplier[a]);
  pfft3d_plan_destroy(&t->plan);
  CHECK(!t->plan, "the plan is not NULL after it was destroyed");
}

guarded guarded_make(const trial *t, trial_how how, size_t bytes, int shift) {
  guarded a = {.bytes = bytes};
  if (how == LIBRARY || how == LIBRARY_IN_PLACE) {
    CHECK(!pfft3d_alloc(t->plan, &a.owned, NULL), "no array of the library");
    a.base = a.at = a.owned;
    a.bytes = pfft3d_plan_bytes(t->plan);
  } else {
    size_t before = GUARD + (size_t)shift * number_bytes(t->o);
    a.bytes += before + GUARD;
    a.base = get(a.bytes);
    a.at = a.base + before;
  }
  memset(a.base, 0xFF, a.bytes);
  a.map = get(a.bytes);
  memset(a.map, 0, a.bytes);
  return a;
}

void guarded_free(const trial *t, guarded *a) {
  if (a->owned)
    pfft3d_free(t->plan, a->owned);
  else
    free(a->base);
  free(a->map);
}

ptrdiff_t guarded_written(const guarded *a) {
  for (size_t i = 0; i < a->bytes; i++)
    if (!a->map[i] && a->base[i] != 0xFF) return (ptrdiff_t)i;
  return -1;
}

/* Collective on the trial's comm. A number that differs where any bit of a field does, but not with
 * where its elements are. */
static uint64_t trial_bits(const trial *t, int side, const unsigned char *array) {
  const oracle *o = t->o;
  size_t bytes = element_bytes(o, side);
  uint64_t sum = 0, all;
  FOR_ELEMENTS(&t->box[side], o->n[side], o->fields, g, at) {
    uint64_t word[2] = {0, 0};
    memcpy(word, array + (size_t)at * bytes, bytes);
    sum += mix(mix(mix((uint64_t)g) ^ word[0]) ^ word[1]);
  }
  MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, t->comm);
  return all;
}

void trial_run(trial *t, int direction, trial_how how, int shift) {
  const oracle *o = t->o;
  const pfft3d_box *from = &t->box[direction], *to = &t->box[!direction];
  int in_place = how == IN_PLACE || how == LIBRARY_IN_PLACE;
  size_t in_bytes = pfft3d_plan_elements(t->plan, (pfft3d_side)direction);
  size_t out_bytes = pfft3d_plan_elements(t->plan, (pfft3d_side)!direction);
  in_bytes *= element_bytes(o, direction), out_bytes *= element_bytes(o, !direction);
  if (in_place) in_bytes = pfft3d_plan_bytes(t->plan);
  guarded in = guarded_make(t, how, in_bytes, shift), out = in;
  if (!in_place) out = guarded_make(t, how, out_bytes, shift / 2);
  unsigned char *copy = get(in.bytes);
  int weighed = direction == PFFT3D_BACKWARD && t->multiplier[0];
  long double *unweighed = weighed ? trial_unweigh(t, o->given[direction]) : NULL;
  place_box(o, direction, from, weighed ? unweighed : o->given[direction], in.at);
  free(unweighed);
  memcpy(copy, in.base, in.bytes);
  mark_box(o, direction, from, in.map + (in.at - in.base));
  mark_box(o, !direction, to, out.map + (out.at - out.base));
  int null_in = shift && !in_place && !box_elements(from);
  int null_out = shift && !in_place && !box_elements(to);
  int status = trial_execute(t, direction, null_in ? NULL : in.at, null_out ? NULL : out.at);
  const char *name = request_name(t->request);
  const char *way = weighed ? "backward with a multiplier" : direction ? "backward" : "forward";
  CHECK(!status, "%s %s %s: status %d", name, way, trial_hows[how], status);
  double error = fields_error(t->comm, o, !direction, to, out.at, o->want[direction],
                              t->request->scale[direction]);
  double limit = oracle_allowed(o, t->request->decision.engine) * o->less[direction];
  CHECK(error <= limit, "%s on %d ranks %s %s: error %.3g, allowed %.3g", name, t->ranks, way,
        trial_hows[how], error, limit);
  uint64_t bits = trial_bits(t, !direction, out.at);
  CHECK(!t->ran[direction] || bits == t->bits[direction], "%s on %d ranks %s %s: other bits", name,
        t->ranks, way, trial_hows[how]);
  if (!t->ran[direction]++) t->bits[direction] = bits;
  ptrdiff_t written = guarded_written(&out);
  CHECK(written < 0, "%s on %d ranks %s %s: byte %td of %zu was written, it is in no element", name,
        t->ranks, way, trial_hows[how], written - (out.at - out.base), out_bytes);
  if (!in_place) {
    CHECK(!memcmp(copy, in.base, in.bytes), "%s on %d ranks %s %s: the input changed", name,
          t->ranks, way, trial_hows[how]);
    guarded_free(t, &out);
  }
  guarded_free(t, &in);
  free(copy);
}

int trial_possible(const pfft3d_request *r, int ranks) {
  pfft3d_explanation x;
  pfft3d_error e;
  pfft3d_request like = *r;
  like.boxed[0] = like.boxed[1] = 0; /* which no dry run knows */
  int status = pfft3d_explain(&like, ranks, &x, sizeof x, &e);
  int some = !strcmp(r->decision.engine, "simd") || !strcmp(r->decision.engine, "mkl");
  if (status == PFFT3D_ERR_UNAVAILABLE && some) return 0; /* not all lengths */
  CHECK(!status, "%s on %d ranks: status %d: %s", request_name(r), ranks, status, e.text);
  return !status;
}
