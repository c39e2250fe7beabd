/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d: distributed-memory parallel FFTs.  This header is all that most programs need;
 * <pfft3d_tune.h> has machines, wisdom, dry runs and statistics, <pfft3d_begin.h> pairs of
 * transforms with a function between them.
 *
 * The simplest program:
 *
 *     pfft3d_plan_create_text(MPI_COMM_WORLD, "c2c:d:64x64x64", &plan, &error);
 *     pfft3d_alloc(plan, &array, &error);
 *     ... fill this rank's box of the field: pfft3d_plan_box() says which elements it holds ...
 *     pfft3d_execute(plan, PFFT3D_FORWARD, array, array);
 *     pfft3d_plan_destroy(&plan);
 *
 * A field is a global array n0 x n1 x n2 in C order (axis 2 contiguous), or one of one or two
 * dimensions.  Each rank of a communicator holds one box of it.  A forward transform takes the
 * field from the side PFFT3D_SPACE to the side PFFT3D_SPECTRUM, a backward transform takes it back:
 *
 *     forward   F[k] = scale[0] * sum_j f[j] exp(-2 pi i j.k/n)
 *     backward  f[j] = scale[1] * sum_k F[k] exp(+2 pi i j.k/n)
 *
 * The scales are 1 unless pfft3d_request_scales() sets them.  The spectrum of a real field (r2c) is
 * stored for k2 = 0 .. n2/2 only, as an array n0 x n1 x (n2/2+1): the rest follows from
 * F[-k] = conj F[k].  The backward transform is then c2r.  It ignores those parts of its input that
 * the spectrum of a real field cannot have: imaginary parts in rows of k2 = 0 and k2 = n2/2 after
 * axes 0 and 1 are transformed.
 *
 * Errors.  The library never prints or aborts (but see below).  A function that returns int returns a
 * pfft3d_status.  Collective functions must be called by all ranks of the communicator with the
 * same arguments, except for arrays, and return the same status on all ranks.  Local functions
 * involve the calling rank only.  A NULL pointer, a null communicator, an inter-communicator, and a
 * call before MPI_Init or after MPI_Finalize give PFFT3D_ERR_USAGE.  A rank finds a communicator
 * that cannot be used by itself, before it communicates; other NULL pointers that one rank passes
 * to a function with a communicator are an error on all ranks.
 *
 * Error handlers.  Communicators inherit the caller's.  Instead of MPI_ERRORS_ARE_FATAL the library's
 * own return errors: a call of MPI that fails gives PFFT3D_ERR_INTERNAL on that rank, for which others
 * may wait.  The program has 60 s to call MPI_Abort(), then the library does so (pfft3d_grace()).  A
 * handler of the caller's own that aborts ends such a job in the call that failed.
 *
 * Threads.  Local functions may be called from several threads at the same time if no two of these
 * calls use the same object (request, plan, wisdom), or if all of them only read it (arguments
 * marked const).  Collective functions of different plans may run at the same time in different
 * threads if MPI was initialised with MPI_THREAD_MULTIPLE and each thread creates its plans from a
 * communicator of its own.  FFTW's planner is called under a lock of this library, which does not
 * cover FFTW calls of other code.
 */
#ifndef PFFT3D_H
#define PFFT3D_H

#ifdef __cplusplus /* MPI's old C++ bindings would need further libraries */
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#endif
#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header; pfft3d_version() is that of the library. */
#define PFFT3D_VERSION_MAJOR 1
#define PFFT3D_VERSION_MINOR 0
#define PFFT3D_VERSION_PATCH 0
#define PFFT3D_VERSION       "1.0.0"

