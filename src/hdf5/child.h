/* SPDX-License-Identifier: BSD-3-Clause
 * The protocol between a rank and the process that inspects a file for it.
 *
 * HDF5 is not safe against crafted files, so ranks do not open inputs with it: a child process
 * does, which may crash, loop or exhaust its memory without harm.  The request is one struct on its
 * standard input.  A reply on its standard output is a byte that names the type, and the content.
 * The rank trusts no reply: it checks each one. */
#ifndef PF_HDF5_CHILD_H
#define PF_HDF5_CHILD_H

#include "hdf5/inspect.h"

typedef enum pf_child_task { PF_TASK_INSPECT, PF_TASK_ATTRIBUTES, PF_TASK_READ } pf_child_task;

typedef struct pf_child_request {
  char version[32]; /* version of the caller; with the size: both sides must be of the same build */
  size_t bytes;     /* bytes of this struct */
  pf_child_task task;
  pf_dataset d; /* INSPECT: file and path; else the result of INSPECT */
  /* READ: the box, and the format of its numbers */
  pfft3d_precision precision;
  pfft3d_numbers numbers;
  pf_io_box box;
  size_t round_bytes;
} pf_child_request;

/* The types of replies. */
enum {
  PF_REPLY_ERROR = 'E',      /* pfft3d_error; the last reply */
  PF_REPLY_DATASET = 'F',    /* to INSPECT: pf_dataset */
  PF_REPLY_ATTRIBUTES = 'I', /* to ATTRIBUTES: size_t, and as many bytes */
  PF_REPLY_DATA = 'P'        /* to READ: the elements of the next round */
};

/* Seconds for a reply; seconds of a processor for it, more for READ.  The child limits itself to
 * the latter, and to this much memory beyond its initial memory. */
enum {
  PF_CHILD_WAIT_SECONDS = 600,
  PF_CHILD_SECONDS = 10,
  PF_CHILD_READ_SECONDS = 60,
  PF_CHILD_READ_BYTES = 1 << 26
};
static const long long pf_child_memory = 2LL << 30;

/* The first word of the command line of the child. */
#define PF_CHILD_WORD "probe-input"

/** Local. Serves one request and exits. */
void pf_child_main(void) __attribute__((noreturn));

#endif
