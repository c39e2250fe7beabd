/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d: distributed-memory parallel FFTs.  This is the only installed header.
 *
 * A field is a global array n0 x n1 x n2 in C order (axis 2 contiguous).  Every rank of a
 * communicator holds one box of it; pfft3d_plan_box() says which.  A forward transform takes the
 * field from the side PFFT3D_SPACE to the side PFFT3D_SPECTRUM, a backward transform takes it back:
 *
 *     forward   F[k] = scale[0] * sum_j f[j] exp(-2 pi i j.k/n)
 *     backward  f[j] = scale[1] * sum_k F[k] exp(+2 pi i j.k/n)
 *
 * Of a real field (kind r2c) the spectrum is kept for k2 = 0 .. n2/2 only, an array n0 x n1 x
 * (n2/2+1): the rest follows from F[-k] = conj F[k].  Its backward transform is c2r: it takes such
 * a half to a real field, and ignores what a spectrum of a real field cannot have (imaginary parts
 * in rows of k2 = 0 and n2/2 once axes 0 and 1 are done).
 *
 * The library never prints, never aborts and has no global state but the names of the files that
 * are being written (pfft3d_remove_temporary()) and whom to tell that it moves on
 * (pfft3d_on_progress()).  Every function that can fail returns a
 * pfft3d_status; "Collective" functions must be called by all ranks of the communicator with the
 * same arguments (except arrays) and return the same status on all of them.  "Local" functions
 * involve the calling rank only.  FFTW's planner is the one process-wide thing behind it: plans are
 * made under a lock of this library, which cannot see FFTW calls of other code.
 */
#ifndef PFFT3D_H
#define PFFT3D_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Status of a call; also the exit code of the program, hence the range 64 to 79. */
typedef enum pfft3d_status {
  PFFT3D_OK = 0,
  PFFT3D_ERR_USAGE = 64,       /* an argument is out of range or unknown */
  PFFT3D_ERR_DATA = 65,        /* input data or format not acceptable */
  PFFT3D_ERR_NOINPUT = 66,     /* input cannot be opened */
  PFFT3D_ERR_UNAVAILABLE = 69, /* this build or environment cannot do it */
  PFFT3D_ERR_INTERNAL = 70,    /* an MPI call failed, ranks disagree, or a bug */
  PFFT3D_ERR_MEMORY = 71,      /* out of memory */
  PFFT3D_ERR_OUTPUT = 73,      /* output cannot be created or reserved */
  PFFT3D_ERR_IO = 74,          /* reading or writing failed */
  PFFT3D_ERR_SIGNAL = 75,      /* stopped by a signal (program only) */
  PFFT3D_ERR_CHECK = 76,       /* a check of the numbers failed (program only) */
  PFFT3D_ERR_PERMISSION = 77,  /* not permitted */
  PFFT3D_ERR_WISDOM = 78,      /* wisdom required but unusable */
  PFFT3D_ERR_WATCHDOG = 79     /* no progress (program only) */
} pfft3d_status;

/* What went wrong, where.  Filled identically on all ranks by collective functions; every function
 * accepts NULL in its place.  `text` is one line "what: why", `hint` one line or empty. */
typedef struct pfft3d_error {
  int status;      /* a pfft3d_status */
  int rank, ranks; /* the rank that speaks, of so many */
  int others;      /* how many other ranks failed too */
  char host[64];   /* its host */
  char text[320];
  char hint[200];
} pfft3d_error;

/* Local.  A short name of a status, never NULL: "out of memory". */
const char *pfft3d_status_name(int status);

/* Local.  The version of the library, "1.2.3". */
const char *pfft3d_version(void);

/* Local.  One fact about this build by key, or NULL for an unknown key.  Keys: "fftw", "hdf5",
 * "openmp", "compiler", "flags", "isa".  A part that was left out answers "no". */
const char *pfft3d_build(const char *key);

/* Local.  Names registered in this build, in order of registration; NULL past the end.
 * *summary (may be NULL) gets one line about the entry. */