/** Status of a call; also the exit code of the program, hence the range 64 to 79. */
typedef enum pfft3d_status {
  PFFT3D_OK = 0,
  PFFT3D_ERR_USAGE = 64,       /**< an argument is out of range or unknown */
  PFFT3D_ERR_DATA = 65,        /**< input data or format not acceptable */
  PFFT3D_ERR_NOINPUT = 66,     /**< input cannot be opened */
  PFFT3D_ERR_UNAVAILABLE = 69, /**< this build or environment cannot do it */
  PFFT3D_ERR_INTERNAL = 70,    /**< an MPI call failed, ranks disagree, or a bug */
  PFFT3D_ERR_MEMORY = 71,      /**< out of memory */
  PFFT3D_ERR_OUTPUT = 73,      /**< output cannot be created or reserved */
  PFFT3D_ERR_IO = 74,          /**< reading or writing failed */
  PFFT3D_ERR_SIGNAL = 75,      /**< stopped by a signal (program only) */
  PFFT3D_ERR_CHECK = 76,       /**< a check of the numbers failed (program only) */
  PFFT3D_ERR_PERMISSION = 77,  /**< not permitted */
  PFFT3D_ERR_WISDOM = 78,      /**< wisdom required but unusable */
  PFFT3D_ERR_WATCHDOG = 79     /**< no progress (program only) */
} pfft3d_status;

/** What went wrong, and where.  Collective functions fill it in identically on all ranks.  It is
 *  the caller's, and NULL is accepted instead.  `text` is one line "what: why", `hint` is one
 *  line of advice or empty. */
typedef struct pfft3d_error {
  int status;      /**< a pfft3d_status */
  int rank, ranks; /**< of the ranks with the highest status the lowest, and the number of ranks */
  int others;      /**< how many other ranks failed too */
  char host[64];   /**< the host of that rank */
  char text[320];
  char hint[200];
} pfft3d_error;

/** Local.  A short name of a status, never NULL: "out of memory". */
const char *pfft3d_status_name(int status);

/** Local.  The version of the library, "1.2.3"; compare with PFFT3D_VERSION. */
const char *pfft3d_version(void);

/** Local.  One fact about this build: the value of "mpi", "fftw", "hdf5", "openmp", "opencl",
 * "cuda", "opengl", "compiler", "flags", "isa" or "mkl", or "simd", the vector instructions that
 * engine `simd` has chosen on this processor; NULL for any other key.  A part that was left out
 * gives "no". */
const char *pfft3d_build(const char *key);

/** Registries of this build. */
typedef enum pfft3d_list {
  PFFT3D_EXCHANGES,        /**< how data travels between ranks */
  PFFT3D_ENGINES,          /**< local transforms */
  PFFT3D_SCHEMES,          /**< decompositions of fields of two and three dimensions */
  PFFT3D_METHODS,          /**< algorithms for one dimension */
  PFFT3D_KINDS,            /**< transforms along an axis */
  PFFT3D_DEVICE_ENGINES,   /**< local transforms on devices: engines, too, where they are named */
  PFFT3D_STORING_EXCHANGES /**< exchanges with messages that can store inside a node (local=stores)
                            */
} pfft3d_list;

/** Local.  The name of entry `index` of a registry, in order of registration; NULL past the end.
 *  *summary gets one line about the entry; the only pointer that may be NULL. */
const char *pfft3d_list_name(pfft3d_list list, int index, const char **summary);

/** Precision of numbers.  PFFT3D_SAME stands for the precision of the problem, where a choice
 *  between that and another one is offered. */
typedef enum pfft3d_precision { PFFT3D_DOUBLE, PFFT3D_SINGLE, PFFT3D_SAME } pfft3d_precision;
typedef enum pfft3d_direction { PFFT3D_FORWARD, PFFT3D_BACKWARD } pfft3d_direction;
typedef enum pfft3d_side { PFFT3D_SPACE, PFFT3D_SPECTRUM } pfft3d_side;

/** The part of the global array that a rank holds, and where its elements lie: global element
 *  (i0,i1,i2) of field b of a batch is at offset + b * distance + sum_a (i_a - lo[a]) * stride[a],
 *  in elements: real numbers on the side PFFT3D_SPACE of r2c, else complex ones.  One and two
 *  dimensions have leading axes of length 1.  An empty rank has len 0 along some axis. */
