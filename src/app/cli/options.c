/* SPDX-License-Identifier: BSD-3-Clause
 * The command line: one table of all options, getopt_long to find them, and a strict reader for
 * each kind of value (option_value.c).  Which options a command takes, and with which defaults, is
 * the command's own business (its `options` string), read by the same code. */
#include "app/cli/options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/app.h"
#include "app/cli/message.h"
#include "app/cli/option_value.h"

#define COMMAND(name) extern const command cmd_##name;
#include "app/cli/command_list.h"
#undef COMMAND

static const command *const commands[] = {
#define COMMAND(name) &cmd_##name,
#include "app/cli/command_list.h"
#undef COMMAND
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const command *command_at(int index) {
  return index >= 0 && index < COMMANDS ? commands[index] : NULL;
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
  {"grid", 'g', read_grid, AT(grid), 1, MAX_EXTENT, NULL, "N|N0xN1|N0xN1xN2",
   "size of the global array; one number makes a cube, two a plane"},
  {"size", 0, read_size, AT(size), 1, MAX_EXTENT, NULL, "N|B^E|NM",
   "points of a line: a number, a power, or a number of K, M or G (1024, ...)"},
  CHOICE("layout", layout[PFFT3D_SPACE], "block", "block|cyclic",
         "how a line is dealt out to the ranks: neighbours together, or in turn"),
  {"out-layout", 0, read_choice, AT(layout[PFFT3D_SPECTRUM]), 0, 0, NULL, "block|cyclic",
   "how its spectrum is, in natural order (as --layout)"},
  {"method", 0, read_names, AT(method), PFFT3D_METHODS, 0, "auto", "NAME,...",
   "for lines (see 'pfft3d info'), auto, all, or a list"},
  {"algo", 'a', read_names, AT(algo), PFFT3D_EXCHANGES, 0, "auto", "NAME,...",
   "exchange (see 'pfft3d info'), auto, all, or a list"},
  {"chunk", 0, read_bytes, AT(chunk), 1, MAX_EXTENT, NULL, "BYTES",
   "messages of rows hold so many bytes at least (128K, or an eighth of a plane's)"},
  {"decomp", 0, read_name, AT(decomp), PFFT3D_SCHEMES, 0, "auto", "NAME",
   "decomposition over the ranks (see 'pfft3d info')"},
  {"pgrid", 0, read_pgrid, AT(pgrid), 1, MAX_RANKS, NULL, "P1xP2",
   "ranks along axes 0 and 1 of the field; means --decomp pencil"},
  {"engine", 'e', read_names, AT(engine), PFFT3D_ENGINES, 0, "auto", "NAME,...",
   "local transforms (see 'pfft3d info'), auto, all, or a list"},
  CHOICE("type", type, NULL, "c2c|r2c", "complex fields, or real ones and half their spectrum"),
  CHOICE("precision", precision, "double", "double|single", "floating point type"),
  CHOICE("wire", wire, "double", "double|single",
         "numbers between ranks: as the data, or rounded to single precision and half as large"),
  CHOICE("direction", direction, "both", "forward|backward|both", "sign of the exponent: -, +, both"),
  CHOICE("order", order, "transposed", "transposed|natural|scrambled",
         "spectrum distributed as it comes (scrambled, that is, of lines), saves an exchange, or "
         "like the field"),
  CHOICE("class", nas_class, NULL, NAS_CLASSES, "of the benchmark: 64^3 (S) to 4096x2048x2048 (E)"),
  TEXT("compare", 0, original, "FILE", "output of the original benchmark, to print beside"),
  NUMBER("batch", 0, batch, 1, 1000000, "1", "B", "fields that are transformed together"),
  NUMBER("threads", 't', threads, 1, 4096, "1", "N", "OpenMP threads of each rank"),
  NUMBER("node-ranks", 0, node_ranks, 1, MAX_RANKS, NULL, "R",
         "take R neighbouring ranks for a node (as found; explain: 1)"),
  NUMBER("reps", 'r', reps, 1, 100000, "5", "N", "timed repeats"),
  NUMBER("warmup", 'w', warmup, 0, 1000, "1", "N", "repeats before the clock runs"),
  NUMBER("seed", 's', seed, 0, INT64_MAX, "1", "N", "of the synthetic field"),
  FLAG("hpcc", 0, hpcc, "report as the G-FFT of HPC Challenge does, with its verdict"),
  FLAG("deterministic", 0, deterministic, "the same bits for every exchange and number of ranks"),
  TEXT("input", 'i', input, "F.h5[:/path]", "HDF5 dataset to read"),
  TEXT("output", 'o', output, "F.h5[:/path]", "HDF5 dataset to write"),
  FLAG("force", 'f', force, "replace an output file that exists"),
  FLAG("strict", 0, strict, "refuse an input with NaN or infinite values"),
  FLAG("verify-output", 0, verify_output, "read the output again before it gets its name"),
  NUMBER("ranks", 'n', ranks, 1, MAX_RANKS, NULL, "P", "number of ranks to explain (those of this run)"),
  FLAG("map", 0, map, "the best strategy for each of many grids and numbers of ranks"),
  {"grids", 0, read_counts, AT(grids), 1, 1 << 20, "64..4096", "N,N..M",
   "cubes of a map: numbers, and ranges that double"},
  {"rank-counts", 0, read_counts, AT(rank_counts), 1, MAX_RANKS, "1..65536x4", "P,P..Q,P..QxF",
   "numbers of ranks of a map; xF: ranges by factors of F"},
  TEXT("machine", 0, machine_file, "FILE",
       "description of a machine, as those in data/machines, for the model of costs"),
  {"latency", 0, read_real, AT(latency), 0, 1000, NULL, "S",
   "seconds before each message, in the model of costs (see the output)"},
  {"bandwidth", 0, read_real, AT(bandwidth), 1, INT64_MAX / 2, NULL, "B",
   "bytes per second of each rank in that model (see the output)"},
  {"threshold", 0, read_real, AT(threshold), 0, 1000, "1", "PERCENT",
   "differences smaller than this are not called differences"},
  TEXT("json", 'j', json, "FILE", "write the report as JSON; - is stdout, instead of the text"),
  TEXT("csv", 'c', csv, "FILE", "write one row per run; - is stdout, instead of the text"),
  TEXT("wisdom", 0, wisdom, "FILE",
       "what tune has found, none for no file ($XDG_CACHE_HOME/pfft3d/wisdom)"),
  FLAG("wisdom-required", 0, wisdom_required, "refuse to plan what wisdom does not know"),
  {"plan-budget", 0, read_real, AT(plan_budget), 0, 1000000, "2", "SECONDS",
   "for timing candidates where auto leaves a choice; 0: by the model alone"},
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
    for (const char *p = lists[l]; (p = strstr(p, name)); p += length) {
      if ((p > lists[l] && p[-1] != ' ') || !strchr("= ", p[length])) continue;
      if (p[length] == '=')
        snprintf(initial, size, "%.*s", (int)strcspn(p + length + 1, " "), p + length + 1);
      return p;
    }
  return NULL;
}

int options_given(const options *o, const char *name) {
  for (int i = 0; i < ROWS; i++)
    if (strcmp(table[i].name, name) == 0) return (o->given >> i) & 1;
  return 0;
}

int options_takes(const options *o, const char *name) {
  return command_takes(commands[o->command], name, NULL, 0) != NULL;
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
    const char *alias = commands[i]->alias;
    if (strcmp(word, commands[i]->name) == 0 || (alias && strcmp(word, alias) == 0)) {
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
  o->given |= 1ull << (row - table);
  return set(row, optarg, o, e);
}

/* What stands beside the options: as many files as the command has names for. */
static int take_arguments(int count, char **words, options *o, pfft3d_error *e) {
  const command *c = commands[o->command];
  const char *names = c->arguments ? c->arguments : "";
  for (int i = 0; i < count || *names; i++) {
    size_t length = strcspn(names, " ");
    if (!length) {
      app_fail(e, PFFT3D_ERR_USAGE, "unexpected argument '%.60s'", words[i]);
      if (c->arguments)
        app_hint(e, "it takes no more than: pfft3d %s %s", c->name, c->arguments);
      else
        app_hint(e, "the command comes first: pfft3d [COMMAND] [OPTIONS]");
      return e->status;
    }
    if (i >= count) {
      app_fail(e, PFFT3D_ERR_USAGE, "'%s': %.*s is missing", c->name, (int)length, names);
      app_hint(e, "for example: pfft3d %s %s", c->name, c->arguments);
      return e->status;
    }
    if (!words[i][0] || strlen(words[i]) >= FILE_SIZE)
      return app_fail(e, PFFT3D_ERR_USAGE, "%.*s: expected a name of 1 to %d characters",
                      (int)length, names, FILE_SIZE - 1);
    snprintf(o->argument[i], FILE_SIZE, "%s", words[i]);
    names += length;
    names += strspn(names, " ");
  }
  return PFFT3D_OK;
}

/* The command and the options; *rest is where what stands beside them begins. */
static int read_options(int argc, char **argv, options *o, char ***rest, pfft3d_error *e) {
  char letters[2 * ROWS + 2];
  struct option names[ROWS + 1];
  memset(o, 0, sizeof *o);
  o->type = TYPE_AUTO;
  o->layout[PFFT3D_SPECTRUM] = LAYOUT_SAME;
  o->latency = o->bandwidth = -1;
  o->nas_class = -1;
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
  *rest = argv + optind;
  return PFFT3D_OK;
}

int options_parse(int argc, char **argv, options *o, pfft3d_error *e) {
  char **rest;
  if (read_options(argc, argv, o, &rest, e) || o->help || o->version) return e->status;
  int count = (int)(argv + argc - rest);
  return take_arguments(count, rest, o, e) || options_check(o, e) ? e->status : PFFT3D_OK;
}

long long options_watchdog(int argc, char **argv) {
  static options o;
  pfft3d_error e = {0};
  char **rest;
  read_options(argc, argv, &o, &rest, &e); /* what is wrong is said later, and once */
  return o.watchdog;
}

/* Makes the request one for a line, where the options have its size. */
static void request_line(const options *o, pfft3d_request *r) {
  const ptrdiff_t n[3] = {1, 1, o->size};
  if (!o->size) return;
  r->problem.dims = 1;
  memcpy(r->problem.n, n, sizeof n);
  snprintf(r->decision.scheme, sizeof r->decision.scheme, "%s", o->method.name[0]);
  for (int side = PFFT3D_SPACE; side <= PFFT3D_SPECTRUM; side++) {
    int layout = o->layout[side];
    r->layout[side] =
        (pfft3d_distribution)(layout == LAYOUT_SAME ? o->layout[PFFT3D_SPACE] : layout);
  }
}

pfft3d_request options_request(const options *o, const char *algo, const char *engine) {
  pfft3d_request r;
  pf_request_init(&r);
  r.problem.kind = o->type == TYPE_AUTO ? PFFT3D_C2C : (pfft3d_kind)o->type;
  r.problem.precision = (pfft3d_precision)o->precision;
  memcpy(r.problem.n, o->grid, sizeof o->grid);
  r.problem.batch = (ptrdiff_t)o->batch;
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", o->decomp);
  memcpy(r.decision.grid, o->pgrid, sizeof o->pgrid);
  r.decision.chunk = o->chunk;
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", engine);
  r.decision.order = (pfft3d_order)o->order;
  r.wire = (pfft3d_precision)o->wire;
  r.deterministic = o->deterministic;
  r.threads = (int)o->threads;
  r.node_ranks = (int)o->node_ranks;
  r.max_count = (ptrdiff_t)o->max_count;
  r.plan_budget = o->plan_budget;
  r.wisdom = o->known;
  r.wisdom_required = o->wisdom_required;
  r.machine = o->machine;
  request_line(o, &r);
  return r;
}

int options_requests(const options *o, pfft3d_request *list, int most) {
  int methods = o->size ? o->method.count : 1, count = 0;
  for (int m = 0; m < methods; m++)
    for (int i = 0; i < o->algo.count; i++)
      for (int j = 0; j < o->engine.count && count < most; j++) {
        pfft3d_request r = options_request(o, o->algo.name[i], o->engine.name[j]);
        if (o->size) snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", o->method.name[m]);
        list[count++] = r;
      }
  return count;
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
    printf("Usage: pfft3d %s%s%s [OPTIONS]\n\n%s: %s\n\n%s\n", c->name, c->arguments ? " " : "",
           c->arguments ? c->arguments : "", c->name, c->summary, c->about);
  } else {
    printf(
        "Usage: pfft3d [COMMAND] [OPTIONS]\n       mpirun -n P pfft3d [COMMAND] [OPTIONS]\n\n"
        "Distributed-memory parallel FFTs in one, two and three dimensions.\n\nCommands:\n");
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
