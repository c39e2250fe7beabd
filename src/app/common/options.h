/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the options.  They are read on one rank and contain no pointers to allocated
 * memory, so that they can be broadcast as bytes. */
#ifndef PF_APP_COMMON_OPTIONS_H
#define PF_APP_COMMON_OPTIONS_H

#include <pfft3d_tune.h>
#include <stddef.h>

enum { NAME_SIZE = 16, MAX_NAMES = 32, FILE_SIZE = 1536, MAX_ARGUMENTS = 2, GIVEN_SIZE = 1024 };
enum { WISH_SIZE = 4096 };

/* A list of names of exchanges or engines, "all" already expanded. */
typedef struct name_list {
  int count;
  char name[MAX_NAMES][NAME_SIZE];
} name_list;

/* A list of whole numbers, for maps. */
enum { MAX_COUNTS = 64 };
typedef struct count_list {
  int count;
  long long at[MAX_COUNTS];
} count_list;

/* The extents of several problems, which run one after another; lines have {1, 1, N}. */
enum { MAX_SWEEP = 32 };
typedef struct extents_list {
  int count;
  ptrdiff_t n[MAX_SWEEP][3];
} extents_list;

#define NAS_CLASSES "S|W|A|B|C|D|E"
#define FLOW_CASES  "taylor-green|decay"
#define DEALIASING  "2/3|3/2|none"
#define FORCINGS    "none|linear|shells"
#define SCALARS     "zero|wave|random"
enum { FORCING_NONE, FORCING_LINEAR, FORCING_SHELLS };            /* in the order of --forcing */
enum { SCALAR_ZERO, SCALAR_WAVE, SCALAR_RANDOM };                 /* in the order of --scalar */
enum { DEALIAS_DROP, DEALIAS_PAD, DEALIAS_NONE };                 /* in the order of --dealias */
enum { NORM_NONE = -1, NORM_BACKWARD, NORM_ORTHO, NORM_FORWARD }; /* in the order of --norm */
enum { MODE_CIRCULAR, MODE_FULL, MODE_SAME };
enum { BINS_LINEAR, BINS_LOG };
enum { WINDOW_NONE, WINDOW_NGP, WINDOW_CIC, WINDOW_TSC, WINDOW_PCS }; /* the order of the spline */
enum { OUTSIDE_WRAP, OUTSIDE_ERROR, OUTSIDE_DROP };
enum { NOISE_KEEP, NOISE_SUBTRACT };
enum { IMAGES_KEEP, IMAGES_FLAT };
enum { DIRECTION_FORWARD, DIRECTION_BACKWARD, DIRECTION_BOTH };

typedef struct options {
  int command; /* index in `commands` */
  int command_named, help, version;
  char given[GIVEN_SIZE]; /* names of the options on the command line, for options_given() */
  extents_list grid_list, size_list; /* by --grid and --size */
  extents_list kernel_sizes;         /* by --sizes: lines as size_list, or {1, N0, N1} */
  ptrdiff_t grid[3];                 /* of the current problem; 0 x 0 x 0: not given, no default */
  ptrdiff_t size;                    /* of the current line; 0: not given, the problem is a field */
  char wish[WISH_SIZE]; /* keys of a request of the library that options have set, each with a blank
                           behind it: "decomp=slab threads=2 "; options_put() adds to them */
  name_list algo, engine, method; /* keys with several values to try */
  char kind[40];                  /* kind of each axis, or one for all; "": dft */
  char axes[64];                  /* axes of a dataset that are transformed; "": not given */
  char keep[96];                  /* kept modes of each axis, or a fraction; "": all */
  ptrdiff_t pad[3];               /* extents of the field of a spectrum; 0 x 0 x 0: not given */
  int direction;                  /* DIRECTION_... */
  int norm;                       /* NORM_...; NORM_NONE: not given */
  int nas_class;                  /* of NAS FT: index in NAS_CLASSES; -1: not given */
  long long reps, warmup, seed, ranks, watchdog;
  count_list thread_list;    /* all numbers of --threads; the key has the largest */
  double latency, bandwidth; /* < 0: not given */
  double threshold;          /* percent */
  char bc[96], length[96]; /* of Poisson's equation, for each axis or one for all; "": not given */
  char kernel[256];        /* names of kernels with commas, or all */
  char wall_values[FILE_SIZE]; /* of its walls; "": 0 */
  char coefficients[96];       /* of its second derivatives; "": 1 */
  char coordinates[FILE_SIZE]; /* file of the points of an axis; "": equidistant */
  long long stretched;         /* that axis; options_given() tells */
  double lambda[2];            /* of its term lambda u, real and imaginary part */
  int stencil;                 /* 0: spectral, 1: second */
  int manufactured, iterative;
  double gaussian, lowpass, highpass; /* of a filter; options_given() tells which */
  char bandpass[96], derivative[96];
  char store[96];                            /* of outputs in HDF5 files; "": contiguous */
  int into;                                  /* outputs are added to a file that exists */
  int parts;                                 /* of the energy of a vector field */
  int curl, divergence, gradient, helmholtz; /* helmholtz: 0: solenoidal, 1: potential */
  int components; /* axis of the components of a vector, 0: first, 1: last; options_given() tells */
  char along[96]; /* the axis along which each of them points; "": in order */
  char with[FILE_SIZE];   /* file of the other field of a convolution */
  int mode, correlate;    /* MODE_... */
  int deconvolve, centre; /* centre: the zero of the second field is its middle */
  double regularize;
  int bins, window;                           /* BINS_..., WINDOW_... of a power spectrum */
  int deposit;                                /* WINDOW_...; 0: the input is no particles */
  int interlace, outside, shot_noise, images; /* of particles: OUTSIDE_..., NOISE_..., IMAGES_... */
  long long fold, wedges;                     /* wedges: 0: none */
  int each, errors, cylinder, correlation;
  int los;      /* axis of the line of sight; options_given() tells */
  double share; /* percentage of components to keep */
  int expand;
  int flow_case, dealias; /* of turbulence: indices in --case and --dealias */
  int forcing, scalar;    /* FORCING_..., SCALAR_...; options_given() tells */
  double forcing_rate, forcing_power, schmidt, scalar_gradient;
  long long forcing_shells;
  int integrating_factor;
  double nu, re, end_time, every; /* 0: not given */
  double time_step;               /* 0: auto */
  char restart[FILE_SIZE], spectra[FILE_SIZE], statistics[FILE_SIZE];
  int hpcc, force, no_verify, quiet, verbose, strict, verify_output, wisdom_required, map;
  count_list grids, rank_counts; /* of a map */
  char raw[96];                  /* layout of an input without a header; "": it has one */
  long long offset;              /* of its array; not given: the file is the array */
  int big_endian;
  int external;            /* inputs may have data in other files */
  char filters[FILE_SIZE]; /* folder of filter plugins; "": none */
  double fill; /* instead of values that are not finite; NaN: their mean; options_given() tells */
  char input[FILE_SIZE], output[FILE_SIZE], json[FILE_SIZE], csv[FILE_SIZE];
  char png[FILE_SIZE];        /* file of a picture; "": none */
  char timeline[FILE_SIZE];   /* file of a timeline; "": none */
  long long timeline_events;  /* of each rank, at most */
  char wisdom[FILE_SIZE];     /* "": the user's own file, if any */
  const pfft3d_wisdom *known; /* its contents, or NULL; not from the command line */
  char machine_file[FILE_SIZE];
  pfft3d_machine machine;                  /* from its file, --latency and --bandwidth; else 0 */
  char original[FILE_SIZE];                /* output of NPB to compare with */
  char argument[MAX_ARGUMENTS][FILE_SIZE]; /* arguments that are not options */
} options;