typedef struct pfft3d_box {
  ptrdiff_t lo[3], len[3], stride[3];
  ptrdiff_t offset, distance;
} pfft3d_box;

/* ---- Requests ------------------------------------------------------------------------------- */

/** What a plan is made from: a problem and any wishes about how it is solved.  Everything that is
 *  not set is chosen by the library. */
typedef struct pfft3d_request pfft3d_request;

/** Local.  A request with the defaults below and the problem c2c:d:1x1x1.  The caller destroys it.
 *  Errors: USAGE, MEMORY. */
int pfft3d_request_create(pfft3d_request **request, pfft3d_error *error);

/** Local.  Frees a request and sets *request to NULL; *request may be NULL.  Plans made from it
 *  stay valid. */
void pfft3d_request_destroy(pfft3d_request **request);

/** Local.  Sets one key of a request.  On error the request is unchanged; the text then names the
 *  valid choices and the hint the nearest one.
 *
 *  The problem:
 *
 *     problem        its type, precision, sizes, batch, kinds: "r2c:d:256x256x256",
 *                    "c2c:s:64x64x64*8", "r2c:d:64x64x64:dst1,dst1,dft"
 *     type           c2c, r2c (c2c): complex or real fields
 *     precision      double, single (double); d and s in a problem
 *     size           "N0xN1xN2", "N0xN1" or "N": as many dimensions as sizes.  "N" is
 *                    distributed over all ranks; "1x1xN" is a field of three dimensions, which
 *                    is cut along axes 0 and 1, so that one rank holds all of it
 *     dims           1, 2, 3: takes the sizes as so many dimensions; those left out must be 1
 *     batch          fields, or lines, that are transformed together (1)
 *     kind           "K0,K1,K2", a name of PFFT3D_KINDS for each axis, or one for all (dft).
 *                    "dst1,dst1,dft" has sine transforms along axes 0 and 1 and a DFT along axis
 *                    2.  Of a real field the spectrum has n/2+1 numbers along the last axis with a
 *                    dft.  It is real if no axis has a dft, or if the axes with a dft have one
 *                    point and another one has a cosine or sine transform.  Of a complex field
 *                    cosine and sine transforms act on real and imaginary parts alike.  One
 *                    dimension of another kind than dft is in blocks on both sides, in natural
 *                    order
 *     keep           "K0,K1,K2", one number for all axes, or a fraction "2/3" of each (all): the
 *                    number of modes that the spectrum has along each axis.  A forward transform
 *                    drops all others, a backward transform takes them as 0.  By kind:
 *                    dft: index i is mode i for i < (K+1)/2, else mode i - K, as of K points;
 *                    dft with half a spectrum: modes 0 .. K/2;
 *                    dct1 to dst4: the first K;
 *                    none, dht, r2hc, hc2r: all n.
 *                    Scales are those of the size of the field.  In a problem
 *                    "c2c:d:96x96x96/64x64x64".  One dimension keeps all
 *     sign           -1, +1 (-1): of the exponents of forward transforms along dft axes of c2c;
 *                    those of backward transforms have the other one.  In a problem "c2c+:d:...".
 *                    One dimension: -1 only; a field 1x1xN has both
 *     layout         block, cyclic (block): distribution of the field, one dimension only
 *     out-layout     block, cyclic (block, whatever layout is): of the spectrum in natural order;
 *                    the program's --out-layout is --layout where it is not given
 *     order          natural, transposed (natural): the spectrum is distributed and stored like
 *                    the field; or stored [i1][i0][i2] and distributed as the transform leaves
 *                    it, which saves an exchange: slabs are cut along axis 1, pencils along axis
 *                    1 by the first number of the grid and along axis 2 by the second; fields
 *                    of two dimensions are stored [i2][i1] and cut along axis 2.  In one
 *                    dimension, transposed means scrambled: pfft3d_plan_index() gives the
 *                    global indices
 *     padded         yes, no (no): rows of the real field of r2c are padded to 2 (n2/2+1)
 *                    numbers, as FFTW stores them in place
 *
 *  How it is solved (auto: the library chooses):
 *
 *     decomp         a name of PFFT3D_SCHEMES, auto (auto): slab cuts the field along axis 0,
 *                    or along axis 1 if n0 is 1; pencil cuts axes 0 and 1
 *     pgrid, grid    "4x2": pencils cut axis 0 into 4 parts and axis 1 into 2; rank 2 c0 + c1
 *                    holds part (c0, c1), further ranks are idle.  If ranks are placed
 *                    round-robin on nodes, boxes follow the order of the nodes
 *     cuts           balanced, ceil, or lists (balanced): how an axis of n indices is divided into
 *                    P parts.  balanced: the first n mod P parts hold one index more than the
 *                    others; 10 indices are divided into 3, 3, 2, 2.  ceil: blocks of ceil(n/P), as
 *                    in FFTW-MPI; the last parts may be empty; 10 indices are divided into 3, 3, 3,
 *                    1.  A list has the first index of each part and the end of the last one:
 *                    "0:0,5,5,16" divides axis 0 of the field into indices 0 to 4, none, and 5 to
 *                    15; "spectrum1:0,8,16" is for axis 1 of the spectrum.  Lists, and a rule for
 *                    all other axes, are joined by "/": "ceil/0:0,5,16".  One dimension in blocks
 *                    is divided along axis 2.  See pfft3d_request_cuts()
 *     bricks         "2x1x2": field and spectrum lie in boxes on a grid of 2x1x2 ranks, rank
 *                    (c0 P1 + c1) P2 + c2 at (c0,c1,c2), every axis in balanced parts, each box
 *                    in C order; further ranks have none.  See pfft3d_request_box()
 *     method         a name of PFFT3D_METHODS, auto (auto): for one dimension
 *     split          "4096x4096": the factors into which one dimension is split; for r2c of an
 *                    even size N in blocks those of N/2
 *     exchange, algo a name of PFFT3D_EXCHANGES, auto (auto)
 *     chunk          least bytes of a message, for exchanges that send several rows at once
 *     local          "messages", "stores" or "auto": how exchanges with messages reach ranks of the
 *                    same node; stores go straight into their memory.  As not set: messages if the
 *                    exchange is named, else auto
 *     engine         a name of PFFT3D_ENGINES, auto (auto), or of PFFT3D_DEVICE_ENGINES
 *     device         number of its device, from 0 on (the ranks of a node take them in turn)
 *     threads        OpenMP threads of each rank (1); any number gives the same bits
 *     wire           same, double, single (same): precision of numbers between ranks.  single
 *                    rounds all numbers that an exchange moves to 24 bits and halves the
 *                    messages of a problem in double precision; double changes nothing
 *     deterministic  yes, no (no): the same bits for every exchange and number of ranks (with
 *                    wire=single but for shared and one rank, which round nothing)
 *     joined         yes, no (no): all fields of a batch are transformed together, as
 *                    pfft3d_execute_between() needs, and real lines in pairs despite kind none
 *     node-ranks     neighbouring ranks that count as a node (as found; 1 in a dry run)
 *     plan-budget    seconds for timing candidates where the exchange is left open (0: the model
 *                    decides alone; the program's default is 2)
 *     wisdom         user, none (user): whether the file that `pfft3d tune` writes is asked where
 *                    the exchange or the decomposition is left open; see pfft3d_wisdom_file()
 *
 *  A key whose values are yes and no may be given without a value in pfft3d_request_parse().
 *  Errors: USAGE. */
