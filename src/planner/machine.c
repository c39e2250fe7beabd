/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptions of machines without measurement: from a file or by default. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "planner/planner.h"

void pfft3d_machine_init(pfft3d_machine *m) {
  if (!m) return;
  *m = (pfft3d_machine){.node_ranks = 1,
                        .start = {0.5e-6, 2e-6},
                        .bandwidth = {5e9, 12.5e9},
                        .overlap = {0, 1},
                        .memory = 10e9,
                        .flops = 10e9,
                        .taper = 1};
}

void pf_machine_fill(pfft3d_machine *m, const pfft3d_machine *from) {
  for (int k = 0; k < 2; k++)
    if (!m->start[k] && !m->latency[k] && !m->bandwidth[k] && !m->overlap[k]) {
      m->start[k] = from->start[k];
      m->latency[k] = from->latency[k];
      m->bandwidth[k] = from->bandwidth[k];
      m->overlap[k] = from->overlap[k];
    } else if (!m->bandwidth[k]) {
      m->bandwidth[k] = from->bandwidth[k]; /* required for any message */
    }
  if (!m->node_ranks) m->node_ranks = from->node_ranks;
  if (!m->memory) {
    m->memory = from->memory;
    m->cache = from->cache;
    m->cached = from->cached;
    m->alone = from->alone;
  }
  if (!m->flops) m->flops = from->flops;
  if (!m->taper) m->taper = 1;
}

int pf_machine_whole(const pfft3d_machine *m) {
  return m->bandwidth[0] > 0 && m->bandwidth[1] > 0 && m->memory > 0 && m->flops > 0;
}

/* ---- figures ---- */

/* A line of a description: a name, and one or two numbers. */
typedef struct row {
  const char *name;
  size_t offset;
  int count, whole;
  double least, most;
} row;

#define AT(member) offsetof(pfft3d_machine, member)
static const row table[] = {
    {"node_ranks", AT(node_ranks), 1, 1, 1, 1 << 20},
    {"start", AT(start), 2, 0, 0, 1000},
    {"latency", AT(latency), 2, 0, 0, 1},
    {"bandwidth", AT(bandwidth), 2, 0, 1, 1e18},
    {"overlap", AT(overlap), 2, 0, 0, 1},
    {"memory", AT(memory), 1, 0, 1, 1e18},
    {"flops", AT(flops), 1, 0, 1, 1e18},
    {"group", AT(group), 1, 1, 1, 1 << 24},
    {"taper", AT(taper), 1, 0, 1e-6, 1},
    {"paths", AT(paths), 1, 0, 1, 1e9},
    {"cache", AT(cache), 1, 0, 1, 1e15},
    {"cached", AT(cached), 1, 0, 1, 1e18},
    {"alone", AT(alone), 1, 0, 1, 1e18},
};
enum { ROWS = sizeof table / sizeof table[0] };

/* Figure i of a row. */
static double figure_of(const row *r, const pfft3d_machine *m, int i) {
  const void *at = (const char *)m + r->offset;
  return r->whole ? ((const int *)at)[i] : ((const double *)at)[i];
}

/* In requests 0 means that a figure is unknown. */
int pf_machine_check(const pfft3d_machine *m, pfft3d_error *e) {
  for (int k = 0; k < ROWS; k++)
    for (int i = 0; i < table[k].count; i++) {
      const row *r = &table[k];
      double value = figure_of(r, m, i);
      PF_CHECK(!value || (value >= r->least && value <= r->most), e, PFFT3D_ERR_USAGE,
               "machine: %s %g: must be from %g to %g, or 0", r->name, value, r->least, r->most);
    }
  return PFFT3D_OK;
}

int pfft3d_request_machine(pfft3d_request *request, const pfft3d_machine *m, pfft3d_error *error) {
  pfft3d_error e = {0};
  pf_request_valid(request, &e);
  if (!m) pf_fail(&e, PFFT3D_ERR_USAGE, "machine: is NULL");
  if (!e.status && m && !pf_machine_check(m, &e)) request->machine = *m;
  return pf_error_out(&e, error);
}

/* The ranks that are present on a node divide the bandwidth of its memory, as far as their threads
 * can use it.  Messages inside a node are copies in memory. */
static void share_memory(pfft3d_machine *m, int present, int threads) {
  double all = m->memory * m->node_ranks / (present > 1 ? present : 1);
  double factor = fmin(all, m->alone * threads) / m->memory;
  if (factor > 1) {
    m->memory *= factor;
    m->bandwidth[0] *= factor;
  }
  m->alone = 0; /* it is done, and would be wrong a second time */
}

