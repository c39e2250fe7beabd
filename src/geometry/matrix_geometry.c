/* SPDX-License-Identifier: BSD-3-Clause
 * The geometry of a line as a matrix, for any rank of any number of ranks. */
#include "geometry/matrix.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

/* ---- stages of a direction ---- */

const pf_vector *pf_matrix_vector(const pf_geometry *g, int direction, int output) {
  return &g->vector[(direction == PFFT3D_FORWARD) == output ? PFFT3D_SPECTRUM : PFFT3D_SPACE];
}

int pf_matrix_is_real(const pf_geometry *g) {
  return g->decision.problem.kind == PFFT3D_R2C;
}

size_t pf_matrix_element(const pf_geometry *g, int side) {
  return pf_matrix_is_real(g) && side == PFFT3D_SPACE ? g->element / 2 : g->element;
}

ptrdiff_t pf_matrix_modes(const pf_geometry *g) {
  ptrdiff_t n = g->decision.matrix.n[0];
  return pf_matrix_is_real(g) ? n / 2 + 1 : n;
}

/* Forward, up to the input of `first`; backward from the output of `second` on. */
int pf_matrix_reals_at(const pf_geometry *g, int direction, pf_role role, int output) {
  if (!pf_matrix_is_real(g)) return 0;
  if (direction == PFFT3D_FORWARD) return role == PF_MOVE_IN || (role == PF_FIRST && !output);
  return role == PF_MOVE_OUT || (role == PF_SECOND && output);
}

/* The points of a line of `first` (na) or of `second` (nb). */
static ptrdiff_t points(const pf_geometry *g, int direction, int second) {
  return g->decision.matrix.n[(direction == PFFT3D_FORWARD) == second];
}

static int in_blocks(const pf_geometry *g, int direction, int output) {
  return pf_matrix_vector(g, direction, output)->distribution == PF_BLOCK;
}

/* If elements are only moved, exactly one side is in blocks: the direction moves out of blocks or
 * into blocks. */
static int list_roles(const pf_geometry *g, int direction, pf_role role[4]) {
  int stages = 0, in = in_blocks(g, direction, 0), out = in_blocks(g, direction, 1);
  int direct = g->decision.exchange->direct, moves = g->decision.matrix.moves;
  if (in && !direct) role[stages++] = PF_MOVE_IN;
  if (!moves || in) role[stages++] = PF_FIRST;
  if (!moves || out) role[stages++] = PF_SECOND;
  if (out && !direct) role[stages++] = PF_MOVE_OUT;
  return stages;
}

/* Lines of a plane: enough for an efficient message, and a plane for each thread. */
static ptrdiff_t chunk_of(const pf_geometry *g, ptrdiff_t points) {
  enum { least = 64, most = 4096, worth = 64 * 1024 };
  ptrdiff_t line = (points + g->ranks - 1) / g->ranks * (ptrdiff_t)g->element, chunk = least;
  while (chunk < most && chunk * line < worth) chunk *= 2;
  return chunk;
}

int pf_matrix_folded(const pf_geometry *g, int direction, int k) {
  pf_role role[4] = {0};
  int stages = list_roles(g, direction, role);
  if (!pf_matrix_is_real(g)) return 0;
  return direction == PFFT3D_FORWARD ? k == stages - 2 && role[k] == PF_SECOND
                                     : k == 0 && role[0] == PF_MOVE_IN;
}

pf_lines_of pf_matrix_lines(const pf_geometry *g, int direction, int stage) {
  pf_role role[4] = {0};
  list_roles(g, direction, role);
  int second = role[stage] == PF_MOVE_IN || role[stage] == PF_SECOND;
  pf_lines_of l = {.role = role[stage],
                   .points = points(g, direction, second),
                   .all = points(g, direction, !second)};
  if (second == (direction == PFFT3D_FORWARD)) l.all = pf_matrix_modes(g);
  l.mine = pf_split(l.all, g->ranks, g->rank);
  if (l.role == PF_MOVE_IN || l.role == PF_MOVE_OUT) {
    l.rows = pf_matrix_vector(g, direction, l.role == PF_MOVE_OUT);
    l.all = pf_vector_rows(l.rows);
    l.mine = pf_vector_block_rows(l.rows, g->rank);
  }
  l.chunk = chunk_of(g, l.points);
  return l;
}