typedef enum pfft3d_list {
  PFFT3D_EXCHANGES,
  PFFT3D_ENGINES,
  PFFT3D_SCHEMES, /* decompositions of fields */
  PFFT3D_METHODS  /* for lines */
} pfft3d_list;
const char *pfft3d_list_name(pfft3d_list list, int index, const char **summary);

/* ---- Problems and decisions -------------------------------------------------------------- */

typedef enum pfft3d_kind { PFFT3D_C2C, PFFT3D_R2C } pfft3d_kind;
typedef enum pfft3d_precision { PFFT3D_DOUBLE, PFFT3D_SINGLE } pfft3d_precision;
typedef enum pfft3d_direction { PFFT3D_FORWARD, PFFT3D_BACKWARD } pfft3d_direction;
typedef enum pfft3d_side { PFFT3D_SPACE, PFFT3D_SPECTRUM } pfft3d_side;
/* Order of the spectrum: natural, distributed and stored like the field; or transposed, stored
 * [i1][i0][i2] and distributed as it comes, which saves exchanges: slabs are then cut along axis 1,
 * pencils along axis 1 by the first number of the grid and along axis 2 by the second.  Of a line,
 * transposed means scrambled: as it comes; pfft3d_line_global_index() tells. */
typedef enum pfft3d_order { PFFT3D_TRANSPOSED, PFFT3D_NATURAL } pfft3d_order;

/* What to compute.  Written "c2c:d:512x512x512", with r2c for real fields, s for d in single
 * precision, and "*8" behind the sizes for a batch of eight. */
typedef struct pfft3d_problem {
  pfft3d_kind kind;
  pfft3d_precision precision;
  ptrdiff_t n[3];  /* of the field, each >= 1; one and two dimensions have leading ones */
  ptrdiff_t batch; /* fields that are transformed together; 0 means 1 */
} pfft3d_problem;

/* How to compute it.  Written "slab algo=pencils engine=fftw order=transposed" or "pencil grid=4x2
 * algo=slabs chunk=65536 ...".  Any of the names may be "auto" in a request, none is in a plan.
 *
 * Slabs cut the field along axis 0 (along axis 1 where n0 is 1) into as many parts as there are
 * ranks.  Pencils cut axis 0 into grid[0] parts and axis 1 into grid[1]; rank c0 * grid[1] + c1
 * holds part (c0, c1); ranks beyond grid[0] * grid[1] are idle.  Where ranks have been dealt out to
 * nodes in turn, fields are given to them node by node: pfft3d_plan_box() says who holds what. */
typedef struct pfft3d_decision {
  char scheme[16]; /* decomposition: a name of PFFT3D_SCHEMES */
  int grid[2];     /* the ranks as a grid; 0 x 0: as the scheme likes; in a plan as it is */
  char algo[16];   /* exchange: a name of PFFT3D_EXCHANGES */
  char engine[16]; /* a name of PFFT3D_ENGINES */
  pfft3d_order order;
  ptrdiff_t split[2]; /* of a line: it is worked on as an array split[0] x split[1]; 0 x 0: as the
                         planner likes */
  ptrdiff_t chunk;    /* bytes that each message of rows holds at least, of exchanges that send more
                         than one row of a plane at once; 0: as the exchange likes */
} pfft3d_decision;

/* One dimension, a line of N points over P ranks: request.line is set, the problem has the sizes
 * 1 x 1 x N, and the scheme is one of PFFT3D_METHODS: "transpose split=4096x4096 algo=slabs ...".
 *
 * How the elements of a side are dealt out to the ranks: in blocks of neighbours, the first N mod P
 * ranks holding one more; or in turn, element j on rank j mod P at place j / P. */
typedef enum pfft3d_distribution { PFFT3D_BLOCK, PFFT3D_CYCLIC } pfft3d_distribution;

/* Local.  Strings to structs and back.  parse: PFFT3D_ERR_USAGE with the valid choices in
 * *error; parts that a decision string leaves out stay as they are in *d.  print: writes at most
 * `size` bytes with the final 0 and returns `out`.  "alltoall" is read as packed, "slab" as slabs
 * and "pencil" as pencils where an exchange is named. */
