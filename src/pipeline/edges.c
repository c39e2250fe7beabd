/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a matrix that lie on two ranks or are not full.  A row belongs to the rank where it
 * begins: before a run the next ranks send it their parts (the heads of their blocks), and after
 * the run they get them back.  Mirror images of a cyclic spectrum of real numbers, which are
 * elements of one other rank (matrix_half.c), are sent in the same way. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "local/move.h"
#include "geometry/matrix.h"
#include "pipeline/views.h"

enum { tag_edges = 78 }; /* differs from the tags of exchanges (exchange/memory.c) */

/* ---- preparing ---- */

/* Upper bound of the requests for sending a head and receiving the parts of a row: one message per
 * rank, and one for each full portion; for all lines of a batch. */
static size_t most_requests(const pf_geometry *g) {
  size_t most = 1;
  for (int side = 0; side < 2; side++) {
    const pf_vector *v = &g->vector[side];
    ptrdiff_t times = (ptrdiff_t)(pf_matrix_element(g, side) / pf_matrix_edge_unit(g));
    size_t count = 2 + 2 * (size_t)(times * v->row / pf_matrix_edge_counting(g).cap);
    if (v->distribution != PF_BLOCK) continue;
    pf_range last = pf_vector_last(v, g->rank);
    for (int r = g->rank + 1; r < g->ranks && last.len; r++, count++)
      if (pf_vector_head(v, r).lo >= last.lo + last.len) break;
    if (count > most) most = count;
  }
  pf_images i = pf_matrix_images(g);
  ptrdiff_t units = (ptrdiff_t)(g->element / pf_matrix_edge_unit(g)) * g->group;
  size_t images = 2 + 2 * (size_t)(units * i.most / pf_matrix_edge_counting(g).cap);
  most *= (size_t)g->group;
  return most > images ? most : images;
}

int pf_matrix_prepare(pf_pipelines *p, pfft3d_error *e) {
  const pf_geometry *g = &p->geometry;
  const pf_matrix *m = &g->decision.matrix;
  /* missing rows remain zero */
  memset(pf_exchange_store_edges(&p->store), 0, (size_t)pf_matrix_edges(g).size * g->element);
  p->request = calloc(most_requests(g), sizeof *p->request);
  if (!p->request) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the edges of a matrix");
  for (int d = 0; d < 2; d++) {
    pf_exchange *x = &p->pipeline[d].edges;
    *x = (pf_exchange){.size = pf_matrix_edge_unit(g),
                       .counting = {.cap = g->memory.cap},
                       .comm = p->comm,
                       .tag = tag_edges};
    PF_TRY(pf_exchange_create_plain(x, e));
  }
  return m->moves ? PFFT3D_OK : pf_roots_make(&p->roots, m->n[0] * m->n[1], e);
}

/* ---- running ---- */

static char *edge(pf_pipelines *p, ptrdiff_t at) {
  return pf_exchange_store_edges(&p->store) + at * (ptrdiff_t)p->geometry.element;
}

/* The input or the output of a direction. */
typedef struct end {
  const pf_vector *v;
  int output;
  ptrdiff_t apart, field; /* from a line of the batch to the next, in the array and in its edges */
  size_t size;            /* bytes of an element */
  ptrdiff_t units;        /* the same in units of messages */
  char *row;              /* the last row of the first line */
} end;

static end end_of(pf_pipelines *p, const pf_pipeline *w, int output) {
  const pf_geometry *g = &p->geometry;
  const pf_edges edges = pf_matrix_edges(g);
  int side = (w->direction == PFFT3D_FORWARD) == output ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  size_t size = pf_matrix_element(g, side);
  return (end){.v = &g->vector[side],
               .output = output,
               .apart = g->box[side].distance,
               .field = edges.field * (ptrdiff_t)(g->element / size),
               .size = size,
               .units = (ptrdiff_t)(size / pf_matrix_edge_unit(g)),
               .row = edge(p, edges.last[output])};
}

/* Starts the messages for the heads of a line: to the rank where the row begins, or back. */
static int start_heads(pf_pipelines *p, pf_exchange *x, const end *s, ptrdiff_t line,
                       MPI_Request **next) {
  const pf_vector *v = s->v;
  int rank = p->geometry.rank, code = MPI_SUCCESS;
  pf_range head = pf_vector_head(v, rank), last = pf_vector_last(v, rank);
  if (head.len > 0) {
    int owner = pf_cuts_owner(&v->cuts, v->total, v->ranks, head.lo / v->row * v->row);
    pf_message m = {owner, line * s->apart * s->units, head.len * s->units, 0};
    code = pf_exchange_message(x, s->output ? PF_RECEIVE : PF_SEND, &m, next);
  }
  for (int r = rank + 1; r < v->ranks && last.len && code == MPI_SUCCESS; r++) {
    pf_range other = pf_vector_head(v, r);
    if (other.lo >= last.lo + last.len) break;
    if (!other.len) continue;
    ptrdiff_t at = line * s->field + other.lo - last.lo;
    pf_message m = {r, at * s->units, other.len * s->units, 0};
    code = pf_exchange_message(x, s->output ? PF_SEND : PF_RECEIVE, &m, next);
  }
  return code;
}

