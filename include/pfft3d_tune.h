/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d, the part for those who choose, measure and explain: problems and decisions as structs,
 * machines and their model, wisdom, candidates on the clock, dry runs, statistics of executions.
 * Rules of errors, communicators and threads are those of <pfft3d.h>.
 *
 * Structs here keep their size: `reserved` members are 0, and later versions give them a meaning.
 * Statistics and explanations grow at their end; their callers pass the size they were compiled
 * with.
 */
#ifndef PFFT3D_TUNE_H
#define PFFT3D_TUNE_H

#include <pfft3d.h>
#include <pfft3d_begin.h> /* was a part of this header until 1.0.0 */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Problems and decisions ----------------------------------------------------------------- */

typedef enum pfft3d_kind { PFFT3D_C2C, PFFT3D_R2C } pfft3d_kind;

/** Order of the spectrum; pfft3d_request_set() explains them. */
typedef enum pfft3d_order { PFFT3D_TRANSPOSED, PFFT3D_NATURAL } pfft3d_order;

/** Distribution of one dimension of N elements over P ranks: blocks of neighbours, of which the
 *  first N mod P ranks hold one more; or cyclic, element j on rank j mod P at index j / P. */
typedef enum pfft3d_distribution { PFFT3D_BLOCK, PFFT3D_CYCLIC } pfft3d_distribution;

/** The transform along an axis, from space to spectrum, not normalised; the names are those of
 *  PFFT3D_KINDS, which say the formulas.  The cosine and sine transforms are FFTW's REDFT00, 10,
 *  01, 11 and RODFT00, 10, 01, 11, the real DFTs its DHT, R2HC, HC2R.  The backward direction is
 * the inverse times 2 (n-1) for dct1, 2 (n+1) for dst1, 2 n for the others of them, and n for dft,
 * dht, r2hc, hc2r. */
typedef enum pfft3d_axis_kind {
  PFFT3D_DFT,
  PFFT3D_NONE, /**< the axis is not transformed */
  PFFT3D_DCT1,
  PFFT3D_DCT2,
  PFFT3D_DCT3,
  PFFT3D_DCT4,
  PFFT3D_DST1,
  PFFT3D_DST2,
  PFFT3D_DST3,
  PFFT3D_DST4,
  PFFT3D_DHT,
  PFFT3D_R2HC,
  PFFT3D_HC2R
} pfft3d_axis_kind;

/** What to compute. */
typedef struct pfft3d_problem {
  pfft3d_kind kind;
  pfft3d_precision precision;
  ptrdiff_t n[3];  /**< of the field, each >= 1; one and two dimensions have leading ones */
  ptrdiff_t batch; /**< fields that are transformed together; 0 means 1 */
  int dims;        /**< 1, 2 or 3; 0 means 3 */
  pfft3d_axis_kind axis[3]; /**< of two dimensions, axes 1 and 2; dft for leading ones */
  ptrdiff_t keep[3];        /**< modes that the spectrum has along each axis; 0: all */
  int sign; /**< 1: forward transforms of c2c have exponents +2 pi i and backward ones -2 pi i */
  int reserved[13];
} pfft3d_problem;

/** How exchanges with messages reach ranks of the same node. */
typedef enum pfft3d_local {
  PFFT3D_LOCAL_USUAL,    /**< by messages if the exchange is named, else as the planner chooses */
  PFFT3D_LOCAL_MESSAGES, /**< by messages, like ranks of other nodes */
  PFFT3D_LOCAL_STORES,   /**< rows are stored straight into their memory; others are sent */
  PFFT3D_LOCAL_AUTO      /**< as the planner chooses */
} pfft3d_local;

/** How to compute it.  Any of the names may be "auto" in a request, none is in a plan. */
typedef struct pfft3d_decision {
  char scheme[16];    /**< a name of PFFT3D_SCHEMES; in one dimension of PFFT3D_METHODS */
  int grid[2];        /**< the ranks as a grid; 0 x 0: not set; in a plan always set */
  char algo[16];      /**< exchange: a name of PFFT3D_EXCHANGES */
  char engine[16];    /**< a name of PFFT3D_ENGINES */
  pfft3d_order order; /**< of the spectrum */
  ptrdiff_t split[2]; /**< of one dimension: its two factors; 0 x 0: not set */
  ptrdiff_t chunk;    /**< least bytes of a message of rows; 0: as the exchange prefers */
  pfft3d_local local; /**< how exchanges with messages reach ranks of the same node; in a plan
                           PFFT3D_LOCAL_STORES, or else PFFT3D_LOCAL_USUAL */
  int reserved[15];
} pfft3d_decision;