int pfft3d_problem_parse(const char *text, pfft3d_problem *p, pfft3d_error *error);
char *pfft3d_problem_print(const pfft3d_problem *p, char *out, size_t size);
int pfft3d_decision_parse(const char *text, pfft3d_decision *d, pfft3d_error *error);
char *pfft3d_decision_print(const pfft3d_decision *d, char *out, size_t size);

/* How the caller's array of one side lies in memory, where it is more than its box: rows and planes
 * with ghost cells or padding around them, elements that are components of vectors.  All zero: the
 * box and nothing else, one field of a batch behind the other.  What lies around and between is
 * never read or written. */
typedef struct pfft3d_array {
  ptrdiff_t below[3], above[3]; /* further elements along each axis before and behind the box */
  ptrdiff_t every;              /* from an element to the next along the fastest axis; 0 means 1 */
  ptrdiff_t distance; /* from a field of a batch to the next; 0: behind each other, as many
                         bytes apart on both sides as the larger one takes */
} pfft3d_array;

/* A machine, as the planner's model sees it: what a message and a byte cost, [0] between ranks of a
 * node and [1] between nodes, and what a rank does by itself.  Of a request, what is 0 is measured
 * by pfft3d_plan_create(), once for each communicator; in a dry run it is what
 * pfft3d_machine_init() says. */
typedef struct pfft3d_machine {
  char name[64];       /* "" where it was measured */
  int node_ranks;      /* ranks of a node; 0: as found, in a dry run 1 */
  double start[2];     /* a: seconds that each message keeps its sender and its receiver busy */
  double latency[2];   /* seconds on its way, once for all messages of an exchange */
  double bandwidth[2]; /* 1/b, while all ranks send: bytes/s out of a rank, and out of a node */
  double overlap[2]; /* of what is on its way, the part that goes on while ranks compute: 0 to 1 */
  double memory;     /* bytes/s of a rank, read and written, while all of a node do the same */
  double flops;      /* flop/s of a rank in its cache */
  int group;         /* so many nodes reach each other at full bandwidth (0: all of them), */
  double taper;      /* and those beyond at this share of it; 0 means 1 */
} pfft3d_machine;

/* Wisdom: which decisions were found best; an object of the caller. */
typedef struct pfft3d_wisdom pfft3d_wisdom;

/* Everything a plan is made from. */
typedef struct pfft3d_request {
  pfft3d_problem problem;
  pfft3d_decision decision; /* what is wished for */
  int line;                 /* one dimension */
  pfft3d_distribution
      layout[2];          /* of a line, by pfft3d_side; that of the spectrum in natural order */
  pfft3d_array array[2];  /* by pfft3d_side */
  int padded;             /* r2c: rows of the real field are padded to 2 (n2/2+1), as for FFTW in
                             place (same as array[PFFT3D_SPACE].above[2]) */
  double scale[2];        /* factor on the result of forward and backward */
  pfft3d_precision wire;  /* of a problem in double precision: of numbers on their way between
                             ranks; 0: as they are.  PFFT3D_SINGLE: messages, and the buffers
                             for them, are half as large, and every exchange rounds what all
                             ranks hold, own rows too, to 24 bits (pfft3d_stats.wire) */
  int deterministic;      /* the same bits for every exchange and number of ranks: estimated FFTW
                             plans, axes in a fixed order */
  int threads;            /* OpenMP threads of each rank; any number gives the same bits */
  pfft3d_machine machine; /* what "auto" reckons with */
  double plan_budget;     /* seconds that timing the best candidates may take where "auto" leaves a
                             choice; 0: the model decides alone */
  const pfft3d_wisdom *wisdom; /* asked first where "auto" leaves a choice, on rank 0; or NULL */
  int wisdom_required;         /* an error (WISDOM) where "auto" leaves a choice and wisdom knows no
                                  answer */
  int node_ranks;      /* so many neighbouring ranks are taken for a node, the last one may have
                          fewer; each must lie inside a real one where exchange `node` stores into
                          memory that its ranks share.  0: as found; a dry run then takes 1 */
  ptrdiff_t max_count; /* the largest count given to one MPI call; 0: INT_MAX, what MPI takes.
                          Smaller ones let tests see what large arrays do. */
} pfft3d_request;

