/* SPDX-License-Identifier: BSD-3-Clause
 * The command line: one table of all options, getopt_long to find them, and a strict reader for
 * each kind of value.  Which options a command takes, and with which defaults, is the command's own
 * business (its `options` string), read by the same code. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "message.h"

#define COMMAND(name) extern const command cmd_##name;
#include "command_list.h"
#undef COMMAND

static const command *const commands[] = {
#define COMMAND(name) &cmd_##name,
#include "command_list.h"
#undef COMMAND
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const command *command_at(int index) {
  return index >= 0 && index < COMMANDS ? commands[index] : NULL;
}

/* ---- Nearest words ------------------------------------------------------------------------ */

/* Levenshtein's distance, of the first 31 characters. */
static int distance(const char *a, const char *b) {
  enum { MAX = 31 };
  int row[MAX + 1], la = (int)strnlen(a, MAX), lb = (int)strnlen(b, MAX);
  for (int j = 0; j <= lb; j++) row[j] = j;
  for (int i = 1; i <= la; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= lb; j++) {
      int up = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
      if (up + 1 < best) best = up + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = up;
      row[j] = best;
    }
  }
  return row[lb];
}

/* The best word so far for what was typed. */
typedef struct nearest {
  const char *typed, *word;
  int distance;
} nearest;

static void nearest_try(nearest *n, const char *word) {
  int d = distance(n->typed, word);
  if (!n->word || d < n->distance) n->word = word, n->distance = d;
}

/* A word is worth suggesting when no more than half of it is wrong. */
static int nearest_good(const nearest *n) {
  return n->word && 2 * n->distance <= (int)strlen(n->word);
}

/* ---- Values ------------------------------------------------------------------------------- */

typedef struct option_row option_row;
typedef int value_reader(const option_row *o, const char *text, void *value, pfft3d_error *e);

struct option_row {
  const char *name;
  char letter; /* short name, or 0 */
  value_reader *read;
  size_t offset;       /* of the value in options */
  long long min, max;  /* of numbers; of names, min is the pfft3d_list */
  const char *initial; /* default, or NULL */
  const char *form;    /* of the value for --help; NULL for a flag; words of a choice */
  const char *help;
};

static int read_flag(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  (void)o, (void)text, (void)e;
  *(int *)value = 1;
  return PFFT3D_OK;
}

/* Reads one whole number in decimal from *text on and moves *text behind it; 0, or 1 if there is
 * none or it does not fit.  strtoll alone would take blanks, signs of any kind and hide overflow.
 */
static int scan_number(const char **text, long long *value) {
  char *end;
  const char *digits = **text == '-' ? *text + 1 : *text;
  if (!isdigit((unsigned char)*digits)) return 1;
  errno = 0;
  *value = strtoll(*text, &end, 10);
  if (errno) return 1;
  *text = end;
  return 0;
}

static int read_number(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  const char *at = text;
  long long v;
  if (scan_number(&at, &v) || *at || v < o->min || v > o->max)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%s': expected a whole number from %lld to %lld",
                    o->name, text, o->min, o->max);
  *(long long *)value = v;
  return PFFT3D_OK;
}

/* Reads "N" or "N0xN1xN2" into v; how many numbers, or 0 when it is neither. */
static int scan_grid(const option_row *o, const char *at, long long v[3]) {
  for (int axes = 0; axes < 3; at++) {
    if (scan_number(&at, &v[axes]) || v[axes] < o->min || v[axes] > o->max) return 0;
    axes++;
    if (!*at) return axes == 2 ? 0 : axes;
    if (*at != 'x') return 0;
  }
  return 0;
}

static int read_grid(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  ptrdiff_t *n = value, total;
  long long v[3];
  int axes = scan_grid(o, text, v);
  if (!axes) {
    app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': expected N or N0xN1xN2, each from %lld to %lld",
             o->name, text, o->min, o->max);
    app_hint(e, "for example --grid 512 or --grid 64x48x50");
    return e->status;
  }
  for (int a = 0; a < 3; a++) n[a] = (ptrdiff_t)v[axes == 1 ? 0 : a];
  if (__builtin_mul_overflow(n[0], n[1], &total) || __builtin_mul_overflow(total, n[2], &total))
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%s': more than %td elements cannot be numbered",
                    o->name, text, (ptrdiff_t)PTRDIFF_MAX);
  return PFFT3D_OK;
}

