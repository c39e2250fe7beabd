/* SPDX-License-Identifier: BSD-3-Clause
 * The choice between pfft3d and FFTW for a plan.  It depends only on data that is the same on all
 * ranks. */
#include "fftw3_mpi/call.h"

#include <math.h>
#include <stdio.h>

/* Small problems are faster with FFTW, which has code without loops for them, and so are
 * two-dimensional batches, as their fields are transformed one by one.  Points per rank, of all
 * fields together, from which on pfft3d was faster: on one rank, and on two (FFTW 3.3.10 with
 * MEASURE and destroyed input, 8^3 to 256^3 points, AVX-512, by `make bench`: medians of 11 to 15
 * repetitions, in place and out of place, transposed and natural order; REDFT10 for real kinds). */
enum { LINE, LINES, PLANE, PLANES, FIELD, FIELDS, SHAPES };
#define NEVER HUGE_VAL
static const double least[SHAPES][PF_R2R + 1][2] = {
    [LINE] = {[PF_C2C] = {850e3, 2e3}},
    [LINES] = {[PF_C2C] = {850e3, 24e3}},
    [PLANE] = {[PF_C2C] = {850e3, 30e3},
               [PF_R2C] = {1.3e6, 130e3},
               [PF_C2R] = {1.3e6, 30e3},
               [PF_R2R] = {16e3, 16e3}},
    [PLANES] = {[PF_C2C] = {NEVER, NEVER},
                [PF_R2C] = {NEVER, NEVER},
                [PF_C2R] = {NEVER, NEVER},
                [PF_R2R] = {16e3, 16e3}},
    [FIELD] = {[PF_C2C] = {850e3, 16e3},
               [PF_R2C] = {1.3e6, 16e3},
               [PF_C2R] = {1.3e6, 16e3},
               [PF_R2R] = {16e3, 2e3}},
    [FIELDS] = {[PF_C2C] = {850e3, 45e3},
                [PF_R2C] = {1.3e6, 6e3},
                [PF_C2R] = {1.3e6, 6e3},
                [PF_R2R] = {16e3, 16e3}}};
static const double least_transpose[] = {1e6, 500e3};

/* Only the length decides for scrambled lines, so that all plans of a length have the same
 * order. */
static const char *slower(const pf_call *c, int ranks) {
  int fields = c->howmany > 1 && !(c->flags & PF_FFTW_SCRAMBLED && c->rank == 1);
  double points = (fields ? (double)c->howmany : 1) / ranks;
  for (int k = 0; k < c->rank; k++) points *= (double)c->n[k];
  const double *from = least_transpose;
  if (c->family != PF_TRANSPOSE) from = least[2 * (c->rank - 1) + fields][c->family];
  if (from[ranks > 1] == NEVER) return "no gain is known";
  return points < from[ranks > 1] ? "too small to gain" : NULL;
}

static const char *const families[] = {"c2c", "r2c", "c2r", "r2r", "transpose"};

/* One line per plan, on rank 0. */
static void tell(const pf_call *c, const char *who, double seconds) {
  char sizes[100] = "";
  size_t used = 0;
  for (int k = 0; k < c->rank && used < sizeof sizes; k++)
    used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%s%td", k ? "x" : "", c->n[k]);
  if (c->howmany != 1 && used < sizeof sizes)
    snprintf(sizes + used, sizeof sizes - used, "*%td", c->howmany);
  const char *scrambled = c->flags & PF_FFTW_SCRAMBLED ? ", scrambled" : "";
  fprintf(stderr, "pfft3d: fftw%s_mpi_%s %s %s%s%s%s%s: %s", c->precision ? "f" : "", c->name,
          families[c->family], sizes, c->flags & PF_FFTW_TRANSPOSED_IN ? ", transposed in" : "",
          c->flags & PF_FFTW_TRANSPOSED_OUT ? ", transposed out" : "", scrambled,
          c->in == c->out ? ", in place" : "", who);
  if (seconds >= 0) fprintf(stderr, " (planned in %.1f ms)", 1e3 * seconds);
  fprintf(stderr, "\n");
}