/** Local. Finds @p name in @p list, names separated by blanks, some with a value ("grid=64
 * exchange"). Returns the address of its first letter, or NULL. */
const char *list_find(const char *list, const char *name);

/** Local. The path in "FILE:/PATH", behind the last colon before a slash; NULL: there is none. */
const char *options_path(const char *name);

/** Local. Checks a value of a key; @p spelt, of @p size bytes or NULL, returns it in the library's
 *  spelling, "" if it is the default of some keys.  Errors: USAGE, in the library's words behind
 *  "--KEY". */
int options_spell(const char *key, const char *value, char *spelt, size_t size, pfft3d_error *e);

/** Local. Sets a key of the request to a value that the library takes.  Errors: those of
 *  options_spell(), and USAGE for a value of 1536 characters or more. */
int options_put(options *o, const char *key, const char *value, pfft3d_error *e);

/** Local. The value of a key as the user typed it; "" if it is not set.  options_is(): nonzero if
 *  it is this word; options_number(): as a number, 0 if it is not set; options_precision(): of the
 *  key `precision`. */
const char *options_key(const options *o, const char *key, char value[FILE_SIZE]);
int options_is(const options *o, const char *key, const char *word);
long long options_number(const options *o, const char *key);
pfft3d_precision options_precision(const options *o);

/** Local. The number of problems in the options, at least 1. options_select() makes problem number
 *  k, from 0, the current one: o->grid or o->size. */
int options_problems(const options *o);
void options_select(options *o, int number);

/** Local. Nonzero if an engine is for devices. */
int options_is_device(const char *engine);

/** Local. Sets key `kind` of a problem whose sizes are known, or `keep` of one whose kinds are
 * known, too, from the text of the option; "": does nothing.  Leading axes of one point need no
 * value unless the text has three.  Errors: USAGE. */
int options_axes(const char *key, const char *text, pfft3d_problem *p, pfft3d_error *e);

/** Local. Splits a list of one value for all axes, or of one for each of @p dims axes, as "--bc
 *  periodic,neumann"; returns the number of values, 1 or @p dims; 0 on errors: USAGE. */
int options_values(const char *option, const char *text, int dims, char word[3][40],
                   pfft3d_error *e);

/** Local. Reads "X" or "X0,X1,X2" of an option, whose numbers have been checked; leading axes that
 * the field lacks keep their values.  Errors: USAGE for another number of axes. */
int options_reals(const char *option, const char *text, int dims, double value[3], pfft3d_error *e);

/** Local. Reads a length such as 2.5, pi or 2pi; @p end is set as by strtod(). */
double options_length(const char *text, char **end);

/** Local. As options_reals(), of --length. */
int options_lengths(const char *text, int dims, double length[3], pfft3d_error *e);

/** Local. Reads a finite number "RE", "IMi" or "RE+IMi"; returns 1, or 2 with an imaginary part; 0
 *  for anything else. */
int options_complex(const char *text, double v[2]);

/** Local. Nonzero if the option of this name was on the command line. */
int options_given(const options *o, const char *name);

#endif
