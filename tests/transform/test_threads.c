/* ranks: 1 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * What pfft3d.h promises to threads: each with a communicator of its own makes, runs and destroys
 * plans while others do, also the first ones that measure the machine; requests are made and set at
 * the same time. */
#include <pfft3d_tune.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 5 };

typedef struct worker {
  MPI_Comm comm;
  int rank, number;
  long wrong; /* counted here: the counters of check.h are for one thread */
  char text[320];
} worker;

static void note(worker *w, int wrong, const char *text) {
  if (!wrong) return;
  if (!w->wrong++) snprintf(w->text, sizeof w->text, "%s", text);
}

/* A constant field has a spectrum of one peak. */
static void transform(worker *w, const char *problem, double peak) {
  pfft3d_plan *plan = NULL;
  pfft3d_error e;
  void *array = NULL;
  if (pfft3d_plan_create_text(w->comm, problem, &plan, &e) || pfft3d_alloc(plan, &array, &e)) {
    note(w, 1, e.text);
  } else {
    double *u = array;
    for (size_t i = 0; i < 2 * pfft3d_plan_elements(plan, PFFT3D_SPACE); i++) u[i] = i % 2 == 0;
    note(w, pfft3d_execute(plan, PFFT3D_FORWARD, u, u), "a transform failed");
    note(w, w->rank == 0 && (u[0] != peak || u[1] != 0), "the peak is wrong");
  }
  pfft3d_plan_destroy(&plan);
}

/* A request of this thread, whatever others do with theirs. */
static void set_request(worker *w, int threads) {
  pfft3d_request *r = NULL;
  char text[100], want[100];
  snprintf(want, sizeof want, "c2c:d:8x4 threads=%d", threads);
  note(w, pfft3d_request_create(&r, NULL) || pfft3d_request_parse(r, want, NULL), "a request");
  note(w, !r || strcmp(pfft3d_request_print(r, text, sizeof text), want), "another request");
  pfft3d_request_destroy(&r);
}

static void *work(void *context) {
  worker *w = context;
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < 2000; k++) set_request(w, 2 + w->number);
    pfft3d_on_progress(NULL);
    transform(w, "c2c:d:8x8x8", 512);
    transform(w, "c2c:d:12x10x6 exchange=packed decomp=pencil", 720);
    transform(w, "c2c:d:64", 64);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, rank;
  worker w[THREADS];
  pthread_t thread[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (provided < MPI_THREAD_MULTIPLE) {
    if (rank == 0) printf("this MPI has no MPI_THREAD_MULTIPLE\n");
    MPI_Finalize();
    return 77;
  }
  for (int k = 0; k < THREADS; k++) {
    memset(&w[k], 0, sizeof w[k]);
    w[k].rank = rank;
    w[k].number = k;
    MPI_Comm_dup(MPI_COMM_WORLD, &w[k].comm);
  }
  for (int k = 0; k < THREADS; k++)
    CHECK(!pthread_create(&thread[k], NULL, work, &w[k]), "thread %d", k);
  for (int k = 0; k < THREADS; k++) {
    CHECK(!pthread_join(thread[k], NULL), "thread %d", k);
    CHECK(!w[k].wrong, "thread %d: %ld, first: %s", k, w[k].wrong, w[k].text);
    MPI_Comm_free(&w[k].comm);
  }
  return check_result();
}
