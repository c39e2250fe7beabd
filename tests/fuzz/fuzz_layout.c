/* SPDX-License-Identifier: BSD-3-Clause
 * Layouts: requests of arbitrary numbers, far beyond all memory.  What is accepted deals every
 * element to one rank, and what a rank sends is what another one receives; nothing overflows. */
#include <math.h>
#include <string.h>

#include "base/hooks.h"
#include "fuzz.h"
#include "planner/planner.h"

enum { FEW = 12, MANY = 512 }; /* ranks that are all looked at, FEW of them each with each */

typedef __int128 wide;

/* A number of any size: small, round or neither. */
static ptrdiff_t take_number(bytes *b) {
  unsigned kind = take_byte(b);
  if (kind < 128) return kind % 64;
  if (kind < 160) return ((ptrdiff_t)1 << (take_byte(b) % 63)) + (ptrdiff_t)(kind % 5) - 2;
  if (kind < 192) return (ptrdiff_t)(take_word(b) >> (take_byte(b) % 64));
  if (kind < 224) return (ptrdiff_t)take_byte(b) << 8 | take_byte(b);
  return kind < 232 ? PTRDIFF_MAX - (ptrdiff_t)take_byte(b) : (ptrdiff_t)take_word(b);
}

static int take_int(bytes *b) {
  ptrdiff_t n = take_number(b);
  return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : (int)n;
}

static void take_name(bytes *b, pfft3d_list list, char name[16]) {
  unsigned which = take_byte(b), count = 0;
  while (pfft3d_list_name(list, (int)count, NULL)) count++;
  const char *known = pfft3d_list_name(list, (int)(which % (count + 1)), NULL);
  strcpy(name, known ? known : "auto");
}

static void take_array(bytes *b, pfft3d_array *a) {
  for (int k = 0; k < 3; k++) {
    a->below[k] = take_number(b);
    a->above[k] = take_number(b);
  }
  a->every = take_number(b);
  a->distance = take_number(b);
}

static pfft3d_request take_request(bytes *b, int *ranks) {
  pfft3d_request r;
  pf_request_init(&r);
  unsigned bits = take_byte(b), more = take_byte(b);
  r.problem.dims = bits & 1 ? 1 : 3;
  r.problem.kind = (pfft3d_kind)(bits >> 1 & 1);
  r.problem.precision = (pfft3d_precision)(bits >> 2 & 1);
  r.decision.order = (pfft3d_order)(bits >> 3 & 1);
  r.wire = (pfft3d_precision)(bits >> 4 & 1);
  r.padded = bits >> 5 & 1;
  r.deterministic = bits >> 6 & 1;
  *ranks = bits & 128 ? take_int(b) : 1 + (int)(take_byte(b) % FEW);
  for (int a = 0; a < 3; a++) r.problem.n[a] = pf_is_line(&r) && a < 2 ? 1 : take_number(b);
  take_name(b, pf_is_line(&r) ? PFFT3D_METHODS : PFFT3D_SCHEMES, r.decision.scheme);
  take_name(b, PFFT3D_EXCHANGES, r.decision.algo);
  take_name(b, PFFT3D_ENGINES, r.decision.engine);
  if (more & 1) r.problem.batch = take_number(b);
  if (more & 2)
    for (int k = 0; k < 2; k++) r.decision.grid[k] = take_int(b);
  if (more & 4)
    for (int k = 0; k < 2; k++) r.decision.split[k] = take_number(b);
  if (more & 8) r.decision.chunk = take_number(b);
  pf_hooks.max_count = more & 16 ? take_number(b) & 0x7fffffff : 0;
  if (more & 32) r.node_ranks = take_int(b);
  if (more & 64)
    for (int k = 0; k < 2; k++) r.layout[k] = (pfft3d_distribution)(take_byte(b) & 1);
  if (more & 128)
    for (int side = 0; side < 2; side++) take_array(b, &r.array[side]);
  return r;
}

/* ---- boxes ---- */

static wide elements_of(const pfft3d_box *box) {
  return (wide)box->len[0] * box->len[1] * box->len[2];
}

static void check_box(const pfft3d_request *r, pfft3d_side side, const pfft3d_box *box) {
  ptrdiff_t n[3];
  wide last = box->offset;
  pfft3d_problem_extents(&r->problem, side, n);
  for (int a = 0; a < 3; a++) {
    MUST(box->lo[a] >= 0 && box->len[a] >= 0 && box->len[a] <= n[a], "axis %d: %td of %td at %td",
         a, box->len[a], n[a], box->lo[a]);
    if (!pf_is_line(r) || r->layout[side] == PFFT3D_BLOCK)
      MUST(!box->len[a] || (wide)box->lo[a] + box->len[a] <= n[a] || pf_is_line(r),
           "axis %d: %td at %td of %td", a, box->len[a], box->lo[a], n[a]);
    if (elements_of(box)) {
      MUST(box->stride[a] >= 1, "axis %d: stride %td", a, box->stride[a]);
      last += (wide)(box->len[a] - 1) * box->stride[a];
    }
  }
  /* the place of every element of every field is a number of bytes that fits */
  wide batch = r->problem.batch ? r->problem.batch : 1;
  MUST(box->offset >= 0 && box->distance >= 0, "offset %td, distance %td", box->offset,
       box->distance);
  if (!elements_of(box)) return;
  last += (batch - 1) * box->distance;
  MUST((last + 1) * 8 <= PTRDIFF_MAX, "an array has more elements than fit");
  const pfft3d_array *array = &r->array[side];
  if (batch > 1 && array->distance)
    MUST(box->distance == array->distance, "distance %td, not %td", box->distance, array->distance);
}