/* The transform of n1 (axis 1) or n2 (axis 2) points. */
pf_fft_spec pf_matrix_fft(const pf_geometry *g, pfft3d_direction direction, int axis) {
  int first = (axis == 1) == (direction == PFFT3D_FORWARD), moves = g->decision.matrix.moves;
  int moved = !g->decision.exchange->direct && in_blocks(g, (int)direction, 1);
  int real = axis == 1 && pf_matrix_is_real(g);
  return (pf_fft_spec){.engine = g->decision.engine,
                       .precision = g->decision.problem.precision,
                       .n = axis == 0 || moves ? 1 : g->decision.matrix.n[axis - 1],
                       .sign = direction == PFFT3D_FORWARD ? -1 : 1,
                       .real = real,
                       .transpose = axis && !moves && (first || moved)};
}

int pf_matrix_has_images(const pf_geometry *g) {
  int cyclic = g->decision.matrix.side[PFFT3D_SPECTRUM].distribution == PF_CYCLIC;
  return pf_matrix_is_real(g) && cyclic && g->ranks > 2;
}

/* If r and P - r are two ranks, all their lines have images, on the other one. */
pf_images pf_matrix_images(const pf_geometry *g) {
  ptrdiff_t modes = pf_matrix_modes(g);
  pf_images i = {.other = (g->ranks - g->rank) % g->ranks};
  if (g->decision.exchange->direct || !pf_matrix_has_images(g)) return i;
  i.rows = g->decision.matrix.n[1] / 2;
  i.width = g->decision.matrix.n[0] / g->ranks;
  i.most = i.rows * pf_split(modes, g->ranks, 0).len;
  if (i.other == g->rank) return i;
  i.columns[0] = pf_split(modes, g->ranks, g->rank).len;
  i.columns[1] = pf_split(modes, g->ranks, i.other).len;
  return i;
}

pf_edges pf_matrix_edges(const pf_geometry *g) {
  const ptrdiff_t *n = g->decision.matrix.n;
  ptrdiff_t longest = n[0] > n[1] ? n[0] : n[1], line = PF_ALIGN / (ptrdiff_t)g->element;
  longest = (longest + line - 1) / line * line;
  ptrdiff_t rows = 2 * (1 + g->group) * longest, images = pf_matrix_images(g).most;
  images = (images * g->group + line - 1) / line * line;
  return (pf_edges){.missing = {0, longest},
                    .last = {2 * longest, 3 * longest},
                    .field = 2 * longest,
                    .images = {rows, rows + images},
                    .size = rows + 2 * images};
}

pf_counting pf_matrix_edge_counting(const pf_geometry *g) {
  const pf_redist any = {.batch = 1, .from = 2};
  return pf_exchange_counting(&any, g->memory.cap);
}

size_t pf_matrix_edge_unit(const pf_geometry *g) {
  return pf_matrix_element(g, PFFT3D_SPACE);
}

/* Counts the messages of rows that lie on two ranks, and of images (edges.c). */
static void count_edges(const pf_geometry *g, int direction, pf_message_count *m) {
  const pf_vector *in = pf_matrix_vector(g, direction, 0), *out = pf_matrix_vector(g, direction, 1);
  pf_counting c = pf_matrix_edge_counting(g);
  ptrdiff_t size = (ptrdiff_t)pf_matrix_edge_unit(g), out_side = direction == PFFT3D_FORWARD;
  ptrdiff_t from = (ptrdiff_t)pf_matrix_element(g, !out_side) / size;
  ptrdiff_t to = (ptrdiff_t)pf_matrix_element(g, (int)out_side) / size;
  double each = (double)g->group;
  pf_images images = pf_matrix_images(g);
  ptrdiff_t sent = g->group * images.rows * images.columns[direction != PFFT3D_FORWARD];
  if (sent) pf_counting_add(m, &c, 1, (ptrdiff_t)g->element / size * sent, (size_t)size);
  if (in->distribution == PF_BLOCK)
    pf_counting_add(m, &c, each, from * pf_vector_head(in, g->rank).len, (size_t)size);
  if (out->distribution != PF_BLOCK) return;
  pf_range last = pf_vector_last(out, g->rank);
  for (int r = g->rank + 1; r < g->ranks && last.len; r++) {
    pf_range head = pf_vector_head(out, r);
    if (head.lo >= last.lo + last.len) break;
    if (head.len) pf_counting_add(m, &c, each, to * head.len, (size_t)size);
  }
}

