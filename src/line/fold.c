/* SPDX-License-Identifier: BSD-3-Clause
 * Sections of folds, and their messages.  Both sides list the sections between two ranks in the
 * order of bands and ascending columns of a, so that messages with the same tag match. */
#include "line/fold.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int index_of(const pf_columns *c, int rank) {
  return c->reversed ? pf_reversed_rank(c->ranks, rank) : rank;
}

pf_range pf_columns_of(const pf_columns *c, int rank) {
  pf_range part = pf_split(c->n, c->ranks, index_of(c, rank));
  return (pf_range){part.lo * c->unit, part.len * c->unit};
}

static int owner_of(const pf_columns *c, ptrdiff_t column) {
  return index_of(c, pf_split_owner(c->n, c->ranks, column / c->unit));
}

/* ---- sections ---- */

pf_range pf_band_columns(const pf_band *b, pf_range a, int side) {
  if (side == 0) return a;
  return (pf_range){b->sign > 0 ? a.lo + b->offset : b->offset - (a.lo + a.len - 1), a.len};
}

pf_range pf_range_common(pf_range a, pf_range b) {
  ptrdiff_t end = a.lo + a.len < b.lo + b.len ? a.lo + a.len : b.lo + b.len;
  ptrdiff_t lo = a.lo > b.lo ? a.lo : b.lo;
  return (pf_range){lo, end > lo ? end - lo : 0};
}

/* The columns of a that a band maps to columns of a side. */
static pf_range columns_from(const pf_band *b, pf_range columns, int side) {
  if (side == 0) return columns;
  ptrdiff_t lo = b->sign > 0 ? columns.lo - b->offset : b->offset - (columns.lo + columns.len - 1);
  return (pf_range){lo, columns.len};
}

ptrdiff_t pf_fold_sections(const pf_fold *f, int side, int rank, pf_fold_section *section) {
  ptrdiff_t count = 0;
  pf_range mine = pf_columns_of(&f->side[side], rank);
  const pf_columns *others = &f->side[!side];
  for (int k = 0; k < f->bands; k++) {
    const pf_band *b = &f->band[k];
    pf_range all = {0, others->n * others->unit};
    pf_range left = pf_range_common(columns_from(b, mine, side), b->a);
    left = pf_range_common(left, columns_from(b, all, !side));
    while (left.len > 0 && mine.len > 0) {
      pf_range first = {left.lo, 1};
      int other = owner_of(others, pf_band_columns(b, first, !side).lo);
      pf_range there = columns_from(b, pf_columns_of(others, other), !side);
      pf_range now = pf_range_common(left, there);
      if (section) section[count] = (pf_fold_section){k, other, now};
      count++;
      left.lo += now.len;
      left.len -= now.len;
    }
  }
  return count;
}

ptrdiff_t pf_columns_in_row(const pf_fold *f, int side, pf_range columns, ptrdiff_t row) {
  ptrdiff_t total = f->side[side].total, rows = total / f->row;
  if (row < rows) return columns.len;
  ptrdiff_t rest = row == rows ? total % f->row - columns.lo : 0;
  return rest < 0 ? 0 : rest < columns.len ? rest : columns.len;
}

ptrdiff_t pf_fold_elements(const pf_fold *f, const pf_fold_section *p, int side) {
  ptrdiff_t rows = f->side[side].total / f->row;
  pf_range columns = pf_band_columns(&f->band[p->band], p->a, side);
  return rows * columns.len + pf_columns_in_row(f, side, columns, rows);
}

pf_message_count pf_fold_count(const pf_fold *f, int from, int rank, size_t element,
                               ptrdiff_t cap) {
  enum { some = 64 };
  const pf_redist none = {.batch = 1, .from = 2};
  pf_counting counting = pf_exchange_counting(&none, cap);
  pf_message_count m = {0};
  pf_fold_section few[some], *section = few;
  ptrdiff_t sections = pf_fold_sections(f, from, rank, NULL);
  if (sections > some && !(section = malloc((size_t)sections * sizeof *section))) return m;
  pf_fold_sections(f, from, rank, section);
  for (ptrdiff_t i = 0; i < sections; i++)
    if (section[i].other != rank)
      pf_counting_add(&m, &counting, 1, f->lines * pf_fold_elements(f, &section[i], from), element);
  if (section != few) free(section);
  return m;
}

/* ---- making ---- */

/* Elements of a message. */
static ptrdiff_t elements_of(const pf_fold_messages *m, const pf_fold_section *p, int from) {
  return m->fold.lines * pf_fold_elements(&m->fold, p, from);
}

/* Requests for the sections of a side. */
static size_t requests_of(const pf_fold_messages *m, int side, int from) {
  size_t count = 0;
  for (ptrdiff_t i = 0; i < m->sections[side]; i++)
    count += (size_t)pf_counting_portions(&m->exchange.counting,
                                          elements_of(m, &m->section[side][i], from));
  return count;
}

int pf_fold_make(pf_fold_messages *m, MPI_Comm comm, ptrdiff_t cap, pfft3d_error *e) {
  enum { tag = 93 }; /* differs from the tags of a butterfly and of edges */
  size_t most = 0;
  MPI_Comm_rank(comm, &m->rank);
  m->exchange = (pf_exchange){.size = m->narrow ? m->element / 2 : m->element,
                              .counting = {.cap = cap},
                              .comm = comm,
                              .tag = tag};
  PF_TRY(pf_exchange_create_plain(&m->exchange, e));
  for (int side = 0; side < 2; side++) {
    ptrdiff_t sections = pf_fold_sections(&m->fold, side, m->rank, NULL);
    m->section[side] = malloc(((size_t)sections + 1) * sizeof **m->section);
    if (!m->section[side])
      return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td messages", sections);
    m->sections[side] = pf_fold_sections(&m->fold, side, m->rank, m->section[side]);
  }
  for (int from = 0; from < 2; from++) {
    size_t count = requests_of(m, 0, from) + requests_of(m, 1, from);
    if (count > most) most = count;
  }
  m->request = malloc((most + 1) * sizeof *m->request);
  if (!m->request) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu messages", most);
  return PFFT3D_OK;
}