/** Local.  Strings to structs and back: "c2c:d:512x512x512", with r2c for real fields, c2c+ for the
 * other sign, s for d in single precision, "/K0xK1xK2" after the sizes for kept modes, "*8" for a
 * batch of eight, and one, two or three sizes; and "decomp=slab exchange=pencils engine=fftw
 * order=natural", in one dimension "method=transpose split=4096x4096 exchange=slabs ...".  Words as
 * printed by earlier versions, "slab algo=pencils ...", are read too, and "alltoall", "slab" and
 * "pencil" for exchanges packed, slabs and pencils.  Keys that a decision leaves out keep their
 * values in *d. Printing writes at most `size` bytes with the final 0 and returns `out`, or NULL
 * where a pointer is NULL.  Errors: USAGE with the valid choices; the struct is then unchanged. */
int pfft3d_problem_parse(const char *text, pfft3d_problem *p, pfft3d_error *error);
char *pfft3d_problem_print(const pfft3d_problem *p, char *out, size_t size);
int pfft3d_decision_parse(const char *text, pfft3d_decision *d, pfft3d_error *error);
char *pfft3d_decision_print(const pfft3d_decision *d, char *out, size_t size);

/** Local.  Extents of the global array on a side: n, for the spectrum the modes that are kept,
 * n/2+1 of n along the last dft axis of a real field (zeros if p is NULL); and bytes of an element
 * of a side (0 if p is NULL): without any dft the spectrum of a real field is real. */
void pfft3d_problem_extents(const pfft3d_problem *p, pfft3d_side side, ptrdiff_t n[3]);
size_t pfft3d_element_bytes(const pfft3d_problem *p, pfft3d_side side);

/** Local.  The product of what forward and backward multiply each axis by (pfft3d_axis_kind): the
 *  factor between a field and what comes back; 0 if p is NULL. */
double pfft3d_problem_points(const pfft3d_problem *p);

/** Local.  The problem that a request has so far, and that of a plan, with the axes and sizes of
 * the caller.  In *p, `batch` and `dims` are never 0; `keep` is 0 along an axis of which it was not
 *  said.  Errors: USAGE; *p is then unchanged. */
int pfft3d_request_problem(const pfft3d_request *request, pfft3d_problem *p);

/** Local.  A copy of a request with all that was set, by keys or by functions.  The caller destroys
 *  it.  Errors: USAGE, MEMORY. */
int pfft3d_request_copy(const pfft3d_request *request, pfft3d_request **copy, pfft3d_error *error);

/** Local.  Writes the value of a key as pfft3d_request_set() takes it, "" where it is not set, at
 *  most `size` bytes with the final 0; returns `out`, or NULL where a pointer is NULL or there is
 * no such key. */
char *pfft3d_request_get(const pfft3d_request *request, const char *key, char *out, size_t size);
int pfft3d_plan_problem(const pfft3d_plan *plan, pfft3d_problem *p);

/** Local.  What was decided, with nothing left to "auto"; and why, in words, "" if nothing was
 * open: valid as long as the plan, NULL if plan is NULL.  Errors: USAGE. */
int pfft3d_plan_decision(const pfft3d_plan *plan, pfft3d_decision *d);
const char *pfft3d_plan_reason(const pfft3d_plan *plan);

/** Who made the decision of a plan. */
typedef enum pfft3d_decided_by {
  PFFT3D_BY_REQUEST, /**< it left nothing open */
  PFFT3D_BY_MODEL,
  PFFT3D_BY_TIMING, /**< candidates that are close by the model */
  PFFT3D_BY_WISDOM
} pfft3d_decided_by;

/** Local.  Who decided; PFFT3D_BY_REQUEST if plan is NULL. */
pfft3d_decided_by pfft3d_plan_decided_by(const pfft3d_plan *plan);

/* ---- Machines ------------------------------------------------------------------------------- */

/** A machine in the planner's model: what a message and a byte cost, [0] between ranks of a node
 * and [1] between nodes, and the speed of a rank.  In a request, figures that are 0 are measured by
 *  pfft3d_plan_create(), once for each communicator; in a dry run they are those of
 *  pfft3d_machine_init(). */