/* Boxes of fields are apart along some axis, or one of them is empty. */
static int apart(const pfft3d_box *x, const pfft3d_box *y) {
  if (!elements_of(x) || !elements_of(y)) return 1;
  for (int a = 0; a < 3; a++)
    if (x->lo[a] + x->len[a] <= y->lo[a] || y->lo[a] + y->len[a] <= x->lo[a]) return 1;
  return 0;
}

static void check_side(const pfft3d_request *r, int ranks, pfft3d_side side) {
  pfft3d_box box[FEW];
  ptrdiff_t n[3];
  wide sum = 0;
  for (int rank = 0; rank < ranks && rank < FEW; rank++) {
    MUST(!pfft3d_explain_box(r, ranks, side, rank, &box[rank]), "rank %d is refused", rank);
    check_box(r, side, &box[rank]);
    sum += elements_of(&box[rank]);
    for (int k = 0; k < rank && !pf_is_line(r); k++)
      MUST(apart(&box[k], &box[rank]), "ranks %d and %d overlap", k, rank);
  }
  if (ranks > FEW) return;
  pfft3d_problem_extents(&r->problem, side, n);
  MUST(sum == (wide)n[0] * n[1] * n[2], "the boxes do not hold all of %tdx%tdx%td", n[0], n[1],
       n[2]);
}

/* ---- redistributions ---- */

/* The rank `other` places from the beginning of the row or column that a rank exchanges with. */
static int mate(const pf_geometry *o, int dim, int other) {
  const int *grid = o->decision.names.grid;
  return dim == 0 ? other * grid[1] + o->coordinate[1] : o->coordinate[0] * grid[1] + other;
}

/* Whether data for a rank is sent, not stored into its memory. */
static int travels(const pf_redist *r, int other) {
  return other != r->me && (other < r->peers.lo || other >= r->peers.lo + r->peers.len);
}

/* What a rank has for each is what that one expects, and blocks follow each other. */
static void check_exchange(const pf_geometry *all, int rank, int way, int k) {
  const pf_geometry *o = &all[rank];
  const pf_redist *r = &o->memory.sequence[way].redist[k];
  ptrdiff_t sent = 0, received = 0, next = 0;
  for (int other = 0; other < r->ranks; other++) {
    const pf_redist *its =
        &all[mate(o, o->pipeline[way].route.exchange[k].dim, other)].memory.sequence[way].redist[k];
    ptrdiff_t to = pf_redist_elements(r, r->me, other);
    ptrdiff_t from = pf_redist_elements(r, other, r->me);
    MUST(to >= 0 && to == pf_redist_elements(its, r->me, other), "%td from %d to %d", to, rank,
         other);
    if (!r->boxes && (other != r->me || !r->own_apart)) {
      ptrdiff_t at = pf_redist_recv_offset(r, other);
      MUST(at == next, "the block of %d at %td, not %td", other, at, next);
      next = at + from;
    }
    if (travels(r, other)) sent += to;
    if (other != r->me || !r->own_apart) received += from;
  }
  MUST(sent == pf_redist_send_elements(r), "%td to send", sent);
  MUST(received == pf_redist_recv_elements(r), "%td to receive", received);
}

static void check_outlines(const pfft3d_request *request, int ranks) {
  static pf_geometry all[FEW];
  pfft3d_request r = *request;
  pfft3d_error e = {0};
  pf_resolved resolved;
  char reason[PF_REASON];
  MUST(!pf_dry_run(&r, ranks, &resolved, reason, &e), "%s", e.text);
  for (int rank = 0; rank < ranks; rank++)
    MUST(!pf_geometry_make(&resolved.field, ranks, rank, &all[rank], &e), "rank %d: %s", rank,
         e.text);
  for (int rank = 0; rank < ranks; rank++) {
    MUST(pf_geometry_hash(&all[rank]) == pf_geometry_hash(&all[0]), "rank %d has another plan",
         rank);
    for (int way = 0; way < 2 && all[rank].used; way++)
      for (int k = 0; k < all[rank].memory.sequence[way].count; k++)
        check_exchange(all, rank, way, k);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes b = {data, data + size};
  int ranks;
  pfft3d_request r = take_request(&b, &ranks);
  pfft3d_explanation x;
  pfft3d_error e = {0};
  /* a dry run looks at all ranks that one exchanges with, with nodes at all ranks of some of them
   */
  int nodes = !strcmp(r.decision.algo, "auto") || !strcmp(r.decision.algo, "node");
  if (ranks > 1 << 16) ranks = 1 << 16;
  if ((nodes || pf_is_line(&r)) && ranks > MANY) ranks = MANY;
  if (nodes && r.node_ranks > FEW) r.node_ranks = FEW;
  if (pfft3d_explain(&r, ranks, &x, sizeof x, &e)) {
    MUST(e.status == PFFT3D_ERR_USAGE || e.status == PFFT3D_ERR_UNAVAILABLE, "status %d: %s",
         e.status, e.text);
    MUST(e.text[0], "status %d without words", e.status);
    return 0;
  }
  MUST(x.work_bytes >= 0 && x.user_bytes >= 0 && x.messages >= 0 && x.seconds >= 0 &&
           isfinite(x.seconds),
       "%g bytes, %g s", x.work_bytes, x.seconds);
  MUST(x.idle_ranks >= 0 && x.idle_ranks < ranks, "%d idle ranks of %d", x.idle_ranks, ranks);
  for (int side = 0; side < 2; side++) check_side(&r, ranks, (pfft3d_side)side);
  if (!pf_is_line(&r) && ranks <= FEW) check_outlines(&r, ranks);
  return 0;
}
