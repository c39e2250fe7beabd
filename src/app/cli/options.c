/* SPDX-License-Identifier: BSD-3-Clause
 * The command line: getopt_long finds the options of one table (option_table.c), and a strict
 * reader for each kind of value (option_value.c) reads them. The `options` string of each command
 * lists its options and their defaults. */
#include "app/cli/options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/option_value.h"
#include "app/common/message.h"

#define COMMAND(name) extern const command cmd_##name;
#include "app/cli/command_list.h"
#undef COMMAND

const command *const commands[] = {
#define COMMAND(name) &cmd_##name,
#include "app/cli/command_list.h"
#undef COMMAND
    NULL,
};

enum { COMMANDS = sizeof commands / sizeof commands[0] - 1 };

enum { LONG_CODE = 1000 };

const char *command_takes(const command *c, const char *name, char *initial, size_t size) {
  const char *found = list_find(c->options, name);
  if (!found) return list_find("help version", name);
  const char *behind = found + strlen(name);
  if (*behind == '=') snprintf(initial, size, "%.*s", (int)strcspn(behind + 1, " "), behind + 1);
  return found;
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
  if (strcmp(word, "version") == 0)
    app_fail(e, PFFT3D_ERR_USAGE, "unknown command 'version': did you mean --version?");
  else if (nearest_good(&best))
    app_fail(e, PFFT3D_ERR_USAGE, "unknown command '%.60s': did you mean '%s'?", word, best.word);
  else
    app_fail(e, PFFT3D_ERR_USAGE, "unknown command '%.60s'", word);
  app_hint(e, "'pfft3d --help' lists the commands");
  return e->status;
}

static int unknown_option(const char *text, const command *c, pfft3d_error *e) {
  char typed[64];
  const char *word = text + strspn(text, "-");
  snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
  nearest best = {.typed = typed};
  nearest_try(&best, "help");
  nearest_try(&best, "version");
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
  if (strcmp(row->name, "ranks") == 0)
    app_hint(e, "ranks are started by mpirun -n P pfft3d %s ...; --ranks is for: %s", c->name,
             fits);
  else
    app_hint(e, "commands that take it: %s", fits);
  return e->status;
}

/* Fills the tables of getopt_long, for which --algo is --exchange, its name since 1.1. */
static void getopt_tables(char *letters, struct option *names) {
  *letters++ = ':'; /* distinguishes a missing value from an unknown option */
  for (int i = 0; i < option_rows; i++) {
    const char *form = option_table[i].form;
    int value = !form ? no_argument : form[0] == '[' ? optional_argument : required_argument;
    names[i] = (struct option){option_table[i].name, value, NULL, LONG_CODE + i};
    if (!option_table[i].letter) continue;
    *letters++ = option_table[i].letter;
    if (value == required_argument) *letters++ = ':';
  }
  *letters = 0;
  names[option_rows] = (struct option){"algo", required_argument, NULL, 'a'};
  names[option_rows + 1] = (struct option){NULL, 0, NULL, 0};
}

static const option_row *row_of(int code) {
  for (int i = 0; i < option_rows; i++)
    if (code == LONG_CODE + i || (option_table[i].letter && code == option_table[i].letter))
      return &option_table[i];
  return NULL;
}

/* Handles one result of getopt_long. */
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
  size_t used = strlen(o->given);
  if (!options_given(o, row->name))
    snprintf(o->given + used, sizeof o->given - used, "%s ", row->name);
  const char *text = optarg;
  if (!text && row->form && argv[optind] && argv[optind][0] != '-') text = argv[optind++];
  return set(row, text, o, e);
}

/* What a word that no option takes may have meant. */
static const char *argument_hint(const char *word, const command *c) {
  int takes_files = command_takes(c, "input", NULL, 0) != NULL;
  if (*word && !word[strspn(word, "0123456789x")])
    return "sizes are joined by x: --grid 64x48x50, or --size 1024 for a line";
  if (takes_files && strchr(word, '.')) return "files are named by --input FILE and --output FILE";
  return "the command comes first: pfft3d [COMMAND] [OPTIONS]";
}

/* Reads the arguments that are not options, as many as the command has names for them. */
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
        app_hint(e, "%s", argument_hint(words[i], c));
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

/* Reads the command and the options; *rest becomes the first other argument. */
static int read_options(int argc, char **argv, options *o, char ***rest, pfft3d_error *e) {
  char letters[2 * MAX_OPTIONS + 2];
  struct option names[MAX_OPTIONS + 2];
  memset(o, 0, sizeof *o);
  o->norm = NORM_NONE;
  o->latency = o->bandwidth = -1;
  o->nas_class = -1;
  if (argc > 1 && strcmp(argv[1], "help") == 0) {
    o->help = 1;
    argc--, argv++;
  }
  if (argc > 1 && argv[1][0] != '-') {
    if (find_command(argv[1], o, e)) return e->status;
    argc--, argv++;
  }
  if (set_defaults(o, e)) return e->status;
  if (o->help) return PFFT3D_OK;
  getopt_tables(letters, names);
  opterr = 0;
  optind = 0; /* resets glibc's getopt */
  int code;
  while ((code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
    if (take_option(code, argv, o, e)) return e->status;
    if (o->help || o->version) return PFFT3D_OK;
  }
  *rest = argv + optind;
  return PFFT3D_OK;
}

/* Most commands run with one number of threads. */
static int check_threads(const options *o, pfft3d_error *e) {
  if (o->thread_list.count < 2 || commands[o->command]->many_threads) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE, "--threads: '%s' takes one number, there are %d",
                  commands[o->command]->name, o->thread_list.count);
}

int options_parse(int argc, char **argv, options *o, pfft3d_error *e) {
  char **rest;
  if (read_options(argc, argv, o, &rest, e) || o->help || o->version) return e->status;
  int count = (int)(argv + argc - rest);
  return take_arguments(count, rest, o, e) || check_threads(o, e) || options_check(o, e)
             ? e->status
             : PFFT3D_OK;
}

const options *options_early(int argc, char **argv) {
  static options o;
  pfft3d_error e = {0};
  char **rest;
  read_options(argc, argv, &o, &rest, &e); /* errors are reported later, once */
  return &o;
}