/* Local.  A request with kind c2c, double, 1 x 1 x 1, one field, everything auto, transposed,
 * plain arrays, scales 1, one thread, a machine to be measured, no time for plans, no wisdom. */
void pfft3d_request_init(pfft3d_request *r);

/* Local.  A cluster of today, one rank on a node: 2 microseconds and 12.5 GB/s between nodes. */
void pfft3d_machine_init(pfft3d_machine *m);

/* Local.  Reads a description: lines "name value..." as in data/machines; what a file leaves out
 * stays as it is in *m.  Errors: NOINPUT, DATA (with the line). */
int pfft3d_machine_read(const char *file, pfft3d_machine *m, pfft3d_error *error);

/* Collective on comm.  Fills in what is 0 in *m, the same on all ranks, by a short ping-pong, small
 * all-to-alls and passes over memory, in about 0.1 s (of the numbers of a kind of link all that are
 * 0, if all are, else the bandwidth only); a communicator is measured once and keeps what was found
 * as an attribute.  Errors: MEMORY, INTERNAL. */
int pfft3d_machine_measure(MPI_Comm comm, pfft3d_machine *m, pfft3d_error *error);

/* ---- Layouts ------------------------------------------------------------------------------ */

/* The part of the global array that a rank holds, and where its elements lie: global element
 * (i0,i1,i2) of field b of a batch is at offset + b * distance + sum_a (i_a - lo[a]) * stride[a],
 * in elements: real numbers on the side PFFT3D_SPACE of kind r2c, else complex ones.  An idle rank
 * has len 0 along some axis. */
typedef struct pfft3d_box {
  ptrdiff_t lo[3], len[3], stride[3];
  ptrdiff_t offset, distance;
} pfft3d_box;

/* ---- Plans -------------------------------------------------------------------------------- */

typedef struct pfft3d_plan pfft3d_plan;

/* Collective on comm.  Makes a plan for both directions, with all its buffers; the communicator is
 * duplicated and can be freed afterwards.  Any number of ranks, any sizes >= 1, intra-communicators
 * only.  More than one thread takes MPI_THREAD_FUNNELED: all MPI calls are made by the calling
 * thread. FFTW measures on small private buffers, on rank 0, whose choice all ranks share. Errors:
 * USAGE, UNAVAILABLE, MEMORY (bytes needed and available in the text, found before allocating),
 * INTERNAL.  On error *plan is NULL. */
int pfft3d_plan_create(MPI_Comm comm, const pfft3d_request *request, pfft3d_plan **plan,
                       pfft3d_error *error);

/* Collective.  Frees the plan and sets *plan to NULL; *plan may be NULL on all ranks.  Arrays from
 * pfft3d_alloc() must be freed before. */
void pfft3d_plan_destroy(pfft3d_plan **plan);

/* Collective.  Transforms the local box `in` (PFFT3D_SPACE for forward, PFFT3D_SPECTRUM for
 * backward) into the local box `out` of the other side: doubles or floats, as the problem's
 * precision says, complex numbers as pairs (re, im), laid out as pfft3d_plan_box() says.  `in` is
 * not changed unless in == out; other overlap is not allowed.  A rank with an empty box may pass
 * NULL.  In place, the array must hold the larger of both sides (pfft3d_plan_bytes()); rows of real
 * fields need no padding for it.  Never allocates, never reduces a
 * status.  Errors: USAGE (in and out overlap, or a needed array is NULL; found before any
 * communication, on this rank alone), INTERNAL (an MPI call failed; the communicator is then
 * unusable).
 * Source: slab transpose FFT with the three granularities of Bell, Bonachea, Nishtala and Yelick,
 * IPDPS 2006. */
int pfft3d_execute(pfft3d_plan *plan, pfft3d_direction direction, const void *in, void *out);

