/* SPDX-License-Identifier: BSD-3-Clause
 * The arithmetic of a line as a matrix, for any rank of any number of ranks. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/shared.h"
#include "plan/matrix.h"

/* ---- what a direction is ---- */

const pf_vector *pf_matrix_vector(const pf_geometry *o, int direction, int output) {
  return &o->matrix.side[(direction == PFFT3D_FORWARD) == output ? PFFT3D_SPECTRUM : PFFT3D_SPACE];
}

static ptrdiff_t points_a(const pf_geometry *o, int direction) {
  return o->matrix.n[direction == PFFT3D_FORWARD ? 0 : 1];
}

static ptrdiff_t points_b(const pf_geometry *o, int direction) {
  return o->matrix.n[direction == PFFT3D_FORWARD ? 1 : 0];
}

static int is_direct(const pf_geometry *o) {
  return o->exchange->place == PF_PLACE_OWNERS;
}

static int in_blocks(const pf_geometry *o, int direction, int output) {
  return pf_matrix_vector(o, direction, output)->distribution == PF_BLOCK;
}

/* Where elements only change places, one side is in blocks: out of them, or into them. */
static int list_roles(const pf_geometry *o, int direction, pf_role role[4]) {
  int steps = 0, in = in_blocks(o, direction, 0), out = in_blocks(o, direction, 1);
  if (in && !is_direct(o)) role[steps++] = PF_MOVE_IN;
  if (!o->matrix.moves || in) role[steps++] = PF_FIRST;
  if (!o->matrix.moves || out) role[steps++] = PF_SECOND;
  if (out && !is_direct(o)) role[steps++] = PF_MOVE_OUT;
  return steps;
}

pf_role pf_matrix_role(const pf_geometry *o, int direction, int step) {
  pf_role role[4];
  list_roles(o, direction, role);
  return role[step];
}

/* Lines of a plane: what leaves together is worth a message, and threads have planes of their own.
 */
static ptrdiff_t chunk_of(const pf_geometry *o, ptrdiff_t points) {
  enum { least = 64, most = 4096, worth = 64 * 1024 };
  ptrdiff_t line = (points + o->ranks - 1) / o->ranks * (ptrdiff_t)o->element, chunk = least;
  while (chunk < most && chunk * line < worth) chunk *= 2;
  return chunk;
}

pf_lines_of pf_matrix_lines(const pf_geometry *o, int direction, pf_role role) {
  const pf_vector *in = pf_matrix_vector(o, direction, 0), *out = pf_matrix_vector(o, direction, 1);
  ptrdiff_t a = points_a(o, direction), b = points_b(o, direction);
  pf_lines_of l = {.points = role == PF_MOVE_IN || role == PF_SECOND ? b : a};
  if (role == PF_MOVE_IN)
    l.mine = pf_vector_block_rows(in, o->rank);
  else if (role == PF_MOVE_OUT)
    l.mine = pf_vector_block_rows(out, o->rank);
  else
    l.mine = pf_split(role == PF_FIRST ? b : a, o->ranks, o->rank);
  l.chunk = chunk_of(o, l.points);
  return l;
}

pf_fft_spec pf_matrix_fft(const pf_geometry *o, pfft3d_direction direction, int axis) {
  int first = (axis == 1) == (direction == PFFT3D_FORWARD);
  int moved = !is_direct(o) && in_blocks(o, (int)direction, 1);
  return (pf_fft_spec){.engine = o->engine,
                       .precision = o->problem.precision,
                       .n = axis == 0 || o->matrix.moves ? 1 : o->matrix.n[axis - 1],
                       .sign = direction == PFFT3D_FORWARD ? -1 : 1,
                       .transpose = axis && !o->matrix.moves && (first || moved)};
}

/* ---- edges ---- */

pf_edges pf_matrix_edges(const pf_geometry *o) {
  ptrdiff_t longest = o->matrix.n[0] > o->matrix.n[1] ? o->matrix.n[0] : o->matrix.n[1];
  ptrdiff_t line = PF_ALIGN / (ptrdiff_t)o->element;
  longest = (longest + line - 1) / line * line;
  return (pf_edges){0, longest, 2 * longest, 3 * longest, 4 * longest};
}

ptrdiff_t pf_matrix_edge_at(const pf_geometry *o, int rank, ptrdiff_t edge) {
  if (!is_direct(o)) return edge;
  size_t begin = pf_geometry_halves(o) * o->half + PF_ALIGN;
  size_t part = o->bytes[PF_SLOT_SHARED];
  return (ptrdiff_t)(((size_t)rank * part + begin) / o->element) + edge;
}

/* ---- exchanges ---- */