typedef struct pfft3d_machine {
  char name[64];       /**< "" if it was measured */
  int node_ranks;      /**< ranks of a node; 0: as found, in a dry run 1 */
  double start[2];     /**< seconds that each message keeps its sender and its receiver busy */
  double latency[2];   /**< seconds on the way, once for all messages of an exchange */
  double bandwidth[2]; /**< while all ranks send: bytes/s out of a rank, and out of a node */
  double overlap[2];   /**< share of the time on the way during which ranks can compute: 0 to 1 */
  double memory;       /**< bytes/s of a rank, read and written, while all of a node do the same */
  double flops;        /**< flop/s of a rank in its cache */
  int group;           /**< number of nodes connected at full bandwidth; 0: all */
  double taper;        /**< share of the bandwidth beyond such a group; 0 means 1 */
  double paths;        /**< of the network, among which each message has a fixed one: those of
                          several nodes meet on some; 0: they never do */
  double cache;        /**< bytes of the caches of a rank; 0: it always uses main memory */
  double cached;       /**< bytes/s of a rank in them, read and written; 0 means `memory` */
  double alone;        /**< bytes/s of one thread while the rest of its node is idle, whose share of
                          the memory it then has; 0: `memory`, however many ranks a node has */
  double reserved[4];
} pfft3d_machine;

/** Local.  A typical cluster, one rank on a node: 2 microseconds and 12.5 GB/s between nodes. */
void pfft3d_machine_init(pfft3d_machine *m);

/** Local.  Reads a description: lines "name value..." as in data/machines; what the file leaves out
 *  keeps its value in *m.  Errors: USAGE, NOINPUT, DATA (with the line). */
int pfft3d_machine_read(const char *file, pfft3d_machine *m, pfft3d_error *error);

/** Collective on comm.  Fills in the figures that are 0 in *m, the same on all ranks, by a short
 *  ping-pong, small all-to-alls and passes over memory, in 0.02 to 0.25 s (the figures of a kind of
 *  link if all of them are 0, else the bandwidth only).  A communicator is measured once and keeps
 *  the result as an attribute; plans of small problems alone measure less, and not for others.
 *  Errors: USAGE, MEMORY, INTERNAL. */
int pfft3d_machine_measure(MPI_Comm comm, pfft3d_machine *m, pfft3d_error *error);

/** Local.  The machine that choices of this request are made for; *m is copied.  Errors: USAGE. */
int pfft3d_request_machine(pfft3d_request *request, const pfft3d_machine *m, pfft3d_error *error);

/* ---- Statistics ----------------------------------------------------------------------------- */

/** One pass of a transform over memory, or two while planes do not fit the cache. */
enum { PFFT3D_STAGES = 16 };
typedef struct pfft3d_stage_stats {
  char axes[4];                   /**< transformed, in their order: "21"; "": data is only moved */
  double seconds;                 /**< without the time in exchanges */
  double bytes;                   /**< read from and written to buffers outside the cache */
  double wire_error2, wire_norm2; /**< rounding for the next exchange: sums of |x - float(x)|^2 and
                                     of |x|^2; both 0 if nothing was rounded */
  double reserved[3];
} pfft3d_stage_stats;

/** What this rank did in its executions of one direction since the last reset.  Seconds. */
typedef struct pfft3d_stats {
  long executions;
  double total_s;   /**< whole calls */
  double fft_s;     /**< passes: gather, transform, scatter */
  double post_s;    /**< starting messages and driving progress between tiles */
  double wait_s;    /**< blocked for data or for completion of sends */
  double messages;  /**< messages sent to other ranks, counted as they were sent */
  double bytes;     /**< bytes in them */
  double bytes_min; /**< the smallest and the largest message; 0 if none was sent */
  double bytes_max;
  double traffic; /**< bytes read from and written to buffers outside the cache */
  int exchanges;  /**< per transform */
  double passes;  /**< over memory outside the cache per transform, exchanges included: traffic over
                     the bytes of both arrays of the caller, field and spectrum */
  int stages;     /**< per transform; the following are sums over all executions: */
  pfft3d_stage_stats stage[PFFT3D_STAGES];
  pfft3d_precision wire; /**< of numbers between ranks, in effect: that of the problem where nothing
                            is sent (exchange shared, one rank, method butterfly).  The relative
                            error (L2) of results by rounding is the root of the sum over all stages
                            of wire_error2 / wire_norm2, each first added up over all ranks: what
                            follows a stage is unitary up to a factor.  A number too large for a
                            float makes wire_error2 infinite */
  size_t work_bytes;     /**< buffers of the plan */
  double stored;         /**< bytes stored into memory of other ranks instead of sent */
} pfft3d_stats;