int pfft3d_request_set(pfft3d_request *request, const char *key, const char *value,
                       pfft3d_error *error);

/** Local.  Sets what a text says: "r2c:d:256x256x256 order=natural threads=2", a problem and keys
 *  with values in any order, separated by blanks.  On error the request is unchanged.  Errors:
 *  USAGE. */
int pfft3d_request_parse(pfft3d_request *request, const char *text, pfft3d_error *error);

/** Local.  Writes the problem and all keys that differ from their defaults as a text for
 *  pfft3d_request_parse(), at most `size` bytes with the final 0; returns `out`, or NULL where a
 *  pointer is NULL.  Lists of cuts of more than 500 characters are printed as "cuts=lists", which
 *  cannot be parsed. */
char *pfft3d_request_print(const pfft3d_request *request, char *out, size_t size);

/** How the caller's array of one side lies in memory, if it is more than the box of
 *  pfft3d_plan_box(): with ghost cells or padding around rows and planes, or with elements that are
 *  components of vectors.  All zero: the box alone, one field of a batch after the other.  Memory
 *  around and between the elements is neither read nor written; where `distance` is 0, what is
 *  between fields is scratch: undefined after a transform. */
typedef struct pfft3d_array {
  ptrdiff_t below[3], above[3]; /**< additional elements along each axis before and after the box */
  ptrdiff_t every;    /**< from an element to the next along the fastest axis; 0 means 1 */
  ptrdiff_t distance; /**< from a field of a batch to the next; 0: one after the other, at the same
                         distance in bytes on both sides, for lines also on all ranks */
} pfft3d_array;