static pf_redist make_redist(const pf_geometry *o, int direction, pf_role before, pf_role after) {
  const pf_vector *in = pf_matrix_vector(o, direction, 0), *out = pf_matrix_vector(o, direction, 1);
  pf_lines_of lines = pf_matrix_lines(o, direction, before);
  pf_redist r = {.ranks = o->ranks,
                 .me = o->rank,
                 .from = 1,
                 .to = 2,
                 .outer = 0,
                 .next = 1,
                 .len = {1, 0, lines.points},
                 .batch = 1,
                 .group = 1,
                 .message = o->decision.chunk,
                 .chunk = lines.chunk,
                 .boxes = o->exchange->place == PF_PLACE_BOXES};
  if (before == PF_MOVE_IN) {
    r.len[1] = pf_vector_rows(in);
    r.rows[0] = (pf_rows){in->row, in->total};
  } else {
    r.len[1] = before == PF_FIRST ? points_b(o, direction) : points_a(o, direction);
  }
  if (after == PF_MOVE_OUT) {
    r.len[2] = pf_vector_rows(out);
    r.rows[1] = (pf_rows){out->row, out->total};
  }
  return r;
}

/* The first exchange sends from a buffer.  The others, when the input is not needed any more, send
 * from the output, where that is large enough and need not be the plan's.  They receive in two
 * buffers in turn. */
static void assign_slots(pf_geometry *o, pf_pipeline_geometry *w, int k, size_t out_bytes) {
  const pf_redist *r = &w->redist[k];
  size_t send = (size_t)pf_redist_send_elements(r) * o->wire;
  size_t recv = (size_t)pf_redist_recv_elements(r) * o->wire;
  int out = send <= out_bytes && !o->exchange->fixed;
  w->send[k] = k == 0 ? PF_SLOT_SEND : out ? PF_SLOT_OUT : PF_SLOT_EXTRA;
  w->recv[k] = k % 2 ? PF_SLOT_SEND : PF_SLOT_RECV;
  if (w->send[k] != PF_SLOT_OUT && send > o->bytes[w->send[k]]) o->bytes[w->send[k]] = send;
  if (recv > o->bytes[w->recv[k]]) o->bytes[w->recv[k]] = recv;
}

/* Messages of rows that are in parts; what run sends (matrix_run.c). */
static void count_heads(pf_geometry *o, int direction) {
  const pf_redist any = {.batch = 1, .from = 2};
  const pf_vector *in = pf_matrix_vector(o, direction, 0), *out = pf_matrix_vector(o, direction, 1);
  pf_counting c = pf_exchange_counting(&any, o->cap);
  pf_message_count *m = &o->pipeline[direction].messages;
  if (in->distribution == PF_BLOCK)
    pf_counting_add(m, &c, 1, pf_vector_head(in, o->rank).len, o->element);
  if (out->distribution != PF_BLOCK) return;
  pf_range last = pf_vector_last(out, o->rank);
  for (int r = o->rank + 1; r < o->ranks && last.len; r++) {
    pf_range head = pf_vector_head(out, r);
    if (head.lo >= last.lo + last.len) break;
    pf_counting_add(m, &c, 1, head.len, o->element);
  }
}

static pf_message_count node_exchange(pf_geometry *o, pf_pipeline_geometry *w, int k,
                                      double *received) {
  pf_geometry_node_area(o, &w->redist[k]);
  return pf_geometry_node_messages(o, w, k, received);
}

static void geometry_way(pf_geometry *o, int direction) {
  pf_pipeline_geometry *w = &o->pipeline[direction];
  pf_role role[4] = {PF_MOVE_IN};
  w->route.steps = list_roles(o, direction, role);
  w->pull = is_direct(o) && in_blocks(o, direction, 0);
  w->push = is_direct(o) && in_blocks(o, direction, 1);
  o->scattered[direction] = w->pull || w->push;
  count_heads(o, direction);
  for (int k = 0; k < w->route.steps; k++) {
    pf_lines_of lines = pf_matrix_lines(o, direction, role[k]);
    int transforms = !o->matrix.moves && (role[k] == PF_FIRST || role[k] == PF_SECOND);
    int axis = (role[k] == PF_FIRST) == (direction == PFFT3D_FORWARD) ? 1 : 2;
    w->route.step[k] = (pf_step){.axes = transforms, .axis = {axis}};
    int last = k == w->route.steps - 1;
    double points = (double)lines.mine.len * (double)lines.points;
    size_t crossing = (k ? o->wire : o->element) + (last ? o->element : o->wire);
    pf_geometry_add_stage(o, w, k, points * (double)crossing, points);
    if (last) break;
    pf_redist *r = &w->redist[k];
    *r = make_redist(o, direction, role[k], role[k + 1]);
    w->node_map[k] = (pf_node_map){.ranks = o->ranks, /* all are one row of a grid */
                                   .me = o->rank,
                                   .node = o->node_ranks,
                                   .grid = {1, o->ranks},
                                   .dim = 1,
                                   .cut = PF_WHOLE};
    w->send[k] = w->recv[k] = PF_SLOT_SHARED;
    w->route.exchange[k].dim = 1;
    if (is_direct(o)) continue;
    int nodes = o->exchange->place == PF_PLACE_NODES;
    pf_piece own = pf_redist_piece(r, r->me, r->me);
    ptrdiff_t others = pf_redist_recv_elements(r) - pf_piece_elements(&own);
    double received = (double)others * (double)o->wire;
    pf_message_count c = nodes ? node_exchange(o, w, k, &received)
                               : pf_exchange_count(o->exchange, r, o->wire, o->cap);
    if (!nodes)
      assign_slots(o, w, k,
                   o->side_bytes[direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE]);
    pf_geometry_add_exchange(w, k, &c, received);
  }
}

