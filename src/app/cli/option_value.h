/* SPDX-License-Identifier: BSD-3-Clause
 * The table of options: the members of a row, and their readers.  The command line, --help, the man
 * page and the reference of the site are all made from this table (options.c, help.c). */
#ifndef PF_APP_CLI_OPTION_VALUE_H
#define PF_APP_CLI_OPTION_VALUE_H

#include "app/common/options.h"

/* The best suggestion so far. */
typedef struct nearest {
  const char *typed, *word;
  int distance;
} nearest;

/** Local. Takes @p word if its distance from the user's word is less than that of the previous
 *  one. */
void nearest_try(nearest *n, const char *word);

/** Local. Nonzero if the word is similar enough to be suggested: at most half of it differs. */
int nearest_good(const nearest *n);

/** Local. Appends a word to a list separated by commas. */
void append_word(char *list, size_t size, const char *word);

typedef struct option_row option_row;

/** Local. Reads @p text, the value of option @p o, into the member of options at @p value. Errors:
 *  USAGE, one line with the expected form. */
typedef int value_reader(const option_row *o, const char *text, void *value, pfft3d_error *e);

struct option_row {
  const char *name;
  char letter; /* short name, or 0 */
  value_reader *read;
  size_t offset;         /* of the value in options; 0 for keys of the request */
  long long min, max;    /* of numbers; of names, and of @ in details, min is the pfft3d_list */
  const char *initial;   /* default, or NULL */
  const char *otherwise; /* without a default: the effect of leaving out the option, in words */
  const char *form;      /* form of the value for --help; NULL for a flag; words of a choice; in
                            brackets a value that may be missing */
  const char *help;      /* one line for --help */
  const char *details;   /* more sentences for the man page and the reference; NULL: none.  @
                            stands for the names of a list */
};

/* Maximum number of rows. */
enum { MAX_OPTIONS = 160 };
extern const option_row option_table[];
extern const int option_rows;

/* The key of the request that has the name of the option, by options_put(); a flag means yes. */
value_reader read_key;   /* what the library takes; a whole number from min to max if max is set */
value_reader read_name;  /* of the list, or auto */
value_reader read_bytes; /* as read_sizes, of bytes */
value_reader
    read_threads; /* numbers with commas, for options.thread_list; the key is the largest */

/* Members of options. */
value_reader read_flag;    /* an int becomes 1 */
value_reader read_number;  /* long long, from min to max */
value_reader read_real;    /* double, from min to max */
value_reader read_percent; /* double, also "2.5%" */
value_reader read_step;    /* double > 0, or 0 for auto */
value_reader read_fill;    /* double, NaN for mean */
value_reader read_counts;  /* count_list: "64,100", "64..512" by factors of 2, "1..4096x4" of 4 */
value_reader read_lines_or_matrices; /* extents_list, as read_sizes, and "256x512" */
value_reader read_sizes; /* extents_list, from min to max: "1000003", "2^20", "16M" = 16 x 1024^2 */
value_reader read_grid;  /* ptrdiff_t[3], one of these: */
value_reader read_grids; /* extents_list: "N", "N0xN1" (a leading 1 is added) or "N0xN1xN2" */
value_reader read_text;  /* char[FILE_SIZE] */
value_reader read_lengths; /* char[], positive numbers with commas */
value_reader read_complex; /* double[2], "RE", "IMi" or "RE+IMi" */
value_reader read_choice;  /* int, index of a word in o->form, "forward|both" */
value_reader
    read_scheme; /* int, number of a word in o->form, "[ngp|cic]", from 1; without a word 2 */
value_reader read_names; /* name_list: names of the list with commas, auto, or all */

/** Local. Checks relations between options, and sets those that others imply. Errors: USAGE. */
int options_check(options *o, pfft3d_error *e);

#endif