/** Local.  Describes the caller's array of a side, the same on all ranks; *array is copied. Errors:
 *  USAGE. */
int pfft3d_request_array(pfft3d_request *request, pfft3d_side side, const pfft3d_array *array,
                         pfft3d_error *error);

/** Local.  The box of this rank on a side: any boxes that tile the array of that side, one for each
 *  rank, possibly empty.  *box is copied; NULL takes it back.  A box is given on all ranks or on
 *  none.  Indices are those of the array, whatever the order; strides all 0: the box in C order;
 *  distance 0: chosen by the plan.  No two elements may have the same address.  pfft3d_plan_box()
 *  then gives these boxes.  Where they are what the decomposition would give, this costs nothing;
 *  else the data is redistributed once on that side, rounded as `wire` says (by exchange alltoallw
 *  as it is).  With a box of the spectrum the plan chooses the order that it works in, unless it is
 *  deterministic.  Not for one dimension, nor together with pfft3d_request_array() or bricks for
 *  the same side.  Whether the boxes tile the array is checked when a plan is made.  Errors: USAGE.
 */
int pfft3d_request_box(pfft3d_request *request, pfft3d_side side, const pfft3d_box *box,
                       pfft3d_error *error);

/** The cuts of one axis of a side: part k of `parts` holds the indices at[k] .. at[k+1]-1.  The
 * list has parts + 1 entries, begins with 0, ends with the extent of the axis on this side, and
 * does not descend; parts may be empty.  Axes are numbered as in pfft3d_box. */
typedef struct pfft3d_cuts {
  pfft3d_side side;
  int axis, parts; /**< parts: as many as the grid of ranks has along this axis */
  const ptrdiff_t *at;
} pfft3d_cuts;

/** Local.  Cuts an axis of a field, or of its spectrum, at given indices instead of by the key
 *  `cuts`, the same on all ranks; *cuts and its list are copied.  The grid of ranks follows from
 * the number of parts where it is left open.  In natural order the spectrum is cut like the field
 *  unless it has cuts of its own.  parts 0: by the key again.  Whether a list fits the problem and
 *  the grid is checked when a plan is made.  Errors: USAGE, MEMORY. */
int pfft3d_request_cuts(pfft3d_request *request, const pfft3d_cuts *cuts, pfft3d_error *error);

/** Local.  Sets the factors on the results of forward and backward transforms (1 and 1).  They are
 *  applied in the last pass and cost nothing.  Each must be 0 or of a size that is a normal number
 *  of the plan's precision, which is checked when a plan is made.  pfft3d_request_scale() does not
 *  say why it fails.  Errors: USAGE. */
