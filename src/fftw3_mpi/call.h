/* SPDX-License-Identifier: BSD-3-Clause
 * A drop-in for FFTW-MPI: functions with FFTW's names, called instead of FFTW's own.  Problems that
 * pfft3d solves faster become plans of pfft3d; everything else is passed on to the original.
 *
 *   exports.h     the functions with FFTW's names, once per precision
 *   call.[ch]     what a planning function was asked, and the choice of the library
 *   translate.c   the same as a request to pfft3d
 *   cache.c       plans of pfft3d that communicators keep
 *   handle.c      the plans that the program holds
 *   original.c    the functions of the original libraries
 *
 * No header of FFTW is used.  The meaning of its functions and flags is documented in FFTW's manual
 * (Frigo and Johnson, version 3.3.10, chapter 6). */
#ifndef PF_FFTW3_MPI_CALL_H
#define PF_FFTW3_MPI_CALL_H

#include "pfft3d_redist.h"
#include "pfft3d_tune.h"

/* The flags of FFTW that are used here. */
enum {
  PF_FFTW_PATIENT = 1 << 3 | 1 << 5, /* EXHAUSTIVE, PATIENT */
  PF_FFTW_WISDOM_ONLY = 1 << 21,
  PF_FFTW_SCRAMBLED_IN = 1 << 27,
  PF_FFTW_SCRAMBLED = 3 << 27,
  PF_FFTW_TRANSPOSED_IN = 1 << 29,
  PF_FFTW_TRANSPOSED_OUT = 1 << 30
};

typedef enum pf_family { PF_C2C, PF_R2C, PF_C2R, PF_R2R, PF_TRANSPOSE } pf_family;

/* The arguments of a planning function.  One, two or three dimensions: n[0] .. n[rank-1]; a
 * transposition has two. */
typedef struct pf_call {
  const char *name; /* name of the function, without the prefix: "plan_many_dft" */
  pf_family family;
  pfft3d_precision precision;
  int rank;
  const ptrdiff_t *n;
  ptrdiff_t howmany, block[2]; /* block: of input and output; 0: FFTW's default */
  void *in, *out;
  MPI_Comm comm;
  int sign;
  const int *kind;
  unsigned flags;
} pf_call;

/* The equivalent request to pfft3d.  The lists of cuts belong to the form. */
typedef struct pf_form {
  char text[256]; /* for pfft3d_request_parse(); for a transposition, its key in the cache */
  size_t plain;   /* its length without the suffix for PATIENT */
  pfft3d_transpose_spec transpose; /* n0 is 0: it is a transform */
  pfft3d_direction direction;
  pfft3d_array array[2];
  pfft3d_cuts cuts[2];
  ptrdiff_t *at[2];
  int incomplete;  /* no memory for the lists on this rank */
  ptrdiff_t n;     /* length, in one dimension */
  size_t element;  /* bytes of an element */
  ptrdiff_t lines; /* > 0: number of interleaved lines, which plans of pfft3d do not support: they
                      are redistributed to lines in even blocks, and back */
  /* The part that this rank must have on each side, along one axis; the other axes are whole. */
  int axis[2];
  ptrdiff_t lo[2], len[2];
} pf_form;

/** Local. Writes the form of a call for a rank.  Returns NULL, or the reason why pfft3d cannot do
 *  it. In both cases the caller frees the form with pf_form_free(). */
const char *pf_translate(const pf_call *call, int ranks, int rank, pf_form *form);
void pf_form_free(pf_form *form);

/* ---- plans of communicators ---- */

/* A plan of pfft3d, kept by a communicator while it is in use and some time after. */
typedef struct pf_kept pf_kept;

/** Collective on comm. The cached plan for a form; creates it if there is none, unless only @p old
 * plans are allowed.  NULL after an error, or if @p form is NULL on some rank. */
pf_kept *pf_cache_get(MPI_Comm comm, const pf_form *form, int old, pfft3d_error *e);

/** Collective. Removes a user of the plan. */
void pf_cache_release(pf_kept *kept);

/** Local. Adds a user of the plan. */
void pf_cache_share(pf_kept *kept);

/** Collective. Executes the plan. */
int pf_cache_execute(const pf_kept *kept, pfft3d_direction direction, const void *in, void *out);

/** Local. Describes the plan in one line. */
void pf_cache_describe(const pf_kept *kept, char *out, size_t size);

/** Collective on all communicators of this process. Destroys unused plans. */
void pf_cache_clear(void);

/* ---- plans of the program ---- */

/* The object behind the program's fftw_plan. */
typedef struct pf_handle {
  struct pf_handle *next; /* next free handle */
  pf_kept *kept;
  pfft3d_direction direction;
  void *in, *out;
  double flops; /* operations of all ranks, by the convention 5 n log2 n */
  int ranks;
} pf_handle;

/** Local. A handle that is in use; NULL without memory. */
pf_handle *pf_handle_create(void);
void pf_handle_destroy(pf_handle *h);

/** Local. Nonzero if a plan of the program is a handle. */
int pf_handle_ours(const void *plan);

/** Collective. Executes the plan with other arrays. */
void pf_handle_execute(const pf_handle *h, void *in, void *out);

/** Local. The operations on all ranks, half of them additions, half multiplications; and the
 * operations per rank. */
void pf_handle_flops(const pf_handle *h, double *add, double *mul, double *fma);
double pf_handle_cost(const pf_handle *h);

/** Local. Another handle of the same plan; NULL without memory. */
pf_handle *pf_handle_copy(const pf_handle *h);

/** Collective on call->comm. The plan of a call: a handle, or NULL for the original; *none: not for
 *  the original either, as its order of scrambled numbers differs from other plans of this
 *  length. */
void *pf_call_plan(const pf_call *call, int *none);

/* ---- the original ---- */

/** Local. A function of the original libraries; NULL if there is none. */
typedef void (*pf_function)(void);
pf_function pf_original(const char *name);

/** Local. As pf_original(), but ends the program if there is none. */
pf_function pf_original_must(const char *name);

/* Settings in the environment: PFFT3D_FFTW=off, all, verbose, separated by commas. */
typedef struct pf_mode {
  int off, all, verbose;
} pf_mode;
const pf_mode *pf_mode_get(void);

#endif