/* Operations of all ranks together, counted as FFTW does. */
static double flops_of(const pf_call *c) {
  double points = 1;
  for (int k = 0; k < c->rank; k++) points *= (double)c->n[k];
  if (c->family == PF_TRANSPOSE) return 0;
  return (c->family == PF_C2C ? 5 : 2.5) * (double)c->howmany * points * log2(points);
}

/* Reason to leave a call to FFTW, or NULL and its form; the caller frees the form with
 * pf_form_free() in both cases. */
static const char *leave(const pf_call *c, int ranks, int rank, pf_form *form) {
  const char *reason = pf_translate(c, ranks, rank, form);
  if (!reason && !pf_mode_get()->all) reason = slower(c, ranks);
  return reason;
}

/* Nonzero if scrambled numbers of this length have pfft3d's order, independent of the number of
 * fields, blocks and wisdom. */
static int ours(const pf_call *c, int ranks, int rank) {
  pf_form form;
  pf_call plain = *c;
  if (c->rank != 1 || !(c->flags & PF_FFTW_SCRAMBLED)) return 0;
  plain.howmany = 1;
  plain.block[0] = plain.block[1] = 0;
  int mine = !leave(&plain, ranks, rank, &form);
  pf_form_free(&form);
  return mine;
}

/* Looks up or creates a plan.  A plan that was made with PATIENT serves calls without it, as FFTW's
 * wisdom does. */
static pf_kept *keep(const pf_call *c, pf_form *form, int incomplete, pfft3d_error *e) {
  int old = (c->flags & PF_FFTW_WISDOM_ONLY) != 0, patient = (c->flags & PF_FFTW_PATIENT) != 0;
  pf_kept *kept = pf_cache_get(c->comm, incomplete ? NULL : form, old || !patient, e);
  if (kept || patient) return kept;
  form->text[form->plain] = '\0';
  return pf_cache_get(c->comm, incomplete ? NULL : form, old, e);
}

/* Reason to leave a call to FFTW, or NULL and a handle.  *none: FFTW must not plan it, either: of
 * plans with scrambled numbers, pfft3d makes all of a length or none. */
static const char *make(const pf_call *c, int rank, pf_handle **handle, int *none,
                        pfft3d_error *e) {
  pf_form form;
  int ranks, old = (c->flags & PF_FFTW_WISDOM_ONLY) != 0;
  MPI_Comm_size(c->comm, &ranks);
  *none = ours(c, ranks, rank);
  const char *reason = leave(c, ranks, rank, &form);
  if (!reason) {
    pf_handle *h = pf_handle_create();
    pf_kept *kept = keep(c, &form, !h || form.incomplete, e);
    if (h && kept)
      *h = (pf_handle){NULL, kept, form.direction, c->in, c->out, flops_of(c), ranks};
    else if (h)
      pf_handle_destroy(h);
    if (!kept) reason = old ? "it must come from wisdom" : e->text[0] ? e->text : "no memory";
    if (kept) *handle = h;
    if (kept && h) *none = 0;
  }
  pf_form_free(&form);
  return reason;
}

void *pf_call_plan(const pf_call *c, int *none) {
  const pf_mode *mode = pf_mode_get();
  pf_handle *h = NULL;
  pfft3d_error e = {.status = 0};
  char who[600];
  int rank;
  if (mode->off) return NULL;
  MPI_Comm_rank(c->comm, &rank);
  double start = MPI_Wtime();
  const char *reason = make(c, rank, &h, none, &e);
  double seconds = MPI_Wtime() - start;
  if (!mode->verbose || rank) return h;
  int used = snprintf(who, sizeof who, "%s", h ? "pfft3d, " : *none ? "no plan: " : "FFTW: ");
  if (h)
    pf_cache_describe(h->kept, who + used, sizeof who - (size_t)used);
  else
    snprintf(who + used, sizeof who - (size_t)used, "%s", reason);
  tell(c, who, h ? seconds : -1);
  return h;
}