int pfft3d_request_scales(pfft3d_request *request, double forward, double backward,
                          pfft3d_error *error);
int pfft3d_request_scale(pfft3d_request *request, double forward, double backward);

/* ---- Plans ---------------------------------------------------------------------------------- */

/** Buffers, schedules and local transforms for both directions of a problem. */
typedef struct pfft3d_plan pfft3d_plan;

/** Collective on comm.  Makes a plan for any number of ranks and any sizes >= 1.  The communicator
 *  is duplicated and may be freed afterwards; the request may be destroyed.  More than one thread
 *  needs MPI_THREAD_FUNNELED: all MPI calls are made by the calling thread.  FFTW measures on small
 *  private buffers on rank 0, and all ranks use its choice.  The caller destroys the plan.  Errors:
 *  USAGE, UNAVAILABLE, MEMORY (bytes needed and available in the text, found before allocating),
 *  WISDOM, INTERNAL.  On error *plan is NULL. */
int pfft3d_plan_create(MPI_Comm comm, const pfft3d_request *request, pfft3d_plan **plan,
                       pfft3d_error *error);

/** Collective on comm.  The same for a request that is written as for pfft3d_request_parse(). */
int pfft3d_plan_create_text(MPI_Comm comm, const char *text, pfft3d_plan **plan,
                            pfft3d_error *error);

/** Collective.  Frees the plan and its arrays from pfft3d_alloc(), and sets *plan to NULL.  *plan
 *  may be NULL on all ranks.  After MPI_Finalize it is local and frees the memory that does not
 *  belong to MPI. */
void pfft3d_plan_destroy(pfft3d_plan **plan);

/** Collective.  Transforms the local box `in` (PFFT3D_SPACE for forward, PFFT3D_SPECTRUM for
 *  backward) to the local box `out` of the other side: doubles or floats, as the precision of the
 *  problem, complex numbers as pairs (re, im), laid out as pfft3d_plan_box() says.  `in` is not
 *  changed unless in == out; other overlap is not allowed.  An empty rank may pass NULL.  In place,
 *  the array must hold the larger of both sides (pfft3d_plan_bytes()); rows of real fields need no
 *  padding for it.  Never allocates, never reduces a status.  Errors: USAGE (NULL where the rank
 *  has elements, or in and out overlap; on this rank alone), INTERNAL (an MPI call failed; the
 *  communicator is then unusable), UNAVAILABLE (a device was lost, on this rank alone; its messages
 *  were sent, and the result is worth nothing).
 *  Source: slab transpose FFT with the three granularities of Bell, Bonachea, Nishtala and Yelick,
 *  IPDPS 2006. */
int pfft3d_execute(pfft3d_plan *plan, pfft3d_direction direction, const void *in, void *out);

/** Collective.  A backward transform of the product of `in` with a Fourier multiplier: element
 *  (k0, k1, k2) is multiplied by multiplier[0][k0] * multiplier[1][k1] * multiplier[2][k2], as for
 *  a diffusion equation, a Gaussian filter or a truncation.  multiplier[a] has as many numbers as
 *  the spectrum has along axis a (pfft3d_plan_extents()), by global index in every order, the same
 *  on all ranks and for all fields of a batch.  The factors are applied in cache, in the first
 * pass: memory is read no more often than by pfft3d_execute().  Errors: those of pfft3d_execute();
 * USAGE also for plans of one dimension. */
int pfft3d_execute_multiplier(pfft3d_plan *plan, const double *const multiplier[3], const void *in,
                              void *out);

/** Gives the factors of a block of elements of the spectrum, those with the global indices lo[a] ..
 *  lo[a] + len[a] - 1 along each axis: len[0] x len[1] x len[2] numbers, in C order. */
typedef void (*pfft3d_factors)(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                               double *factor);