/** Local.  Copies the statistics of a direction to *stats, at most `size` = sizeof *stats bytes;
 *  reset != 0: counters start again at 0 afterwards.  Errors: USAGE. */
int pfft3d_plan_stats(pfft3d_plan *plan, pfft3d_direction direction, int reset, pfft3d_stats *stats,
                      size_t size);

/** Parts of a transform by themselves. */
typedef enum pfft3d_part {
  PFFT3D_PART_PASSES,      /**< all passes, with every exchange left out */
  PFFT3D_PART_RAW_ALLTOALL /**< an MPI_Alltoall of the bytes that the exchanges move */
} pfft3d_part;

/** Collective.  Seconds of this rank for a part of a transform.  Overwrites `out`; takes the arrays
 *  of pfft3d_execute().  Errors: USAGE (as in pfft3d_execute(), on this rank alone); MEMORY, for
 * two more arrays; UNAVAILABLE, if a rank has more elements than one MPI_Alltoall counts, or a
 * device was lost; INTERNAL.
 */
int pfft3d_plan_measure(pfft3d_plan *plan, pfft3d_direction direction, pfft3d_part part,
                        const void *in, void *out, double *seconds);

/* ---- Timelines ------------------------------------------------------------------------------ */

/** What each rank did, and when: stages, planes, messages, waits.  Plans of the same ranks can share
 *  one, if they run one after another. */
typedef struct pfft3d_timeline pfft3d_timeline;

/** Collective on comm.  A timeline with memory for `events` events of each rank, of 32 bytes: 1 to
 *  2^26.  What comes later is counted, not kept.  Measures the distance of the clocks of the ranks
 *  from that of rank 0, by messages.  FILE.json will be in the format of Chrome's trace events,
 *  for Perfetto and Speedscope; FILE.svg a drawing of one call of each plan and direction, that of
 *  median time.  Errors: USAGE (also another ending), OUTPUT if rank 0 cannot create the file, MEMORY,
 *  INTERNAL. */
int pfft3d_timeline_create(MPI_Comm comm, const char *file, long events,
                           pfft3d_timeline **timeline, pfft3d_error *error);

/** Collective.  Ends the use of a timeline; *timeline may be NULL and becomes NULL.  Its memory lives
 *  until the last plan that records in it is destroyed, or records elsewhere. */
void pfft3d_timeline_destroy(pfft3d_timeline **timeline);

/** Collective.  From now on the executions of a plan are recorded; NULL: no more.  The ranks of the
 *  plan must have a part in the timeline.  Threads of a rank are recorded as one.  Errors: USAGE,
 *  MEMORY, INTERNAL. */
int pfft3d_plan_timeline(pfft3d_plan *plan, pfft3d_timeline *timeline, pfft3d_error *error);

/** Local.  The number of events that this rank has recorded; *left_out, which may be NULL: of events
 *  that came when the memory was full. */
double pfft3d_timeline_events(const pfft3d_timeline *timeline, double *left_out);

/** Collective.  Rank 0 writes what was recorded so far; an existing file is replaced when the new one
 *  is complete.  Errors: OUTPUT, IO, MEMORY, INTERNAL; USAGE if there is no timeline. */
int pfft3d_timeline_write(pfft3d_timeline *timeline, pfft3d_error *error);

/* ---- Dry runs ------------------------------------------------------------------------------- */

/** What a forward transform would do and need: maxima over all ranks. */
typedef struct pfft3d_explanation {
  pfft3d_decision decision;                     /**< nothing left to "auto" */
  int idle_ranks;                               /**< ranks without elements on some side */
  double messages, bytes, bytes_min, bytes_max; /**< as in pfft3d_stats, of one transform */
  double user_bytes;                            /**< of an array that serves both sides */
  double work_bytes;                            /**< buffers of the plan */
  int exchanges;
  pfft3d_precision wire; /**< as in pfft3d_stats */
  double passes;
  double seconds;          /**< of the whole transform, by the model */
  double pass_seconds;     /**< of its passes */
  double exchange_seconds; /**< of its exchanges, as if nothing else went on meanwhile */
  char reason[240];        /**< why this decision, in words; "" if nothing was open */
  pfft3d_machine machine;  /**< that the model assumed */
  int redistributions;     /**< between boxes of the caller and those of the decomposition; all of
                              the above include them */
  double redist_bytes;     /**< bytes that they send */
  double stored_bytes;     /**< stored into memory of other ranks instead of sent */
} pfft3d_explanation;