/* ---- all of it ---- */

static int geometry_sides(pf_geometry *o, pfft3d_error *e) {
  size_t bytes = 64 * o->element;
  PF_CHECK(!pf_mul(bytes, (size_t)o->matrix.n[0], &bytes) &&
               !pf_mul(bytes, (size_t)o->matrix.n[1], &bytes) && bytes <= (size_t)PTRDIFF_MAX,
           e, PFFT3D_ERR_UNAVAILABLE, "size %td: more bytes than 64 bits can count",
           o->problem.n[2]);
  for (int side = 0; side < 2; side++) {
    const pf_vector *v = &o->matrix.side[side];
    pfft3d_box *box = &o->box[side];
    *box = (pfft3d_box){.len = {1, 1, pf_vector_count(v, o->rank)}, .stride = {1, 1, 1}};
    if (v->distribution == PF_BLOCK) box->lo[2] = pf_vector_block(v, o->rank).lo;
    box->distance = box->len[2];
    o->side_bytes[side] = (size_t)box->len[2] * o->element;
    if (o->side_bytes[side] > o->user_bytes) o->user_bytes = o->side_bytes[side];
    size_t largest = (size_t)pf_vector_count(v, 0) * o->element;
    if (largest > o->shared_array) o->shared_array = largest;
  }
  o->shared_array = pf_shared_part(o->shared_array);
  return PFFT3D_OK;
}

/* The parts of a window are alike on all ranks: rows of all lines, as long as the longest piece of
 * one.  The same half takes an array of the caller's that is no shared one. */
static void geometry_window(pf_geometry *o) {
  size_t largest = o->scattered[0] || o->scattered[1] ? o->shared_array : 0;
  for (int d = 0; d < 2; d++) {
    const pf_redist *r = &o->pipeline[d].redist[0];
    if (o->pipeline[d].route.steps < 2) continue;
    ptrdiff_t row = pf_plane_stride(pf_redist_after(r, 0, 2).len, o->element);
    size_t bytes = (size_t)(r->len[1] * row) * o->element;
    if (bytes > largest) largest = bytes;
  }
  o->half = (largest + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  size_t edges = (size_t)pf_matrix_edges(o).size * o->element;
  o->bytes[PF_SLOT_SHARED] = pf_shared_part(pf_geometry_halves(o) * o->half + PF_ALIGN + edges);
}

int pf_matrix_geometry(pf_geometry *o, pfft3d_error *e) {
  PF_TRY(geometry_sides(o, e));
  o->group = 1;
  o->used = 1;
  o->decision.grid[0] = 1;
  o->decision.grid[1] = o->ranks;
  o->place[1] = o->rank;
  for (int side = 0; side < 2; side++)
    o->layout[side] = (pf_layout){.n = {1, o->matrix.n[0], o->matrix.n[1]},
                                  .grid = {1, o->ranks},
                                  .dim = {PF_WHOLE, PF_WHOLE, PF_WHOLE},
                                  .storage = {0, 1, 2}};
  for (int d = 0; d < 2; d++) geometry_way(o, d);
  if (o->exchange->place == PF_PLACE_NODES) pf_geometry_node_part(o);
  if (is_direct(o))
    geometry_window(o);
  else
    o->bytes[PF_SLOT_EDGES] = (size_t)pf_matrix_edges(o).size * o->element;
  for (int a = 0; a < 2 && !o->matrix.moves; a++) { /* strips of longer lines may be smaller */
    size_t strip = pf_strip_bytes(o->matrix.n[a], o->element);
    if (strip > o->bytes[PF_SLOT_STRIP]) o->bytes[PF_SLOT_STRIP] = strip;
  }
  for (int s = 0; s < PF_SLOTS; s++)
    o->work_bytes += o->bytes[s] * (s < PF_SLOT_PLANE ? 1 : (size_t)o->threads);
  return PFFT3D_OK;
}
