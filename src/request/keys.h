/* SPDX-License-Identifier: BSD-3-Clause
 * All that a request says, as one table: texts, the agreement of ranks and the questions of wisdom
 * are made from it. */
#ifndef PF_REQUEST_KEYS_H
#define PF_REQUEST_KEYS_H

#include "request/request.h"

enum { PF_VALUE = 512 }; /* bytes of a printed value */

/* The texts that contain a key. */
enum {
  PF_KEY_PROBLEM = 1,  /* printed as part of the problem */
  PF_KEY_DECISION = 2, /* part of decisions, too */
  PF_KEY_HIDDEN = 4,   /* for tests: not listed */
  PF_KEY_ASK = 8       /* answers of wisdom depend on it, besides the problem and the decision */
};

#define PF_KEY_FLAG "no|yes" /* the valid words of a key that can be given without a value */

typedef struct pf_key pf_key;
struct pf_key {
  const char *name, *alias;
  int (*read)(const pf_key *k, const char *value, pfft3d_request *r,
              pfft3d_error *e); /* NULL: set by a function, no word of a text */
  void (*print)(const pf_key *k, const pfft3d_request *r, char out[PF_VALUE]); /* "": not set */
  const char *valid; /* words of a choice, "c2c|r2c"; else the form of a value */
  size_t offset;
  long long least, most; /* bounds of numbers; for names, least is their pfft3d_list */
  int flags;
  int count;    /* of numbers, joined by "x" */
  size_t bytes; /* of each: an int or a ptrdiff_t */
};

/* The last one has no name. */
extern const pf_key pf_keys[];

/** Local. Writes what answers of wisdom depend on and differs from the defaults, " key=value" each,
 * or, if this is longer than a line of wisdom may be, its hash. */
void pf_keys_question(const pfft3d_request *r, char *out, size_t size);

/** Collective on comm. Fails, with the first key that differs, unless the request is the same on
 * all ranks; *e may have a failure of this rank.  Errors, agreed: INTERNAL. */
int pf_keys_agree(MPI_Comm comm, const pfft3d_request *r, pfft3d_error *e);

#endif