/* Collective.  A backward transform behind a Fourier multiplier: element (k0, k1, k2) of the
 * spectrum counts multiplier[0][k0] * multiplier[1][k1] * multiplier[2][k2] times, as in the
 * evolution of a diffusion equation, a Gaussian filter or a truncation.  multiplier[a] holds as
 * many numbers as the spectrum has along axis a (pfft3d_problem_extents()), by global index in
 * every order, the same on all ranks; it is the caller's.  The numbers are multiplied in the cache,
 * on their way into the first pass: `in` is read as it is, and memory is crossed no more often than
 * by pfft3d_execute(), to which everything else is alike.  Of a batch, all fields get the same.
 * Errors: USAGE also where one of the three is NULL and of plans for lines. */
int pfft3d_execute_multiplier(pfft3d_plan *plan, const double *const multiplier[3], const void *in,
                              void *out);

/* Local.  The box of any rank on a side; the number of elements this rank's array must hold to
 * serve a side (never 0, so that it can be passed to an allocator). */
int pfft3d_plan_box(const pfft3d_plan *plan, pfft3d_side side, int rank, pfft3d_box *box);
size_t pfft3d_plan_elements(const pfft3d_plan *plan, pfft3d_side side);

/* Local.  Bytes of an array of this rank that serves both sides, never 0; bytes of an element of a
 * side. */
size_t pfft3d_plan_bytes(const pfft3d_plan *plan);
size_t pfft3d_element_bytes(const pfft3d_problem *p, pfft3d_side side);

/* Local.  Extents of the global array on a side: n, but n0 x n1 x (n2/2+1) in the spectrum of a
 * real field. */
void pfft3d_problem_extents(const pfft3d_problem *p, pfft3d_side side, ptrdiff_t n[3]);

/* Local.  The global index of element i of the array of a rank, of a plan for a line: for any
 * layout and order.  -1 where rank or i is out of range; box.len[2] of pfft3d_plan_box() is the
 * number of elements, and box.lo[2] the first one of a block.  In scrambled order, with the split
 * n1 x n2 and the rank's part lo, len of n1 (cut evenly), element i is
 * k = lo + i mod len + n1 (i / len); with r2c, the k that exist are those <= N/2. */
ptrdiff_t pfft3d_line_global_index(const pfft3d_plan *plan, pfft3d_side side, int rank,
                                   ptrdiff_t i);

/* Local.  What was decided, nothing left "auto"; and why, in words, "" where nothing was "auto":
 * valid as long as the plan. */
void pfft3d_plan_decision(const pfft3d_plan *plan, pfft3d_decision *d);
const char *pfft3d_plan_reason(const pfft3d_plan *plan);

/* Local.  Who made the decision of a plan: the request, which left nothing open; the model; the clock,
 * by timing what the model finds close; or wisdom. */
typedef enum pfft3d_decided_by {
  PFFT3D_BY_REQUEST,
  PFFT3D_BY_MODEL,
  PFFT3D_BY_TIMING,
  PFFT3D_BY_WISDOM
} pfft3d_decided_by;
pfft3d_decided_by pfft3d_plan_decided_by(const pfft3d_plan *plan);

/* Collective.  An array that can serve both sides, also in place; best alignment, huge pages where
 * they can be had; contents undefined.  Owned by the caller until pfft3d_free() (collective, NULL
 * is allowed on all ranks).  Errors: MEMORY. */
int pfft3d_alloc(pfft3d_plan *plan, void **array, pfft3d_error *error);
void pfft3d_free(pfft3d_plan *plan, void *array);

/* One of the times that a transform goes through memory, or two while planes do not fit the cache.
 */
enum { PFFT3D_STAGES = 16 };
typedef struct pfft3d_stage_stats {
  char axes[4];   /* transformed, in their order: "21"; empty where data is only moved */
  double seconds; /* without what the exchanges took */
  double bytes;   /* read from and written to buffers that live outside the cache */
  double wire_error2, wire_norm2; /* of what was rounded on its way to the next exchange: sums of
                                     |x - float(x)|^2 and of |x|^2; both 0 where nothing was */
} pfft3d_stage_stats;

