/* SPDX-License-Identifier: BSD-3-Clause
 * The views that stages of pipelines read and write, for the schemes of fields and for matrices. */
#ifndef PF_PIPELINE_VIEWS_H
#define PF_PIPELINE_VIEWS_H

#include "pipeline/pipelines.h"

typedef struct pf_views_ops {
  /* Local. The views that the stages of a direction read and write. */
  void (*views)(const pf_pipelines *p, pf_pipeline *w);

  /* Local. Adapts stage k, which is otherwise complete; may be NULL. */
  void (*stage)(const pf_pipelines *p, int k, pf_pipeline *w);

  /* Collective on p->comm; the caller agrees on the status.  Makes the other members that pipelines
   * of the scheme need; may be NULL.  Errors: MEMORY, INTERNAL. */
  int (*prepare)(pf_pipelines *p, pfft3d_error *e);

  /* Collective on p->comm. Actions before the first stage of a run, and after the last one; may be
   * NULL.  Return an MPI error code. */
  int (*before)(pf_pipelines *p, pf_pipeline *w, const char *in);
  int (*after)(pf_pipelines *p, pf_pipeline *w, char *out);
} pf_views_ops;

extern const pf_views_ops pf_field_views, pf_matrix_views;

/** Local. The operations of a scheme. */
const pf_views_ops *pf_views_of(const pf_scheme *scheme);

/** As in pf_views_ops, for a matrix (edges.c). */
int pf_matrix_prepare(pf_pipelines *p, pfft3d_error *e);
int pf_matrix_before(pf_pipelines *p, pf_pipeline *w, const char *in);
int pf_matrix_after(pf_pipelines *p, pf_pipeline *w, char *out);

#endif