/* Images are sent and received, and the images of the other rank's lines are copied. */
static double image_bytes(const pf_geometry *g) {
  pf_images i = pf_matrix_images(g);
  ptrdiff_t elements = i.columns[0] + 3 * i.columns[1];
  return (double)(elements * i.rows * g->group) * (double)g->element;
}

/* Nonzero if elements of a cyclic side are mirror images of elements of other ranks. */
static int has_images(const pf_geometry *g, int direction, int output) {
  int spectrum = (direction == PFFT3D_FORWARD) == output;
  return spectrum && pf_matrix_has_images(g);
}

/* ---- exchanges ---- */

static pf_rows rows_of(const pf_lines_of *l) {
  return l->rows ? (pf_rows){l->rows->row, l->rows->total, l->rows->cuts} : (pf_rows){.row = 0};
}

/* Exchange k: the points of a line before the exchange are lines after it. */
static void add_exchange(pf_geometry *g, int direction, int k, const pf_lines_of *before) {
  pf_exchange_sequence *q = &g->memory.sequence[direction];
  pf_lines_of after = pf_matrix_lines(g, direction, k + 1);
  int folded = pf_matrix_folded(g, direction, k);
  int real = pf_matrix_reals_at(g, direction, before->role, 1);
  q->redist[k] = q->largest[k] = (pf_redist){.ops = &pf_redist_axes,
                                             .ranks = g->ranks,
                                             .me = g->rank,
                                             .from = 1,
                                             .to = 2,
                                             .next = 1,
                                             .len = {1, before->all, after.all},
                                             .batch = g->group * (1 + folded),
                                             .group = 1,
                                             .message = g->decision.names.chunk,
                                             .one_node = g->memory.node_ranks >= g->ranks,
                                             .chunk = before->chunk,
                                             .rows = {rows_of(before), rows_of(&after)}};
  q->node_map[k] = (pf_node_map){.ranks = g->ranks, /* all ranks form one row of a grid */
                                 .me = g->rank,
                                 .node = g->memory.node_ranks,
                                 .grid = {1, g->ranks},
                                 .dim = 1,
                                 .cut = PF_WHOLE};
  q->wire[k] = pf_geometry_wire(g, real ? g->element / 2 : g->element);
  q->count++;
  g->pipeline[direction].route.exchange[k].dim = 1;
}

ptrdiff_t pf_matrix_points(const pf_geometry *g, int direction, const pf_lines_of *l, int output) {
  int columns = !l->rows && (l->role == PF_FIRST) == (direction == PFFT3D_FORWARD);
  int real = pf_matrix_reals_at(g, direction, l->role, output);
  return columns && !real && pf_matrix_is_real(g) ? pf_matrix_modes(g) : l->points;
}

/* Bytes of a line that a stage reads, or writes (output). */
static double line_bytes(const pf_geometry *g, int direction, const pf_lines_of *l, int output,
                         int exchange) {
  int real = pf_matrix_reals_at(g, direction, l->role, output);
  size_t element = real ? g->element / 2 : g->element;
  return (double)pf_matrix_points(g, direction, l, output) *
         (double)(exchange ? pf_geometry_wire(g, element) : element);
}

