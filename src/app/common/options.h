/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the options.  They are read on one rank and are plain data, so that they can be
 * broadcast as bytes. */
#ifndef PF_APP_COMMON_OPTIONS_H
#define PF_APP_COMMON_OPTIONS_H

#include <pfft3d.h>
#include <stddef.h>

enum { NAME_SIZE = 16, MAX_NAMES = 32, FILE_SIZE = 1536, MAX_ARGUMENTS = 2, GIVEN_SIZE = 1024 };

/* A list of names of exchanges or engines, "all" already expanded. */
typedef struct name_list {
  int count;
  char name[MAX_NAMES][NAME_SIZE];
} name_list;

/* Whole numbers, as of a map. */
enum { MAX_COUNTS = 64 };
typedef struct count_list {
  int count;
  long long at[MAX_COUNTS];
} count_list;

/* The extents of several problems, which run one after another; of lines {1, 1, N}. */
enum { MAX_SWEEP = 32 };
typedef struct extents_list {
  int count;
  ptrdiff_t n[MAX_SWEEP][3];
} extents_list;

#define NAS_CLASSES "S|W|A|B|C|D|E"
enum { TYPE_AUTO = -1 };
enum { LAYOUT_SAME = -1 };                                        /* as the other side */
enum { NORM_NONE = -1, NORM_BACKWARD, NORM_ORTHO, NORM_FORWARD }; /* as --norm names them */
enum { DIRECTION_FORWARD, DIRECTION_BACKWARD, DIRECTION_BOTH };

typedef struct options {
  int command; /* index in commands */
  int command_named, help, version;
  char given[GIVEN_SIZE]; /* names of the options on the command line, for options_given() */
  extents_list grid_list, size_list; /* by --grid and --size */
  ptrdiff_t grid[3]; /* of the problem at hand; 0 x 0 x 0: not given, and no default */
  ptrdiff_t size;    /* of the line at hand; 0: not given, and it is about a field */
  ptrdiff_t chunk;   /* 0: not given */
  int pgrid[2];      /* 0 x 0: not given */
  name_list algo, engine, method;
  char decomp[NAME_SIZE];
  int type; /* a pfft3d_kind, or TYPE_AUTO: not given, and the command has no default */
  int precision, wire, order; /* values of the enums in pfft3d.h */
  int direction;              /* DIRECTION_... */
  int norm;                   /* NORM_...; NORM_NONE: not given */
  int layout[2]; /* of a line: a pfft3d_distribution of each pfft3d_side, or LAYOUT_SAME */
  int nas_class; /* of NAS FT: number of a word of NAS_CLASSES; -1: not given */
  long long batch, threads, reps, warmup, seed, ranks, watchdog;
  long long node_ranks;      /* 0: not given */
  long long max_count;       /* of one MPI call, in tests; 0: what MPI takes */
  double latency, bandwidth; /* < 0: not given */
  double threshold;          /* percent */
  double plan_budget;        /* seconds */
  int deterministic, hpcc, force, no_verify, quiet, verbose, strict, verify_output, wisdom_required,
      map;
  count_list grids, rank_counts; /* of a map */
  char input[FILE_SIZE], output[FILE_SIZE], json[FILE_SIZE], csv[FILE_SIZE];
  char wisdom[FILE_SIZE];     /* "": the user's own, if any */
  const pfft3d_wisdom *known; /* what it holds, or NULL; not from the command line */
  char machine_file[FILE_SIZE];
  pfft3d_machine machine;                  /* as it says, and --latency and --bandwidth; else 0 */
  char original[FILE_SIZE];                /* output of NPB to compare with */
  char argument[MAX_ARGUMENTS][FILE_SIZE]; /* what stands beside the options */
} options;

/** Local. Where @p name stands in @p list, names with blanks between them of which some have a
 * value
 *  ("grid=64 algo"): the address of its first letter, NULL where it is not there. */
const char *list_find(const char *list, const char *name);

/** Local. How many problems the options ask for, 1 at least; and makes that of this number, from 0,
 *  the one at hand: o->grid or o->size. */
int options_problems(const options *o);
void options_select(options *o, int number);

/** Local. Whether the option of this name was on the command line. */
int options_given(const options *o, const char *name);

#endif