void pf_fold_free(pf_fold_messages *m) {
  pf_exchange_destroy(&m->exchange);
  free(m->section[0]);
  free(m->section[1]);
  free(m->request);
}

/* Nonzero if a section is contiguous in the array of its side. */
static int is_run(const pf_fold_messages *m, const pf_fold_section *p, int side) {
  int rows = m->fold.row != PTRDIFF_MAX;
  return m->fold.lines == 1 && !m->narrow &&
         (!rows || p->a.len == pf_columns_of(&m->fold.side[side], m->rank).len);
}

/* ---- running ---- */

/* Contiguous elements for pf_move(); the caller decides whether they are read or written. */
static pf_strided run_of(const char *at, size_t element) {
  pf_strided run = {.along = 1, .element = element};
  memcpy(&run.data, &at, sizeof at);
  return run;
}

/* Copies the rows of a section one after the other; returns the end of the copy. */
static char *pack_section(pf_fold_messages *m, const pf_fold_section *p, int from,
                          const char *array, char *to) {
  const pf_band *b = &m->fold.band[p->band];
  pf_range columns = pf_band_columns(b, p->a, from);
  pf_fold_address at = pf_fold_own(m, from, array);
  size_t size = m->element, sent = m->exchange.size;
  ptrdiff_t count;
  for (ptrdiff_t x = 0; (count = pf_columns_in_row(&m->fold, from, columns, x)) > 0; x++) {
    const char *row = at.base + (x * at.pitch + columns.lo - at.first) * (ptrdiff_t)size;
    if (m->narrow)
      pf_move(run_of(to, sent), run_of(row, size), count, 1, (pf_move_mode){.loss = &m->loss});
    else
      memcpy(to, row, (size_t)count * size);
    to += (size_t)count * sent;
  }
  return to;
}

static int send_section(pf_fold_messages *m, const pf_fold_section *p, int from,
                        pf_fold_array array, char **pack, MPI_Request **next) {
  pf_exchange *x = &m->exchange;
  pf_message all = {.other = p->other, .elements = elements_of(m, p, from)};
  if (is_run(m, p, from)) {
    pf_fold_address at = pf_fold_own(m, from, array.at);
    memcpy(&x->send, &at.base, sizeof at.base); /* never written to */
    all.offset = pf_band_columns(&m->fold.band[p->band], p->a, from).lo - at.first;
  } else {
    x->send = *pack;
    for (ptrdiff_t line = 0; line < m->fold.lines; line++)
      *pack = pack_section(m, p, from, array.at + (size_t)line * array.apart, *pack);
  }
  return pf_exchange_message(x, PF_SEND, &all, next);
}

int pf_fold_send(pf_fold_messages *m, int from, pf_fold_array array, char *pack, char *received) {
  MPI_Request *next = m->request;
  int code = MPI_SUCCESS;
  ptrdiff_t offset = 0;
  m->exchange.recv = m->narrow ? pack + m->room / 2 : received;
  for (ptrdiff_t i = 0; i < m->sections[!from] && code == MPI_SUCCESS; i++) {
    const pf_fold_section *p = &m->section[!from][i];
    if (p->other == m->rank) continue;
    pf_message all = {p->other, offset, elements_of(m, p, from), 0};
    code = pf_exchange_message(&m->exchange, PF_RECEIVE, &all, &next);
    offset += all.elements;
  }
  for (ptrdiff_t i = 0; i < m->sections[from] && code == MPI_SUCCESS; i++)
    if (m->section[from][i].other != m->rank)
      code = send_section(m, &m->section[from][i], from, array, &pack, &next);
  if (code == MPI_SUCCESS) code = pf_exchange_wait_all(m->request, next - m->request);
  pf_exchange_arrived(&m->exchange);
  if (m->narrow)
    pf_move(run_of(received, m->element), run_of(m->exchange.recv, m->exchange.size), offset, 1,
            (pf_move_mode){0});
  return code;
}

/* ---- addresses ---- */

static pf_fold_address address_on(const pf_columns *c, int rank, const char *array) {
  pf_range columns = pf_columns_of(c, rank);
  return (pf_fold_address){array, columns.len, columns.lo};
}

pf_fold_address pf_fold_own(const pf_fold_messages *m, int side, const char *array) {
  return address_on(&m->fold.side[side], m->rank, array);
}

pf_fold_address pf_fold_next(const pf_fold_messages *m, int from, ptrdiff_t index,
                             pf_fold_source *source) {
  const pf_fold_section *p = &m->section[!from][index];
  if (p->other == m->rank) return pf_fold_own(m, from, source->own);
  if (source->peers)
    return address_on(&m->fold.side[from], p->other,
                      source->peers + (size_t)p->other * source->part);
  pf_range columns = pf_band_columns(&m->fold.band[p->band], p->a, from);
  size_t section = (size_t)pf_fold_elements(&m->fold, p, from) * m->element;
  pf_fold_address address = {source->received + (size_t)source->line * section, columns.len,
                             columns.lo};
  source->received += (size_t)m->fold.lines * section;
  return address;
}