/* What this rank did in its executions of one direction since the last reset.  Seconds. */
typedef struct pfft3d_stats {
  long executions;
  double total_s;   /* whole calls */
  double fft_s;     /* passes: gather, transform, scatter */
  double post_s;    /* starting messages and driving progress between tiles */
  double wait_s;    /* blocked for data or for completion of sends */
  double messages;  /* messages sent to other ranks, counted as they were sent */
  double bytes;     /* bytes in them */
  double bytes_min; /* the smallest and the largest message; 0 where none was sent */
  double bytes_max;
  double traffic; /* bytes read from and written to buffers that live outside the cache */
  int exchanges;  /* per transform */
  double passes;  /* over memory outside the cache per transform, exchanges included: counted as
                     traffic over twice the local array */
  int stages;     /* per transform; their sums over all executions: */
  pfft3d_stage_stats stage[PFFT3D_STAGES];
  pfft3d_precision wire; /* of numbers between ranks, as it came to be: where nothing is sent
                            (exchange shared, one rank) and by method butterfly, that of the
                            problem.  The relative error (L2) that rounding caused in the results
                            is the root of the sum over all stages of wire_error2 / wire_norm2,
                            both added up over all ranks first: what follows a stage is unitary up
                            to a factor.  Where a number was too large for a float, wire_error2 is
                            infinite. */
  size_t work_bytes;     /* buffers of the plan */
} pfft3d_stats;

/* Local.  reset != 0: counters start again after being copied. */
int pfft3d_plan_stats(pfft3d_plan *plan, pfft3d_direction direction, int reset,
                      pfft3d_stats *stats);

/* Collective.  Seconds (this rank's) of a part of a transform by itself: all passes with every
 * exchange left out, or an MPI_Alltoall of the bytes that the exchanges move.  Destroys `out`;
 * needs the same arrays as pfft3d_execute().  Errors: MEMORY, for two more arrays; UNAVAILABLE,
 * where a rank's elements are more than one MPI_Alltoall counts; INTERNAL. */
typedef enum pfft3d_part { PFFT3D_PART_PASSES, PFFT3D_PART_RAW_ALLTOALL } pfft3d_part;
int pfft3d_plan_measure(pfft3d_plan *plan, pfft3d_direction direction, pfft3d_part part,
                        const void *in, void *out, double *seconds);

/* ---- Dry runs ----------------------------------------------------------------------------- */

/* Maxima over the ranks of what a forward transform would do and need. */
typedef struct pfft3d_explanation {
  pfft3d_decision decision;                     /* nothing left "auto" */
  int idle_ranks;                               /* ranks without any element on one side at least */
  double messages, bytes, bytes_min, bytes_max; /* as in pfft3d_stats, of one transform */
  double user_bytes;                            /* of an array that serves both sides */
  double work_bytes;
  int exchanges;
  pfft3d_precision wire; /* as in pfft3d_stats */
  double passes;
  double seconds;          /* of the whole transform, by the model */
  double pass_seconds;     /* of its passes */
  double exchange_seconds; /* of its exchanges, as if nothing else went on meanwhile */
  char reason[240];        /* why this decision, in words; "" where nothing was "auto" */
  pfft3d_machine machine;  /* that the model reckoned with */
} pfft3d_explanation;

/* Local, needs no MPI_Init.  What a plan for `ranks` ranks would be; nothing is allocated.
 * Errors: USAGE; UNAVAILABLE where such a plan would be refused, with the limit in the text. */
int pfft3d_explain(const pfft3d_request *request, int ranks, pfft3d_explanation *x,
                   pfft3d_error *error);
int pfft3d_explain_box(const pfft3d_request *request, int ranks, pfft3d_side side, int rank,
                       pfft3d_box *box);

/* ---- Candidates and wisdom --------------------------------------------------------------------
 */

/* One way to do what a request leaves open, and what it costs. */
typedef struct pfft3d_candidate {
  pfft3d_decision decision;
  double predicted; /* seconds of a forward and a backward transform together, by the model */
  double measured;  /* likewise on the clock, the median of `repeats`; 0: not timed */
  int repeats;
} pfft3d_candidate;

/* Local, needs no MPI_Init.  All ways to do what a request leaves open on `ranks` ranks, the
 * cheapest first; those that are not possible are left out.  Writes at most `most` of them and
 * returns how many there are; -1 where there is no memory to find them. */
