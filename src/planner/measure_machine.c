/* SPDX-License-Identifier: BSD-3-Clause
 * Measures the figures of the model, in about a tenth of a second; for a small problem, which fits
 * the caches, in a hundredth and with memory of that size.
 *
 * All ranks do the same at the same time, as in a transform: links and memory are shared.  The
 * slowest rank counts, and rank 0 broadcasts the result, so that the figures are bitwise equal.
 * They are an attribute of the communicator, and shared with its duplicates: measured once, and
 * again for a larger problem. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "planner/planner.h"

/* ---- figures of a communicator ---- */

typedef struct known {
  pfft3d_machine machine;
  size_t memory; /* bytes that each rank measured with */
} known;

static int copy_known(MPI_Comm comm, int key, void *extra, void *from, void *to, int *flag) {
  known *copy = malloc(sizeof *copy);
  (void)comm, (void)key, (void)extra;
  *flag = copy != NULL;
  if (copy) *copy = *(known *)from;
  *(void **)to = copy;
  return MPI_SUCCESS;
}

static int forget_known(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)extra;
  free(value);
  return MPI_SUCCESS;
}

static int attribute_key(void) {
  static atomic_int created = MPI_KEYVAL_INVALID;
  return pf_attribute_key(&created, copy_known, forget_known);
}

/* ---- messages ---- */

enum { MESSAGES = 16, ROUNDS = 3, SMALL = 8 };
static const size_t most_memory = 32 << 20, least_memory = 2 << 20;
static const size_t node_bytes = 2 << 20; /* by all ranks of a node together */

/* Bytes of memory to measure with, for arrays of `bytes` on each rank. */
static size_t memory_for(double bytes) {
  return 4 * bytes <= (double)least_memory ? least_memory : most_memory;
}

/* Two distant ranks of a level, and the neighbours of this rank if all ranks of the level send at
 * once. */
typedef struct level {
  MPI_Comm comm;
  int pair[2], to, from;
  size_t bytes;
  char *out, *in;
} level;

/* The time of the slowest rank; infinite if the ranks cannot communicate. */
static double slowest(MPI_Comm comm, double seconds) {
  int code = MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return code == MPI_SUCCESS ? seconds : INFINITY;
}

/* Latency between the two ranks: half of a round trip. */
static double ping_pong(const level *l) {
  enum { WARM = 5, TIMES = 20 };
  int rank;
  double start = 0, seconds = 0;
  char byte[SMALL] = {0};
  MPI_Comm_rank(l->comm, &rank);
  for (int i = 0; i < WARM + TIMES; i++) {
    if (i == WARM) start = MPI_Wtime();
    for (int sender = 0; sender < 2; sender++) {
      if (rank == l->pair[sender]) MPI_Send(byte, SMALL, MPI_CHAR, l->pair[!sender], 0, l->comm);
      if (rank == l->pair[!sender])
        MPI_Recv(byte, SMALL, MPI_CHAR, l->pair[sender], 0, l->comm, MPI_STATUS_IGNORE);
    }
  }
  if (rank == l->pair[0] || rank == l->pair[1]) seconds = (MPI_Wtime() - start) / TIMES / 2;
  return slowest(l->comm, seconds);
}

static void begin(const level *l, size_t bytes, int count, MPI_Request *request) {
  for (int i = 0; i < 2 * count; i++) request[i] = MPI_REQUEST_NULL; /* if MPI fails to start one */
  for (int i = 0; i < count; i++)
    MPI_Irecv(l->in + (size_t)i * bytes, (int)bytes, MPI_CHAR, l->from, 1, l->comm, &request[i]);
  for (int i = 0; i < count; i++)
    MPI_Isend(l->out + (size_t)i * bytes, (int)bytes, MPI_CHAR, l->to, 1, l->comm,
              &request[count + i]);
}

/* All ranks send at once; for `work` seconds they compute meanwhile and make progress from time to
 * time.  The best of some rounds. */
static double all_send(const level *l, size_t bytes, int count, double work) {
  MPI_Request request[2 * MESSAGES];
  double best = INFINITY;
  for (int round = 0; round <= ROUNDS; round++) {
    MPI_Barrier(l->comm);
    double start = MPI_Wtime(), until = start;
    begin(l, bytes, count, request);
    while (work > 0 && MPI_Wtime() - start < work) {
      int ignored;
      until += work / 64;
      while (MPI_Wtime() < until) continue; /* a busy core */
      MPI_Iprobe(MPI_ANY_SOURCE, 2, l->comm, &ignored, MPI_STATUS_IGNORE);
    }
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): begin() has started them */
    MPI_Waitall(2 * count, request, MPI_STATUSES_IGNORE);
    double seconds = slowest(l->comm, MPI_Wtime() - start);
    if (round > 0 && seconds < best) best = seconds;
  }
  return best;
}