static int read_text(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  size_t length = strlen(text);
  if (length == 0 || length >= FILE_SIZE)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s: expected a name of 1 to %d characters", o->name,
                    FILE_SIZE - 1);
  memcpy(value, text, length + 1);
  return PFFT3D_OK;
}

/* Adds a word to a list with commas. */
static void append_word(char *list, size_t size, const char *word) {
  size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

static int unknown_word(const option_row *o, const nearest *n, const char *valid, pfft3d_error *e) {
  char suggestion[64] = "";
  if (nearest_good(n)) snprintf(suggestion, sizeof suggestion, "did you mean '%s'? ", n->word);
  return app_fail(e, PFFT3D_ERR_USAGE, "--%s '%.60s': %svalid: %s", o->name, n->typed, suggestion,
                  valid);
}

/* One of the words in o->form, "forward|backward|both"; the value is its number. */
static int read_choice(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  char words[64], valid[128] = "", *rest = words;
  nearest best = {.typed = text};
  snprintf(words, sizeof words, "%s", o->form);
  for (int i = 0; rest; i++) {
    const char *word = strsep(&rest, "|");
    if (strcmp(word, text) == 0) {
      *(int *)value = i;
      return PFFT3D_OK;
    }
    nearest_try(&best, word);
    append_word(valid, sizeof valid, word);
  }
  return unknown_word(o, &best, valid, e);
}

/* Finds `word` among the registered names and "auto", and writes the name that it means: the
 * library knows some other spellings of exchanges too. */
static int find_name(const option_row *o, const char *word, int with_all, char *name,
                     pfft3d_error *e) {
  char valid[200] = "auto", text[64];
  nearest best = {.typed = word};
  const char *entry;
  pfft3d_list list = (pfft3d_list)o->min;
  snprintf(name, NAME_SIZE, "%s", word);
  for (int i = 0; (entry = pfft3d_list_name(list, i, NULL)); i++) {
    if (strcmp(entry, word) == 0) return PFFT3D_OK;
    nearest_try(&best, entry);
    append_word(valid, sizeof valid, entry);
  }
  if (strcmp(word, "auto") == 0) return PFFT3D_OK;
  nearest_try(&best, "auto");
  if (with_all) {
    nearest_try(&best, "all");
    append_word(valid, sizeof valid, "all");
  }
  if (list == PFFT3D_EXCHANGES && strlen(word) < NAME_SIZE &&
      strspn(word, "abcdefghijklmnopqrstuvwxyz") == strlen(word)) {
    pfft3d_request r;
    pfft3d_request_init(&r);
    snprintf(text, sizeof text, "algo=%s", word);
    if (pfft3d_decision_parse(text, &r.decision, NULL) == PFFT3D_OK) {
      snprintf(name, NAME_SIZE, "%s", r.decision.algo);
      return PFFT3D_OK;
    }
  }
  return unknown_word(o, &best, valid, e);
}

static int read_name(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  return find_name(o, text, 0, value, e);
}

static int add_name(const option_row *o, name_list *l, const char *name, pfft3d_error *e) {
  for (int i = 0; i < l->count; i++)
    if (strcmp(l->name[i], name) == 0) return PFFT3D_OK; /* said twice: meant once */
  if (l->count == MAX_NAMES)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s: more than %d names", o->name, MAX_NAMES);
  snprintf(l->name[l->count++], NAME_SIZE, "%s", name);
  return PFFT3D_OK;
}

/* "all", or a list of names with commas. */
static int read_names(const option_row *o, const char *text, void *value, pfft3d_error *e) {
  name_list *l = value;
  char words[512], name[NAME_SIZE], *rest = words;
  const char *entry;
  l->count = 0;
  if (strcmp(text, "all") == 0) {
    for (int i = 0; (entry = pfft3d_list_name((pfft3d_list)o->min, i, NULL)); i++)
      if (add_name(o, l, entry, e)) return e->status;
    return PFFT3D_OK;
  }
  if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
    return app_fail(e, PFFT3D_ERR_USAGE, "--%s: the list is too long", o->name);
  while (rest)
    if (find_name(o, strsep(&rest, ","), 1, name, e) || add_name(o, l, name, e)) return e->status;
  return PFFT3D_OK;
}

/* ---- The table ---------------------------------------------------------------------------- */

#define AT(member) offsetof(options, member)
#define MAX_EXTENT ((long long)1 << 40)
#define MAX_RANKS  (1 << 24)
#define FLAG(n, l, member, h) \
  { n, l, read_flag, AT(member), 0, 0, NULL, NULL, h }
#define TEXT(n, l, member, f, h) \
  { n, l, read_text, AT(member), 0, 0, NULL, f, h }
#define CHOICE(n, member, i, words, h) \
  { n, 0, read_choice, AT(member), 0, 0, i, words, h }
#define NUMBER(n, l, member, lo, hi, i, f, h) \
  { n, l, read_number, AT(member), lo, hi, i, f, h }

/* clang-format off */
static const option_row table[] = {
  {"grid", 'g', read_grid, AT(grid), 1, MAX_EXTENT, "128", "N|N0xN1xN2",
   "size of the global array; one number makes a cube"},
  {"algo", 'a', read_names, AT(algo), PFFT3D_EXCHANGES, 0, "auto", "NAME,...",
   "exchange (see 'pfft3d info'), auto, all, or a list"},
  {"decomp", 0, read_name, AT(decomp), PFFT3D_SCHEMES, 0, "auto", "NAME",
   "decomposition over the ranks (see 'pfft3d info')"},
  {"engine", 'e', read_names, AT(engine), PFFT3D_ENGINES, 0, "auto", "NAME,...",
   "local transforms (see 'pfft3d info'), auto, all, or a list"},
  CHOICE("type", type, "c2c", "c2c", "kind of transform"),
  CHOICE("precision", precision, "double", "double|single", "floating point type"),
  CHOICE("direction", direction, "both", "forward|backward|both", "sign of the exponent: -, +, both"),
  CHOICE("order", order, "transposed", "transposed|natural",
         "spectrum cut along axis 1, saves an exchange, or like the field"),
  NUMBER("threads", 't', threads, 1, 4096, "1", "N", "OpenMP threads of each rank"),
  NUMBER("reps", 'r', reps, 1, 100000, "5", "N", "timed repeats"),
  NUMBER("warmup", 'w', warmup, 0, 1000, "1", "N", "repeats before the clock runs"),
  NUMBER("seed", 's', seed, 0, INT64_MAX, "1", "N", "of the synthetic field"),
  FLAG("deterministic", 0, deterministic, "the same bits for every exchange and number of ranks"),
  TEXT("input", 'i', input, "F.h5[:/path]", "HDF5 dataset to read"),
  TEXT("output", 'o', output, "F.h5[:/path]", "HDF5 dataset to write"),
  FLAG("force", 'f', force, "replace an output file that exists"),
  FLAG("strict", 0, strict, "refuse an input with NaN or infinite values"),
  NUMBER("ranks", 'n', ranks, 1, MAX_RANKS, NULL, "P", "number of ranks to explain (those of this run)"),
  TEXT("json", 'j', json, "FILE", "write the report as JSON; - is stdout, instead of the text"),
  TEXT("csv", 'c', csv, "FILE", "write one row per run; - is stdout, instead of the text"),
  NUMBER("watchdog", 0, watchdog, 0, 10000000, "600", "SECONDS",
         "end the run after so long without progress; 0 is off"),
  FLAG("no-verify", 0, no_verify, "leave out the checks of the numbers"),
  FLAG("quiet", 'q', quiet, "no text report and no progress line"),
  FLAG("verbose", 'v', verbose, "all details of every run"),
  FLAG("help", 'h', help, "this text"),
  FLAG("version", 'V', version, "the version"),
};
/* clang-format on */

enum { ROWS = sizeof table / sizeof table[0], LONG_CODE = 1000 };

/* Where `name` stands in a command's list of options, or NULL; its own default in *initial. */
static const char *command_takes(const command *c, const char *name, char *initial, size_t size) {
  static const char general[] = "help version";
  size_t length = strlen(name);
  const char *const lists[] = {c->options, general};
  for (int l = 0; l < 2; l++)
    for (const char *p = lists[l]; *p; p += strspn(p, " ")) {
      size_t word = strcspn(p, " ");
      if (strncmp(p, name, length) == 0 && strchr("= ", p[length])) {
        if (p[length] == '=')
          snprintf(initial, size, "%.*s", (int)(word - length - 1), p + length + 1);
        return p;
      }
      p += word;
    }
  return NULL;
}

static int set(const option_row *row, const char *text, options *o, pfft3d_error *e) {
  return row->read(row, text, (char *)o + row->offset, e);
}

static int set_defaults(options *o, pfft3d_error *e) {
  for (int i = 0; i < ROWS; i++) {
    char own[64] = "";
    command_takes(commands[o->command], table[i].name, own, sizeof own);
    const char *initial = own[0] ? own : table[i].initial;
    if (initial && set(&table[i], initial, o, e)) return e->status;
  }
  return PFFT3D_OK;
}

/* ---- Parsing ------------------------------------------------------------------------------ */

static int find_command(const char *word, options *o, pfft3d_error *e) {
  nearest best = {.typed = word};
  for (int i = 0; i < COMMANDS; i++) {
    if (strcmp(word, commands[i]->name) == 0) {
      o->command = i;
      o->command_named = 1;
      return PFFT3D_OK;
    }
    nearest_try(&best, commands[i]->name);
  }
  app_fail(e, PFFT3D_ERR_USAGE, "unknown command '%.60s': did you mean '%s'?", word, best.word);
  app_hint(e, "'pfft3d --help' lists the commands");
  return e->status;
}

static int unknown_option(const char *text, const command *c, pfft3d_error *e) {
  char typed[64];
  const char *word = text + strspn(text, "-");
  snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
  nearest best = {.typed = typed};
  for (int i = 0; i < ROWS; i++)
    if (command_takes(c, table[i].name, NULL, 0)) nearest_try(&best, table[i].name);
  if (nearest_good(&best))
    app_fail(e, PFFT3D_ERR_USAGE, "unknown option '%.60s': did you mean --%s?", text, best.word);
  else
    app_fail(e, PFFT3D_ERR_USAGE, "unknown option '%.60s'", text);
  app_hint(e, "'pfft3d %s --help' lists the options", c->name);
  return e->status;
}

static int misplaced_option(const option_row *row, const command *c, pfft3d_error *e) {
  char fits[128] = "";
  for (int i = 0; i < COMMANDS; i++)
    if (command_takes(commands[i], row->name, NULL, 0))
      append_word(fits, sizeof fits, commands[i]->name);
  app_fail(e, PFFT3D_ERR_USAGE, "option --%s does not apply to '%s'", row->name, c->name);
  app_hint(e, "commands that take it: %s", fits);
  return e->status;
}

/* What getopt_long needs to know, from the table. */
static void getopt_tables(char *letters, struct option *names) {
  *letters++ = ':'; /* tell a missing value from an unknown option */
  for (int i = 0; i < ROWS; i++) {
    int value = table[i].form ? required_argument : no_argument;
    names[i] = (struct option){table[i].name, value, NULL, LONG_CODE + i};
    if (!table[i].letter) continue;
    *letters++ = table[i].letter;
    if (value == required_argument) *letters++ = ':';
  }
  *letters = 0;
  names[ROWS] = (struct option){NULL, 0, NULL, 0};
}

static const option_row *row_of(int code) {
  for (int i = 0; i < ROWS; i++)
    if (code == LONG_CODE + i || (table[i].letter && code == table[i].letter)) return &table[i];
  return NULL;
}

/* One answer of getopt_long. */
static int take_option(int code, char **argv, options *o, pfft3d_error *e) {
  const command *c = commands[o->command];
  int wrong = code == ':' || code == '?';
  const option_row *row = row_of(wrong ? optopt : code);
  if (!row) {
    char letter[3] = {'-', (char)optopt, 0};
    return unknown_option(optopt ? letter : argv[optind - 1], c, e);
  }
  if (wrong)
    return app_fail(e, PFFT3D_ERR_USAGE, "option --%s: %s", row->name,
                    code == ':' ? "a value is missing" : "takes no value");
  if (!command_takes(c, row->name, NULL, 0)) return misplaced_option(row, c, e);
  return set(row, optarg, o, e);
}

/* Relations between options. */
static int check_options(const options *o, pfft3d_error *e) {
  if (strcmp(o->json, "-") == 0 && strcmp(o->csv, "-") == 0)
    return app_fail(e, PFFT3D_ERR_USAGE, "--json - and --csv -: only one of them can have stdout");
  if (o->json[0] && strcmp(o->json, o->csv) == 0)
    return app_fail(e, PFFT3D_ERR_USAGE, "--json and --csv: both name '%.100s'", o->json);
  if (o->quiet && o->verbose)
    return app_fail(e, PFFT3D_ERR_USAGE, "--quiet and --verbose: only one of them makes sense");
  return PFFT3D_OK;
}

int options_parse(int argc, char **argv, options *o, pfft3d_error *e) {
  char letters[2 * ROWS + 2];
  struct option names[ROWS + 1];
  memset(o, 0, sizeof *o);
  if (argc > 1 && argv[1][0] != '-') {
    if (find_command(argv[1], o, e)) return e->status;
    argc--, argv++;
  }
  if (set_defaults(o, e)) return e->status;
  getopt_tables(letters, names);
  opterr = 0;
  optind = 0; /* glibc: start afresh */
  int code;
  while ((code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
    if (take_option(code, argv, o, e)) return e->status;
    if (o->help || o->version) return PFFT3D_OK;
  }
  if (optind < argc) {
    app_fail(e, PFFT3D_ERR_USAGE, "unexpected argument '%.60s'", argv[optind]);
    app_hint(e, "the command comes first: pfft3d [COMMAND] [OPTIONS]");
    return e->status;
  }
  return check_options(o, e);
}

pfft3d_request options_request(const options *o, const char *algo, const char *engine) {
  pfft3d_request r;
  pfft3d_request_init(&r);
  r.problem.kind = (pfft3d_kind)o->type;
  r.problem.precision = (pfft3d_precision)o->precision;
  memcpy(r.problem.n, o->grid, sizeof o->grid);
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", o->decomp);
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", engine);
  r.decision.order = (pfft3d_order)o->order;
  r.deterministic = o->deterministic;
  r.threads = (int)o->threads;
  return r;
}

/* ---- Help --------------------------------------------------------------------------------- */

static void help_option(const option_row *row, const char *own) {
  char left[64], letter[8] = "    ";
  const char *initial = own[0] ? own : row->initial;
  if (row->letter) snprintf(letter, sizeof letter, "-%c, ", row->letter);
  snprintf(left, sizeof left, "%s--%s %s", letter, row->name, row->form ? row->form : "");
  printf("  %-37s %s", left, row->help);
  if (initial) printf(" (%s)", initial);
  putchar('\n');
}

void options_help(const options *o) {
  const command *c = commands[o->command];
  if (o->command_named) {
    printf("Usage: pfft3d %s [OPTIONS]\n\n%s: %s\n\n%s\n", c->name, c->name, c->summary, c->about);
  } else {
    printf(
        "Usage: pfft3d [COMMAND] [OPTIONS]\n       mpirun -n P pfft3d [COMMAND] [OPTIONS]\n\n"
        "Distributed-memory parallel FFTs of three-dimensional fields.\n\nCommands:\n");
    for (int i = 0; i < COMMANDS; i++)
      printf("  %-10s %s%s\n", commands[i]->name, commands[i]->summary, i ? "" : " (the default)");
    printf("\n'pfft3d COMMAND --help' tells more of each.  %s", c->about);
    printf("\n");
  }
  printf("Options of %s (defaults in parentheses):\n", c->name);
  for (int i = 0; i < ROWS; i++) {
    char own[64] = "";
    if (command_takes(c, table[i].name, own, sizeof own)) help_option(&table[i], own);
  }
  printf("\nExit codes:\n  0  done and checked\n");
  for (int s = PFFT3D_ERR_USAGE; s <= PFFT3D_ERR_WATCHDOG; s++)
    if (strncmp(pfft3d_status_name(s), "unknown", 7) != 0)
      printf("  %d %s\n", s, pfft3d_status_name(s));
}