static void matrix_direction(pf_geometry *g, int direction) {
  pf_pipeline_geometry *w = &g->pipeline[direction];
  pf_role role[4] = {0};
  int direct = g->decision.exchange->direct;
  w->route.stages = list_roles(g, direction, role);
  w->pull = direct && (in_blocks(g, direction, 0) || has_images(g, direction, 0));
  w->push = direct && (in_blocks(g, direction, 1) || has_images(g, direction, 1));
  count_edges(g, direction, &w->messages);
  w->traffic += w->beside = image_bytes(g);
  for (int k = 0; k < w->route.stages; k++) {
    pf_lines_of lines = pf_matrix_lines(g, direction, k);
    int transforms = !g->decision.matrix.moves && !lines.rows;
    int axis = (lines.role == PF_FIRST) == (direction == PFFT3D_FORWARD) ? 1 : 2;
    w->route.stage[k] =
        (pf_route_stage){.axes = transforms, .axis = {axis}, .line = {2}, .tile = {1}};
    int last = k == w->route.stages - 1;
    double rows = (double)lines.mine.len * (double)g->group;
    pf_geometry_add_bytes(w, k, rows * line_bytes(g, direction, &lines, 0, k > 0));
    pf_geometry_add_bytes(w, k, rows * line_bytes(g, direction, &lines, 1, !last));
    double points = rows * (double)lines.points / (axis == 1 && pf_matrix_is_real(g) ? 2 : 1);
    if (transforms) pf_geometry_add_flops(w, k, points, g->decision.matrix.n[axis - 1]);
    if (!last) add_exchange(g, direction, k, &lines);
  }
  pf_exchange_sequence *q = &g->memory.sequence[direction];
  int images = !direct && pf_matrix_has_images(g);
  w->crossings = g->ranks > 1 ? q->count + w->pull + w->push + images : 0;
  int out = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  size_t plain = (size_t)(g->box[out].len[2] * g->group) * pf_matrix_element(g, out);
  q->output = g->side_bytes[out] == plain ? plain : 0; /* nothing between the lines of a batch */
}

/* ---- all of it ---- */

/* Bytes of an array of `count` elements of each line. */
static size_t array_bytes(const pf_geometry *g, int side, ptrdiff_t count) {
  ptrdiff_t others = (g->group - 1) * g->box[side].distance;
  return count ? (size_t)(others + count) * pf_matrix_element(g, side) : 0;
}

static int matrix_sides(pf_geometry *g, pfft3d_error *e) {
  size_t bytes = 64 * g->element;
  const ptrdiff_t *n = g->decision.matrix.n;
  PF_CHECK(!pf_mul(bytes, (size_t)n[0], &bytes) && !pf_mul(bytes, (size_t)n[1], &bytes) &&
               !pf_mul(bytes, (size_t)g->group, &bytes) && bytes <= (size_t)PTRDIFF_MAX,
           e, PFFT3D_ERR_UNAVAILABLE, "size %td: more bytes than 64 bits can count",
           g->decision.problem.n[2]);
  for (int side = 0; side < 2; side++) {
    const pf_vector *v = &g->decision.matrix.side[side];
    g->vector[side] = *v;
    pf_vector_box(v, g->rank, &g->box[side]);
    if (g->decision.array[side].distance) g->box[side].distance = g->decision.array[side].distance;
    g->side_bytes[side] = array_bytes(g, side, g->box[side].len[2]);
    size_t largest = array_bytes(g, side, pf_vector_longest(v));
    if (largest > g->shared_array) g->shared_array = largest;
  }
  return PFFT3D_OK;
}

int pf_matrix_geometry(pf_geometry *g, pfft3d_error *e) {
  const ptrdiff_t *n = g->decision.matrix.n;
  g->group = g->decision.problem.batch;
  g->runs = 2 * (size_t)g->ranks + 2;
  PF_TRY(matrix_sides(g, e));
  g->used = 1;
  g->coordinate[1] = g->rank;
  for (int side = 0; side < 2; side++)
    g->layout[side] = (pf_layout){.n = {1, n[0], n[1]},
                                  .grid = {1, g->ranks},
                                  .dim = {PF_WHOLE, PF_WHOLE, PF_WHOLE},
                                  .storage = {0, 1, 2}};
  for (int d = 0; d < 2; d++) matrix_direction(g, d);
  g->memory.edges = (size_t)pf_matrix_edges(g).size * g->element;
  for (int a = 0; a < 2 && !g->decision.matrix.moves;
       a++) { /* strips of longer lines may be smaller */
    pf_fft_spec spec = pf_matrix_fft(g, PFFT3D_FORWARD, 1 + a);
    size_t strip = pf_strip_bytes(n[a], g->element, spec.real ? pf_fft_width(&spec) : 1);
    if (strip > g->memory.bytes[PF_SLOT_STRIP]) g->memory.bytes[PF_SLOT_STRIP] = strip;
  }
  return PFFT3D_OK;
}

const pf_scheme pf_scheme_matrix = {
    .name = "transpose", .geometry = pf_matrix_geometry, .fft = pf_matrix_fft};