/* Measures start, latency and bandwidth of a level, and the overlap between nodes. */
static void probe_level(const level *l, int which, int sharing, pfft3d_machine *m) {
  double way = ping_pong(l), burst = all_send(l, SMALL, MESSAGES, 0);
  m->start[which] = burst / MESSAGES;
  m->latency[which] = way > m->start[which] ? way - m->start[which] : 0;
  double seconds = all_send(l, l->bytes, 1, 0), net = seconds - m->start[which] - m->latency[which];
  m->bandwidth[which] = (double)l->bytes / (net > seconds / 2 ? net : seconds);
  m->overlap[which] = 0; /* inside a node the ranks' cores copy the messages */
  if (!which) return;
  double both = all_send(l, l->bytes, 1, seconds), hidden = (2 * seconds - both) / seconds;
  m->overlap[which] = hidden < 0 ? 0 : hidden > 1 ? 1 : hidden;
  m->bandwidth[which] *= sharing;
}

/* ---- a single rank ---- */

static double copy_rate(MPI_Comm node, char *from, char *to, size_t bytes) {
  double best = INFINITY;
  for (int round = 0; round <= ROUNDS; round++) {
    MPI_Barrier(node);
    double start = MPI_Wtime();
    memcpy(to, from, bytes);
    double seconds = MPI_Wtime() - start;
    if (round > 0 && seconds < best) best = seconds;
  }
  return 2 * (double)bytes / best;
}

/* As copy_rate(), repeatedly for a quarter of the cache. */
static double cache_rate(MPI_Comm node, char *memory, size_t most) {
  enum { TIMES = 20 };
  size_t bytes = pf_cache_bytes() / 8;
  double best = INFINITY;
  if (2 * bytes > most) bytes = most / 2;
  for (int round = 0; round <= ROUNDS; round++) {
    MPI_Barrier(node);
    double start = MPI_Wtime();
    for (int k = 0; k < TIMES; k++)
      memcpy(memory + (k % 2 ? 0 : bytes), memory + (k % 2 ? bytes : 0), bytes);
    double seconds = MPI_Wtime() - start;
    if (round > 0 && seconds < best) best = seconds;
  }
  return 2 * TIMES * (double)bytes / best;
}

/* Flop rate of repeated transforms of 256 points in a tile; 0 if no engine supports them or memory
 * is exhausted: such a rank still takes part in the barriers. */
static double fft_rate(MPI_Comm node, char *memory, size_t bytes, pfft3d_error *e) {
  enum { N = 256, TIMES = 100 };
  pf_fft f;
  char *at[N];
  pf_fft_spec spec = {.engine = pf_engine_at(0), .n = N, .sign = -1};
  int made = spec.engine && !pf_fft_create(&f, &spec, 1, e);
  size_t row = made ? (size_t)f.width * pf_element(PFFT3D_DOUBLE) : 0;
  void *tile = made ? pf_alloc(f.bytes) : NULL;
  int ready = tile && row * N <= bytes;
  double best = INFINITY;
  if (ready) memset(memory, 0, row * N);
  for (int i = 0; i < N; i++) at[i] = memory + (size_t)i * row;
  pf_job job = {.from = {.at = at, .aligned = 1}, .to = {.at = at, .aligned = 1}, .scale = 1};
  for (int round = 0; round <= ROUNDS; round++) {
    MPI_Barrier(node);
    double start = MPI_Wtime();
    for (int k = 0; k < TIMES && ready; k++) pf_fft_run(&f, tile, &job);
    double seconds = MPI_Wtime() - start;
    if (round > 0 && seconds < best) best = seconds;
  }
  double flops = ready ? 5.0 * N * log2(N) * (double)f.width * TIMES : 0;
  if (made) pf_fft_destroy(&f);
  pf_free(tile);
  return flops / best;
}

/* ---- all figures ---- */

/* Ranks send to their neighbour on the node, and to their counterpart on the next node: the ranks
 * of `comm` are in the order of nodes. */
static void probe_all(MPI_Comm comm, MPI_Comm node, char *memory, size_t bytes, pfft3d_machine *m,
                      pfft3d_error *e) {
  int node_ranks = m->node_ranks, rank, ranks, index, there;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(node, &index);
  MPI_Comm_size(node, &there);
  m->memory = copy_rate(node, memory, memory + bytes / 2, bytes / 2);
  m->flops = fft_rate(node, memory, bytes, e);
  m->cache = (double)pf_cache_bytes();
  m->cached = cache_rate(node, memory, bytes);
  if (m->cached < m->memory) m->cached = m->memory;
  level inside = {.comm = node,
                  .pair = {0, there - 1},
                  .to = (index + 1) % there,
                  .from = (index + there - 1) % there,
                  .bytes = bytes / 4, /* beyond the caches, as fields are */
                  .out = memory,
                  .in = memory + bytes / 2};
  if (there > 1) probe_level(&inside, 0, 1, m);
  level between = inside;
  between.comm = comm;
  between.pair[1] = ranks - 1;
  between.to = (rank + node_ranks) % ranks;
  between.from = (rank + ranks - node_ranks) % ranks;
  between.bytes = node_bytes / (size_t)node_ranks;
  if (between.bytes < 64 * 1024) between.bytes = 64 * 1024;
  if (between.bytes > bytes / 2) between.bytes = bytes / 2;
  if (ranks > node_ranks) probe_level(&between, 1, node_ranks, m);
}