/** Local, needs no MPI_Init.  What a plan for `ranks` ranks would be, without allocating it; writes
 *  at most `size` = sizeof *x bytes to *x.  Not with pfft3d_request_box(), which needs all ranks;
 *  with bricks.  Errors: USAGE; UNAVAILABLE if such a plan would be refused, with the limit in the
 *  text. */
int pfft3d_explain(const pfft3d_request *request, int ranks, pfft3d_explanation *x, size_t size,
                   pfft3d_error *error);

/** A step of a forward transform in a dry run: maxima over all ranks. */
typedef struct pfft3d_explained_step {
  char kind[16]; /**< "pipeline", "redistribution", or "local": work on elements one by one */
  int exchanges;
  double messages, bytes; /**< that a rank sends */
  double stored_bytes;    /**< stored into memory of other ranks instead */
  double traffic;         /**< bytes of main memory read and written */
  double seconds;         /**< by the model */
  double reserved[4];
} pfft3d_explained_step;

/** Local, needs no MPI_Init.  The steps of a forward transform of such a plan, in order: one for a
 *  field, several with boxes of the caller and for many lines.  Writes at most `most` of them to
 *  list[] (NULL if `most` is 0) and returns their number; -1 after an error: those of
 *  pfft3d_explain(). */
int pfft3d_explain_steps(const pfft3d_request *request, int ranks, pfft3d_explained_step *list,
                         int most, pfft3d_error *error);

/** Local, needs no MPI_Init.  The box that a rank of such a plan would have.  Errors: those of
 *  pfft3d_explain(). */
int pfft3d_explain_box(const pfft3d_request *request, int ranks, pfft3d_side side, int rank,
                       pfft3d_box *box);

/* ---- Candidates and wisdom ------------------------------------------------------------------ */

/** One way to do what a request leaves open, and its cost. */
typedef struct pfft3d_candidate {
  pfft3d_decision decision;
  double predicted; /**< seconds of a forward plus a backward transform, by the model */
  double measured;  /**< likewise on the clock, the median of `repeats`; 0: not timed */
  int repeats;
  int reserved[5];
} pfft3d_candidate;

/** Local, needs no MPI_Init.  All ways to do what a request leaves open on `ranks` ranks, cheapest
 *  first, without those that are impossible; not with pfft3d_request_box(), which needs all ranks.
 * Writes at most `most` of them to list[] (NULL if `most` is 0) and returns how many there are; -1
 * if there is no memory to find them, or for arguments that are not acceptable. */
int pfft3d_candidates(const pfft3d_request *request, int ranks, pfft3d_candidate *list, int most);

/** Collective on comm.  Times the `count` candidates of a list in turns (A B C A B C ...) on arrays
 *  of its own, at most `repeats` times each (100 at most) and for about `budget` seconds; starts
 * with the first ones, so that a list in the order of the model loses least.  Sorts the list:
 * measured ones before all others, fastest first.  Candidates that are not possible here stay
 * unmeasured. Errors: USAGE, MEMORY, INTERNAL. */
int pfft3d_tune(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *list, int count,
                int repeats, double budget, pfft3d_error *error);

/* ---- MPI ------------------------------------------------------------------------------------ */

/** Local, before MPI_Init(), while the program has one thread; later it does nothing.  Puts settings
 *  of MPI that suit the exchanges into the environment, where MPI reads them when it starts: limits
 *  between small and large messages, of Open MPI inside a node and over TCP.  What the environment or
 *  `mpirun --mca` has set stays.  Exchange `pencils` needs up to 1.7 times as long without them.
 *  Nothing is set for other MPI libraries. */
void pfft3d_prepare_mpi(void);

/** Local.  Variable number `index` of the environment that pfft3d_prepare_mpi() sets, and *value, which
 *  may be NULL, its value; NULL past the end. */
const char *pfft3d_mpi_setting(int index, const char **value);

/** Local, by any thread.  How many seconds a process goes on after a call of MPI has failed in a
 *  collective function, until the other ranks, which may wait for it for ever, have learnt of it or
 *  the program has ended: 60 at first; 0: not at all; negative: without end.  Then the library says what
 *  failed, removes temporary files and ends the job by MPI_Abort() with PFFT3D_ERR_INTERNAL.  Nothing
 *  of this where the communicator has an error handler of the caller's. */
void pfft3d_grace(double seconds);

/** Wisdom: which candidate was fastest, for a question: the problem, its layouts and order, ranks,
 *  ranks of a node, threads, precision between ranks, extent of the caller's arrays, the versions
 * of this library, of MPI and of FFTW, the processor, and which parts of the decision were set.  It
 *  answers the same question again, and narrower ones that the answer fits.  Deterministic plans do
 *  not use it. */
