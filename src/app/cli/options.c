/* SPDX-License-Identifier: BSD-3-Clause
 * The command line: getopt_long finds the options of one table (option_table.c), and a strict
 * reader for each kind of value (option_value.c) reads them.  Which options a command takes, and
 * with which defaults, is the command's own business (its `options` string). */
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

enum { LONG_CODE = 1000 };

const command *command_at(int index) {
  return index >= 0 && index < COMMANDS ? commands[index] : NULL;
}

const char *command_takes(const command *c, const char *name, char *initial, size_t size) {
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
  for (int i = 0; i < option_rows; i++)
    if (strcmp(option_table[i].name, name) == 0) return (o->given >> i) & 1;
  return 0;
}

int options_takes(const options *o, const char *name) {
  return command_takes(commands[o->command], name, NULL, 0) != NULL;
}

static int set(const option_row *row, const char *text, options *o, pfft3d_error *e) {
  return row->read(row, text, (char *)o + row->offset, e);
}

static int set_defaults(options *o, pfft3d_error *e) {
  for (int i = 0; i < option_rows; i++) {
    char own[64] = "";
    command_takes(commands[o->command], option_table[i].name, own, sizeof own);
    const char *initial = own[0] ? own : option_table[i].initial;
    if (initial && set(&option_table[i], initial, o, e)) return e->status;
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
  for (int i = 0; i < option_rows; i++)
    if (command_takes(c, option_table[i].name, NULL, 0)) nearest_try(&best, option_table[i].name);
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
  for (int i = 0; i < option_rows; i++) {
    int value = option_table[i].form ? required_argument : no_argument;
    names[i] = (struct option){option_table[i].name, value, NULL, LONG_CODE + i};
    if (!option_table[i].letter) continue;
    *letters++ = option_table[i].letter;
    if (value == required_argument) *letters++ = ':';
  }
  *letters = 0;
  names[option_rows] = (struct option){NULL, 0, NULL, 0};
}

static const option_row *row_of(int code) {
  for (int i = 0; i < option_rows; i++)
    if (code == LONG_CODE + i || (option_table[i].letter && code == option_table[i].letter))
      return &option_table[i];
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
  o->given |= 1ull << (row - option_table);
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
  char letters[2 * MAX_OPTIONS + 2];
  struct option names[MAX_OPTIONS + 1];
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
  r->line = 1;
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
  pfft3d_request_init(&r);
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