/* Shares the figures of the slowest rank. */
static int share(MPI_Comm comm, pfft3d_machine *m, pfft3d_error *e) {
  double *figure[] = {&m->memory, &m->flops, &m->bandwidth[0], &m->cache, &m->cached};
  for (int k = 0; k < 5; k++) {
    double least = *figure[k] > 0 ? *figure[k] : INFINITY;
    pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, comm), "MPI_Allreduce");
    *figure[k] = isfinite(least) ? least : 0;
  }
  pf_mpi(e, MPI_Bcast(m, (int)sizeof *m, MPI_BYTE, 0, comm), "MPI_Bcast");
  return pf_agree(comm, e);
}

/* The ranks of a node, and all ranks node by node, in any distribution of ranks. */
static void group(MPI_Comm comm, int node_ranks, MPI_Comm *node, MPI_Comm *by_node,
                  pfft3d_error *e) {
  int rank, first;
  MPI_Comm_rank(comm, &rank);
  int code = node_ranks
                 ? MPI_Comm_split(comm, rank / node_ranks, rank, node)
                 : MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, node);
  first = rank;
  if (code == MPI_SUCCESS) code = MPI_Bcast(&first, 1, MPI_INT, 0, *node);
  pf_mpi(e, code, "MPI_Comm_split");
  if (!pf_agree(comm, e)) pf_mpi(e, MPI_Comm_split(comm, 0, first, by_node), "MPI_Comm_split");
}

static int probe(MPI_Comm comm, int node_ranks, size_t bytes, pfft3d_machine *m, pfft3d_error *e) {
  MPI_Comm node = MPI_COMM_NULL, by_node = MPI_COMM_NULL;
  int most;
  group(comm, node_ranks, &node, &by_node, e);
  char *memory = pf_alloc(bytes);
  if (!memory) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory to measure the machine with");
  if (!pf_agree(comm, e)) {
    pfft3d_error none = {0};
    MPI_Comm_size(node, &most);
    pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    *m = (pfft3d_machine){.node_ranks = most};
    probe_all(by_node, node, memory, bytes, m, &none);
    share(comm, m, e);
  }
  pf_free(memory);
  if (node != MPI_COMM_NULL) MPI_Comm_free(&node);
  if (by_node != MPI_COMM_NULL) MPI_Comm_free(&by_node);
  return e->status;
}

static void remember(MPI_Comm owner, const known *k) {
  known *copy = malloc(sizeof *copy);
  if (!copy) return; /* measured again next time */
  *copy = *k;
  if (MPI_Comm_set_attr(owner, attribute_key(), copy) != MPI_SUCCESS) free(copy);
}

int pf_machine_know(MPI_Comm comm, MPI_Comm owner, int node_ranks, double bytes, pfft3d_machine *m,
                    pfft3d_error *e) {
  known found;
  size_t memory = memory_for(bytes);
  void *value;
  int there = 0;
  MPI_Comm_get_attr(owner, attribute_key(), &value, &there);
  if (there) found = *(known *)value;
  /* measured for these nodes, with as much memory */
  if (there)
    there = (!node_ranks || found.machine.node_ranks == node_ranks) && found.memory >= memory;
  PF_TRY(
      pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce"));
  if (!there) {
    found.memory = memory;
    PF_TRY(probe(comm, node_ranks, memory, &found.machine, e));
    remember(owner, &found);
  }
  pf_machine_fill(m, &found.machine);
  return PFFT3D_OK;
}

int pfft3d_machine_measure(MPI_Comm comm, pfft3d_machine *m, pfft3d_error *error) {
  pfft3d_error e = {0};
  MPI_Comm own;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  int code = MPI_Comm_dup(comm, &own);
  if (code != MPI_SUCCESS) {
    pf_fail_mpi(&e, code, "MPI_Comm_dup");
  } else {
    pf_errors_return(own);
    if (!m) pf_fail(&e, PFFT3D_ERR_USAGE, "machine: is NULL");
    if (!pf_agree(own, &e) && m) pf_machine_know(own, comm, 0, INFINITY, m, &e);
    MPI_Comm_free(&own);
  }
  return pf_error_out(&e, error);
}

int pfft3d_machine_measure_f(const pfft3d_fint *comm, pfft3d_machine *m, pfft3d_error *error) {
  return pfft3d_machine_measure(pf_comm_f(comm), m, error);
}