static int exchange_heads(pf_pipelines *p, pf_exchange *x, const end *s) {
  int code = MPI_SUCCESS;
  MPI_Request *next = p->request;
  if (s->v->distribution != PF_BLOCK) return MPI_SUCCESS;
  for (ptrdiff_t line = 0; line < p->geometry.group && code == MPI_SUCCESS; line++)
    code = start_heads(p, x, s, line, &next);
  if (code == MPI_SUCCESS) code = pf_exchange_wait_all(p->request, next - p->request);
  pf_exchange_arrived(x);
  return code;
}

/* The last row of a rank if it is not full there: `len` elements in its array from element `at` on,
 * of `width`. */
typedef struct last_row {
  ptrdiff_t at, len, width;
} last_row;

static last_row find_last(const pf_vector *v, int rank) {
  if (v->distribution != PF_BLOCK) {
    ptrdiff_t width = pf_vector_width(v, rank), rows = v->total / v->row;
    return (last_row){rows * width, pf_vector_rest(v, rank), v->total % v->row ? width : 0};
  }
  pf_range block = pf_vector_block(v, rank), last = pf_vector_last(v, rank);
  if (!last.len) return (last_row){0, 0, 0};
  return (last_row){last.lo - block.lo, block.lo + block.len - last.lo, v->row};
}

/* ---- mirror images ---- */

/* Nonzero if elements of the input or output, a cyclic vector, are images of another rank. */
static int has_images(const pf_pipelines *p, const pf_pipeline *w, int output) {
  pf_images i = pf_matrix_images(&p->geometry);
  int spectrum = (w->direction == PFFT3D_FORWARD) == output;
  return spectrum && i.columns[0] + i.columns[1] > 0;
}

/* Copies the images among the elements of this rank, the last columns of its rows, to the matrix
 * that is sent, or from the matrix that was received. */
static void copy_images(pf_pipelines *p, const end *s, char *array) {
  const pf_geometry *g = &p->geometry;
  pf_images i = pf_matrix_images(g);
  ptrdiff_t columns = i.columns[1], size = (ptrdiff_t)s->size;
  for (ptrdiff_t f = 0; f < g->group && array; f++) {
    char *at = array + (f * s->apart + i.width - columns) * size;
    char *matrix = edge(p, pf_matrix_edges(g).images[1]) + f * i.rows * columns * size;
    pf_strided theirs = {at, 1, i.width, s->size}, ours = {matrix, 1, columns, s->size};
    pf_move(s->output ? theirs : ours, s->output ? ours : theirs, columns, i.rows,
            (pf_move_mode){.stream = s->output});
  }
  pf_move_fence();
}

/* Sends the images of this rank's lines to the other rank, and receives the images of its lines; or
 * back. */
static int exchange_images(pf_pipelines *p, pf_exchange *x, const end *s) {
  pf_images i = pf_matrix_images(&p->geometry);
  ptrdiff_t each = i.rows * p->geometry.group * s->units, sent = !s->output;
  const ptrdiff_t *at = pf_matrix_edges(&p->geometry).images;
  MPI_Request *next = p->request;
  x->send = edge(p, at[sent]);
  x->recv = edge(p, at[!sent]);
  pf_message in = {i.other, 0, each * i.columns[!sent], 0};
  pf_message out = {i.other, 0, each * i.columns[sent], 0};
  int code = MPI_SUCCESS;
  if (in.elements) code = pf_exchange_message(x, PF_RECEIVE, &in, &next);
  if (out.elements && code == MPI_SUCCESS) code = pf_exchange_message(x, PF_SEND, &out, &next);
  int done = pf_exchange_wait_all(p->request, next - p->request);
  pf_exchange_arrived(x);
  return code == MPI_SUCCESS ? done : code;
}

/* ---- hooks ---- */

int pf_matrix_before(pf_pipelines *p, pf_pipeline *w, const char *in) {
  const pf_geometry *g = &p->geometry;
  end s = end_of(p, w, 0);
  last_row l = find_last(s.v, g->rank);
  size_t size = s.size;
  for (ptrdiff_t f = 0; f < g->group; f++) {
    char *row = s.row + (size_t)(f * s.field) * size;
    memset(row, 0, (size_t)l.width * size);
    if (l.len) memcpy(row, in + (size_t)(f * s.apart + l.at) * size, (size_t)l.len * size);
  }
  memcpy(&w->edges.send, &in, sizeof in); /* never written to */
  w->edges.recv = s.row;
  if (!has_images(p, w, 0)) return exchange_heads(p, &w->edges, &s);
  copy_images(p, &s, w->edges.send);
  return exchange_images(p, &w->edges, &s);
}

int pf_matrix_after(pf_pipelines *p, pf_pipeline *w, char *out) {
  const pf_geometry *g = &p->geometry;
  end s = end_of(p, w, 1);
  last_row l = find_last(s.v, g->rank);
  size_t size = s.size;
  for (ptrdiff_t f = 0; f < g->group && l.len; f++)
    memcpy(out + (size_t)(f * s.apart + l.at) * size, s.row + (size_t)(f * s.field) * size,
           (size_t)l.len * size);
  w->edges.send = s.row;
  w->edges.recv = out;
  if (!has_images(p, w, 1)) return exchange_heads(p, &w->edges, &s);
  int code = exchange_images(p, &w->edges, &s);
  copy_images(p, &s, out);
  return code;
}