typedef struct pfft3d_wisdom pfft3d_wisdom;

/** Local.  Wisdom without entries; and its end: *wisdom may be NULL and becomes NULL.  Do not use
 *  requests that reference it afterwards.  Errors: USAGE, MEMORY. */
int pfft3d_wisdom_create(pfft3d_wisdom **wisdom, pfft3d_error *error);
void pfft3d_wisdom_destroy(pfft3d_wisdom **wisdom);

/** Local.  Writes the name of the user's file of wisdom, at most `size` bytes with the final 0, and
 *  returns `out`; NULL where there is none, or it does not fit.  It is PFFT3D_WISDOM of the
 *  environment, else $XDG_CACHE_HOME/pfft3d/wisdom, else $HOME/.cache/pfft3d/wisdom; there is none if
 *  PFFT3D_WISDOM is "none".  `pfft3d tune` writes this file.  Plans that leave their exchange or
 *  decomposition open ask it, unless their request has other wisdom or the key wisdom=none: rank 0
 *  reads it, once in a process, and decides for all ranks.  A file that is missing, damaged or
 *  refused is no error of a plan; pfft3d_plan_reason() may name it. */
char *pfft3d_wisdom_file(char *out, size_t size);

/** Local.  Wisdom that is asked first where this request leaves a choice, on rank 0, in place of the
 *  user's file.  The request references it until it is destroyed or set again.  required != 0: plans
 *  fail with WISDOM where a choice is open and wisdom has no answer.  NULL: none, as with the key
 *  wisdom=none; but NULL and required: the user's file.  Errors: USAGE. */
int pfft3d_request_wisdom(pfft3d_request *request, const pfft3d_wisdom *wisdom, int required,
                          pfft3d_error *error);

/** Collective on comm.  Adds the entries of a file, which rank 0 reads, to the wisdom of all ranks.
 *  A file that is missing, damaged or of another format adds nothing and is no error:
 *  pfft3d_wisdom_notice() reports it.  Errors: USAGE, PERMISSION (the file or its directory belongs
 *  to another user than this one and root, or others may write to it), IO, MEMORY. */
int pfft3d_wisdom_read(MPI_Comm comm, const char *file, pfft3d_wisdom *wisdom, pfft3d_error *error);

/** Collective on comm.  Adds an entry: this candidate, timed on comm, is the best answer to what
 *  the request leaves open.  It replaces any entry for the same question.  Errors: USAGE (also a
 *  decision that is no answer to the request), MEMORY, INTERNAL. */
int pfft3d_wisdom_add(MPI_Comm comm, const pfft3d_request *request,
                      const pfft3d_candidate *candidate, pfft3d_wisdom *wisdom,
                      pfft3d_error *error);

/** Collective on comm.  Rank 0 merges its entries with those in the file, of which the newer one of
 *  a question wins (one that was added before one that was read), and replaces the file as a whole
 *  under a lock.  A damaged file is replaced, and pfft3d_wisdom_notice() reports it.  Without
 *  entries this finds out whether the file could be written and changes nothing.  Errors: USAGE,
 *  PERMISSION (as in reading), OUTPUT (it cannot be created, or is no wisdom or of another format
 *  and is left alone), IO. */
int pfft3d_wisdom_write(MPI_Comm comm, const char *file, pfft3d_wisdom *wisdom,
                        pfft3d_error *error);

/** Local.  What the last read or write had to report: one line, "" for nothing. */
const char *pfft3d_wisdom_notice(const pfft3d_wisdom *wisdom);

/** Local.  The number of entries; and the text of one as in a file, cut to `size` bytes with the
 *  final 0, or NULL past the end. */
int pfft3d_wisdom_count(const pfft3d_wisdom *wisdom);
const char *pfft3d_wisdom_line(const pfft3d_wisdom *wisdom, int index, char *out, size_t size);

/** Local, may be called from any thread at any time.  Sets the function that the library calls when
 *  a long call has made progress: after each candidate and repeat that is timed, after each round
 * of reading and writing; NULL: none.  It is called in the thread that makes the long call and
 * should return quickly. */
void pfft3d_on_progress(void (*moved)(void));

/** Local, inside such a function.  The share of the long call that is done, 0 to 1; negative where it
 *  is not known. */
double pfft3d_progress(void);

#ifdef __cplusplus
}
#endif
#endif
