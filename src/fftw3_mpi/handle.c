/* SPDX-License-Identifier: BSD-3-Clause
 * The handles that the program uses as plans.  They are elements of a few large blocks, so that the
 * address alone distinguishes them from the original's plans: programs execute small plans of the
 * serial FFTW through the same functions, millions of times. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "fftw3_mpi/call.h"

enum { BLOCKS = 64, EACH = 1024 };
static pf_handle *block[BLOCKS], *spare;
static int blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Adds a block of free handles. */
static void grow(void) {
  pf_handle *more = blocks < BLOCKS ? calloc(EACH, sizeof *more) : NULL;
  if (!more) return;
  for (int k = 0; k < EACH; k++) {
    more[k].next = spare;
    spare = &more[k];
  }
  block[blocks] = more;
  __atomic_store_n(&blocks, blocks + 1, __ATOMIC_RELEASE);
}

pf_handle *pf_handle_create(void) {
  pthread_mutex_lock(&lock);
  if (!spare) grow();
  pf_handle *h = spare;
  if (h) spare = h->next;
  pthread_mutex_unlock(&lock);
  if (h) *h = (pf_handle){.next = NULL};
  return h;
}

pf_handle *pf_handle_copy(const pf_handle *from) {
  pf_handle *h = pf_handle_create();
  if (!h) return NULL;
  *h = *from;
  pf_cache_share(h->kept);
  return h;
}

void pf_handle_flops(const pf_handle *h, double *add, double *mul, double *fma) {
  *add = *mul = h->flops / 2;
  *fma = 0;
}

double pf_handle_cost(const pf_handle *h) {
  return h->flops / h->ranks;
}

void pf_handle_destroy(pf_handle *h) {
  if (h->kept) pf_cache_release(h->kept);
  pthread_mutex_lock(&lock);
  *h = (pf_handle){.next = spare};
  spare = h;
  pthread_mutex_unlock(&lock);
}

int pf_handle_ours(const void *plan) {
  int count = __atomic_load_n(&blocks, __ATOMIC_ACQUIRE);
  for (int k = 0; k < count; k++)
    if ((const pf_handle *)plan >= block[k] && (const pf_handle *)plan < block[k] + EACH) return 1;
  return 0;
}

void pf_handle_execute(const pf_handle *h, void *in, void *out) {
  int status = pf_cache_execute(h->kept, h->direction, in, out);
  if (!status) return;
  fprintf(stderr, "pfft3d: fftw_execute: %s\n", pfft3d_status_name(status));
  abort(); /* FFTW's function returns no status, and the results are wrong */
}