int pfft3d_candidates(const pfft3d_request *request, int ranks, pfft3d_candidate *list, int most);

/* Collective on comm.  Times the `count` candidates of a list in turns (A B C A B C ...), on
 * arrays of its own, with all arrays and plans gone afterwards: at most `repeats` times each, and
 * not beyond about `budget` seconds; the first ones first, so that a list in the order of the model
 * loses least.  Sorts the list: measured ones before all others, the fastest first.  Candidates
 * that cannot be had here stay unmeasured.  Errors: MEMORY, INTERNAL. */
int pfft3d_tune(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *list, int count,
                int repeats, double budget, pfft3d_error *error);

/* Wisdom is which candidate was found fastest, for a question: the problem, its layouts and order,
 * ranks, ranks of a node, threads, precision between ranks, extent of the caller's arrays, the
 * versions of this library, of MPI and of FFTW, the processor, and what of the decision was named.
 * It answers the same question again, and those that name more of the decision where the answer has
 * it.  Deterministic plans do not ask. */

/* Local.  Wisdom without entries.  Errors: MEMORY.  free: *wisdom may be NULL, and becomes it; no
 * request may be used that still has it. */
int pfft3d_wisdom_create(pfft3d_wisdom **wisdom, pfft3d_error *error);
void pfft3d_wisdom_free(pfft3d_wisdom **wisdom);

/* Collective on comm.  Adds the entries of a file, which rank 0 reads, to the wisdom of all ranks.
 * A file that is missing, damaged or of another format adds nothing, which is no error:
 * pfft3d_wisdom_notice() tells.  Errors: PERMISSION (the file or its directory is owned by somebody
 * else than this user and root, or others may write to it), IO, MEMORY. */
int pfft3d_wisdom_read(MPI_Comm comm, const char *file, pfft3d_wisdom *wisdom, pfft3d_error *error);

/* Collective on comm.  Adds an entry: of all that the request leaves open, this candidate, which
 * was timed on comm, is the best.  An older entry for the same question goes.  Errors: USAGE,
 * MEMORY, INTERNAL. */
int pfft3d_wisdom_add(MPI_Comm comm, const pfft3d_request *request,
                      const pfft3d_candidate *candidate, pfft3d_wisdom *wisdom,
                      pfft3d_error *error);

/* Collective on comm.  Rank 0 joins its entries with those that are in the file by now, the newer
 * one of a question winning, and replaces the file by a whole new one; other writers wait.  A
 * damaged file is replaced, as pfft3d_wisdom_notice() then tells.  Without entries this finds out
 * whether the file could be written, and changes nothing.  Errors: PERMISSION (as in reading),
 * OUTPUT (it cannot be created, or is no wisdom or of another format and is left alone), IO. */
int pfft3d_wisdom_write(MPI_Comm comm, const char *file, pfft3d_wisdom *wisdom,
                        pfft3d_error *error);

/* Local.  What was found worth knowing by the last read or write: one line, "" for nothing. */
const char *pfft3d_wisdom_notice(const pfft3d_wisdom *wisdom);

/* Local.  How many entries there are; and the text of one as it stands in a file, cut to `size`
 * bytes with the final 0, or NULL past the end. */
int pfft3d_wisdom_count(const pfft3d_wisdom *wisdom);
const char *pfft3d_wisdom_line(const pfft3d_wisdom *wisdom, int index, char *out, size_t size);

/* Local, async-signal-safe.  Removes the temporary files of outputs and of wisdom that are under
 * way, for a program that ends in a handler of a signal: any rank may call it, for files of all
 * ranks. */
void pfft3d_remove_temporary(void);

/* Local, in any thread but at no time in two.  From now on the library calls `moved` (NULL: nobody)
 * wherever a call that may take long has come further: each candidate and repeat that is timed,
 * each round of reading and writing.  For programs that end a run which stands still; it should be
 * quick. */
void pfft3d_on_progress(void (*moved)(void));

#ifdef __cplusplus
}
#endif
#endif