/** Collective.  As pfft3d_execute_multiplier(), with factors that are no product of one for each
 *  axis, as those of Poisson's equation: `factors` is called with `context` for every tile of the
 *  first pass, while it is in cache.  The function must give the same factors on all ranks, for any
 *  block of the spectrum.  Each element is asked for on one rank, in transposed order on the one
 * that holds it.  With threads it is called by several at the same time.  It must not call this
 *  library or MPI.  Errors: those of pfft3d_execute_multiplier(). */
int pfft3d_execute_factors(pfft3d_plan *plan, pfft3d_factors factors, void *context, const void *in,
                           void *out);

/** Local.  The box of any rank on a side.  Errors: USAGE. */
int pfft3d_plan_box(const pfft3d_plan *plan, pfft3d_side side, int rank, pfft3d_box *box);

/** Local.  The global index of element i of a rank's array, of a plan of one dimension, for any
 *  layout and order; -1 if rank or i is out of range.  len[2] of pfft3d_plan_box() is the number of
 *  elements, lo[2] the first one of a block.  In scrambled order, where the points are split into
 *  n1 x n2 and the rank has the even part lo, len of n1, element i is k = lo + i mod len +
 *  n1 (i / len); for r2c only k <= N/2 exist, and n1 n2 is N/2 where the points are transformed in
 *  pairs (split).  Butterflies, and convolutions, whose n1 n2 is larger, have orders of their own,
 *  which this function knows. */
ptrdiff_t pfft3d_plan_index(const pfft3d_plan *plan, pfft3d_side side, int rank, ptrdiff_t i);

/** Local.  Extents of the global array on a side: the sizes of the problem with leading ones; for
 *  the spectrum the modes that are kept, n/2+1 of n along the last dft axis of a real field.
 *  Errors: USAGE. */
int pfft3d_plan_extents(const pfft3d_plan *plan, pfft3d_side side, ptrdiff_t n[3]);

/** Local.  The axes in the order in which this rank's array of a side stores them, the one with the
 *  largest stride first: 0, 1, 2; of a transposed spectrum 1, 0, 2, and of two dimensions 0, 2, 1;
 *  by the strides of a box of the caller.  Errors: USAGE. */
int pfft3d_plan_axes(const pfft3d_plan *plan, pfft3d_side side, int axis[3]);

/** Local.  Number of elements, padding included, that this rank's array must hold for one side; and
 *  bytes of an array that serves both sides.  Never 0 on a valid plan; 0 if plan is NULL. */
size_t pfft3d_plan_elements(const pfft3d_plan *plan, pfft3d_side side);
size_t pfft3d_plan_bytes(const pfft3d_plan *plan);

/** Local.  Writes the problem and the decision, with nothing left to "auto": "c2c:d:64x64x64
 *  decomp=slab exchange=shared engine=simd order=natural"; at most `size` bytes with the final 0.
 *  Returns `out`, or NULL where a pointer is NULL. */
char *pfft3d_plan_print(const pfft3d_plan *plan, char *out, size_t size);

/** Collective.  Allocates an array that can serve both sides, also in place, with the best
 *  alignment and on huge pages if possible.  Its contents are undefined.  With an exchange in
 * shared memory, transforms to natural order write to such arrays directly, if all ranks pass
 * arrays of the same call; other arrays cost a copy.  The plan owns the array: it lives until
 * pfft3d_free() or pfft3d_plan_destroy().  Errors: USAGE, MEMORY; on error *array is NULL. */
int pfft3d_alloc(pfft3d_plan *plan, void **array, pfft3d_error *error);

/** Collective.  Frees an array of this plan before the plan is destroyed; NULL is allowed, on all
 *  ranks. */
void pfft3d_free(pfft3d_plan *plan, void *array);

/** Local, async-signal-safe.  Removes the temporary files of outputs and of wisdom that are under
 *  way, for a program that ends in a handler of a signal: any rank may call it, for files of all
 *  ranks. */
void pfft3d_remove_temporary(void);

#ifdef __cplusplus
}
#endif

#include <pfft3d_f.h> /* was in the headers of its functions until 1.0.0 */
#endif