void pf_machine_resolve(pfft3d_request *r, int ranks) {
  pfft3d_machine usual;
  pfft3d_machine_init(&usual);
  if (!r->node_ranks) r->node_ranks = r->machine.node_ranks ? r->machine.node_ranks : 1;
  pf_machine_fill(&r->machine, &usual);
  share_memory(&r->machine, ranks < r->node_ranks ? ranks : r->node_ranks, r->threads);
}

int pf_attribute_key(atomic_int *known, MPI_Comm_copy_attr_function *copy,
                     MPI_Comm_delete_attr_function *forget) {
  int key = atomic_load(known), none = MPI_KEYVAL_INVALID;
  if (key != MPI_KEYVAL_INVALID) return key;
  MPI_Comm_create_keyval(copy, forget, &key, NULL);
  if (atomic_compare_exchange_strong(known, &none, key)) return key;
  MPI_Comm_free_keyval(&key);
  return none;
}

/* ---- files ---- */

#define SCHEMA "pfft3d.machine/1"
enum { LINE = 256 };

/* Reads the numbers of a line; returns nonzero if they are valid. */
static int read_numbers(const row *r, const char *text, pfft3d_machine *m) {
  char *end;
  for (int i = 0; i < r->count; i++, text = end) {
    double value = pf_strtod(text, &end);
    if (end == text || !(value >= r->least && value <= r->most)) return 0;
    if (r->whole && value != floor(value)) return 0;
    if (r->whole)
      *(int *)(void *)((char *)m + r->offset) = (int)value;
    else
      ((double *)(void *)((char *)m + r->offset))[i] = value;
  }
  return text[strspn(text, " \t")] == 0;
}

/* Reads one line, without its comment and surrounding blanks. */
static int read_line(char *line, const char *file, int number, pfft3d_machine *m, pfft3d_error *e) {
  size_t word = strcspn(line, " \t");
  const char *value = line + word + strspn(line + word, " \t");
  if (word == 4 && !strncmp(line, "name", 4) && *value) {
    snprintf(m->name, sizeof m->name, "%s", value);
    return PFFT3D_OK;
  }
  if (word == 6 && !strncmp(line, "schema", 6))
    return strcmp(value, SCHEMA)
               ? pf_fail(e, PFFT3D_ERR_DATA,
                         "%.100s:%d: its schema is '%.60s', expected '" SCHEMA "'", file, number,
                         value)
               : PFFT3D_OK;
  for (int k = 0; k < ROWS; k++) {
    const row *r = &table[k];
    if (strlen(r->name) != word || strncmp(r->name, line, word) != 0) continue;
    if (read_numbers(r, value, m)) return PFFT3D_OK;
    return pf_fail(e, PFFT3D_ERR_DATA, "%.100s:%d: %s '%.60s': expected %s%s from %g to %g", file,
                   number, r->name, value, r->count > 1 ? "two numbers" : "one number",
                   r->whole ? ", whole," : "", r->least, r->most);
  }
  pf_hint(e,
          "a machine has: schema name node_ranks start latency bandwidth overlap memory flops "
          "group taper "
          "paths cache cached alone");
  return pf_fail(e, PFFT3D_ERR_DATA, "%.150s:%d: unknown word '%.60s'", file, number, line);
}

int pfft3d_machine_read(const char *file, pfft3d_machine *m, pfft3d_error *error) {
  pfft3d_error e = {0};
  char line[LINE];
  if (!file || !m) {
    pf_fail(&e, PFFT3D_ERR_USAGE, "machine: the %s is NULL", file ? "struct" : "name of its file");
    return pf_error_out(&e, error);
  }
  FILE *f = fopen(file, "r");
  if (!f) pf_fail(&e, PFFT3D_ERR_NOINPUT, "cannot open '%.150s': %s", file, strerror(errno));
  for (int number = 1; f && !e.status && fgets(line, sizeof line, f); number++) {
    size_t length = strlen(line);
    if (length + 1 == sizeof line && line[length - 1] != '\n')
      pf_fail(&e, PFFT3D_ERR_DATA, "%.150s:%d: longer than %d characters", file, number, LINE - 2);
    length = strcspn(line, "#\n");
    while (length && isspace((unsigned char)line[length - 1])) length--;
    line[length] = 0;
    char *first = line + strspn(line, " \t");
    if (!e.status && *first) read_line(first, file, number, m, &e);
  }
  if (f && !e.status && ferror(f))
    pf_fail(&e, PFFT3D_ERR_NOINPUT, "cannot read '%.150s': %s", file, strerror(errno));
  if (f) fclose(f);
  return pf_error_out(&e, error);
}
