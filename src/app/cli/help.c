/* SPDX-License-Identifier: BSD-3-Clause
 * Texts on commands and options: --help, the OPTIONS of the man page, and the reference of the
 * site.  All come from the same tables, so that they cannot contradict each other. */
#include "app/cli/help.h"

#include <stdio.h>
#include <string.h>

#include "app/cli/option_value.h"
#include "app/common/columns.h"

enum { TEXT_COLUMN = 36, WIDEST = 98, FORM = 64, TEXT = 400 };

/* ---- --help ------------------------------------------------------------------------------- */

/* Prints `text` from column `column` of the line on, in lines that fit the window; all but the
 * first begin at TEXT_COLUMN. */
static void print_wrapped(const char *text, int column) {
  int width = columns() < WIDEST ? columns() : WIDEST;
  while (*text) {
    int word = (int)strcspn(text, " ");
    if (column > TEXT_COLUMN && column + 1 + word > width)
      column = printf("\n%*s", TEXT_COLUMN, "") - 1;
    column += printf("%s%.*s", column > TEXT_COLUMN ? " " : "", word, text);
    text += word;
    text += strspn(text, " ");
  }
}

/* Prints paragraphs, whose lines are joined and broken again to fit the window; indented lines stay
 * as they are. */
static void print_paragraphs(const char *text) {
  int width = columns() < WIDEST ? columns() : WIDEST, column = 0;
  char last = 0; /* of the word before */
  while (*text) {
    size_t length = strcspn(text, "\n");
    int flows = length && *text != ' ';
    if (column && !flows) putchar('\n'), column = 0;
    if (!flows) printf("%.*s\n", (int)length, text);
    for (const char *end = text + length; flows && text < end; length = (size_t)(end - text)) {
      int word = (int)strcspn(text, " \n"), gap = !column ? 0 : last == '.' ? 2 : 1;
      if (column && column + gap + word > width) putchar('\n'), column = gap = 0;
      column += printf("%*s%.*s", gap, "", word, text);
      last = text[word - 1];
      text += word;
      text += strspn(text, " ");
    }
    text += length;
    text += *text == '\n';
  }
  if (column) putchar('\n');
}

/* The effect of leaving out the option, in words, for a command: a clause of "128; transform: that
 * of the input", its own or the first. */
static void clause_of(const char *words, const char *name, char *text, size_t size) {
  size_t length = strlen(name);
  const char *from = words;
  for (const char *p = words; p; p = strstr(p, "; "), p = p ? p + 2 : NULL)
    if (strncmp(p, name, length) == 0 && p[length] == ':') from = p + length + 2;
  snprintf(text, size, "%.*s", (int)strcspn(from, ";"), from);
}

/* The default of an option of command `c`: a value, or words; "" for none. */
static void default_of(const option_row *row, const command *c, char *text, size_t size) {
  text[0] = 0;
  command_takes(c, row->name, text, size);
  if (text[0]) return;
  if (row->initial)
    snprintf(text, size, "%s", row->initial);
  else if (row->otherwise)
    clause_of(row->otherwise, c->name, text, size);
}

/* Form of the value and line of help of an option for command `c`, which may take a single name if
 * other commands take lists. */
static void words_of(const option_row *row, const command *c, char form[FORM], char text[TEXT]) {
  static const char both[] = "|both", lists[] = "names, all or auto";
  char *found;
  snprintf(form, FORM, "%s", row->form ? row->form : "");
  snprintf(text, TEXT, "%s", row->help);
  if (!c->single) return;
  if (row->read == read_names) snprintf(form, FORM, "NAME");
  if ((found = strstr(form, both))) *found = 0;
  if ((found = strstr(text, lists))) snprintf(found, sizeof lists, "a name or auto");
}

static void help_option(const option_row *row, const command *c) {
  char left[128], form[FORM], text[TEXT], initial[64], letter[8] = "    ";
  default_of(row, c, initial, sizeof initial);
  words_of(row, c, form, text);
  if (row->letter) snprintf(letter, sizeof letter, "-%c, ", row->letter);
  snprintf(left, sizeof left, "  %s--%s %s", letter, row->name, form);
  int column = printf("%s", left);
  if (column + 2 > TEXT_COLUMN) putchar('\n'), column = 0;
  column += printf("%*s", TEXT_COLUMN - column, "");
  size_t used = strlen(text);
  if (initial[0]) snprintf(text + used, sizeof text - used, " (%s)", initial);
  print_wrapped(text, column);
  putchar('\n');
}

static void help_usage(const options *o) {
  const command *c = commands[o->command];
  if (o->command_named) {
    printf("Usage: pfft3d %s%s%s [OPTIONS]\n\n%s: %s\n\n", c->name, c->arguments ? " " : "",
           c->arguments ? c->arguments : "", c->name, c->summary);
    print_paragraphs(c->about);
    putchar('\n');
    return;
  }
  printf(
      "Usage: pfft3d [COMMAND] [OPTIONS]\n       mpirun -n P pfft3d [COMMAND] [OPTIONS]\n\n"
      "Distributed-memory parallel FFTs in one, two and three dimensions.\n\nCommands:\n");
  for (int i = 0; commands[i]; i++)
    printf("  %-10s %s%s\n", commands[i]->name, commands[i]->summary, i ? "" : " (the default)");
  printf("\n'pfft3d COMMAND --help' tells more of each.  %s\n", c->about);
}

void help_print(const options *o) {
  const command *c = commands[o->command];
  help_usage(o);
  printf("Options of %s (defaults in parentheses):\n", c->name);
  for (int i = 0; i < option_rows; i++)
    if (command_takes(c, option_table[i].name, NULL, 0)) help_option(&option_table[i], c);
  printf("\nExit codes:\n  0  done and checked\n");
  for (int s = PFFT3D_ERR_USAGE; s <= PFFT3D_ERR_WATCHDOG; s++)
    if (strncmp(pfft3d_status_name(s), "unknown", 7) != 0)
      printf("  %d %s\n", s, pfft3d_status_name(s));
}

/* ---- The reference ------------------------------------------------------------------------ */

/* How a format writes its parts. */
typedef struct style {
  const char *name, *code[2]; /* code: before and after a word to type */
  int is_roff;
} style;

static const style styles[] = {{"man", {"\\fB", "\\fR"}, 1}, {"markdown", {"`", "`"}, 0}};
enum { STYLES = sizeof styles / sizeof styles[0] };

/* Prints a text in which `x` is a word to type.  In roff a minus there is no hyphen. */
static void print_text(const style *s, const char *text) {
  int inside = 0;
  for (; *text; text++) {
    if (*text == '`')
      fputs(s->code[inside], stdout), inside = !inside;
    else if (s->is_roff && (*text == '-' || *text == '\\'))
      printf("\\%c", *text == '-' ? '-' : 'e');
    else
      putchar(*text);
  }
}

static void print_code(const style *s, const char *text) {
  fputs(s->code[0], stdout);
  if (s->is_roff)
    print_text(s, text);
  else
    fputs(text, stdout);
  fputs(s->code[1], stdout);
}

/* Details, with the names of a list in place of @. */
static void print_details(const style *s, const option_row *row) {
  char names[200] = "", before[400];
  const char *mark = strchr(row->details, '@'), *name;
  if (!mark) {
    print_text(s, row->details);
    return;
  }
  for (int i = 0; (name = pfft3d_list_name((pfft3d_list)row->min, i, NULL)); i++)
    append_word(names, sizeof names, name);
  snprintf(before, sizeof before, "%.*s", (int)(mark - row->details), row->details);
  print_text(s, before);
  print_text(s, names);
  print_text(s, mark + 1);
}

/* Prints the names that an option takes in addition to auto, with their registered summaries. */
static void print_names(const style *s, const option_row *row) {
  const char *name, *summary;
  int one = row->read == read_key && row->form && strcmp(row->form, "NAME") == 0;
  if (row->read != read_names && !one) return;
  printf("%s", s->is_roff ? "Names:" : "\n  Names:\n\n");
  for (int i = 0; (name = pfft3d_list_name((pfft3d_list)row->min, i, &summary)); i++) {
    printf("%s", s->is_roff ? (i ? ";\n" : "\n") : "  - ");
    print_code(s, name);
    printf(s->is_roff ? " (" : ": ");
    print_text(s, summary);
    printf(s->is_roff ? ")" : "\n");
  }
  printf(s->is_roff ? ".\n" : "\n");
}

/* Prints the default, and other defaults of commands. */
static void print_defaults(const style *s, const option_row *row) {
  const char *common = row->initial ? row->initial : row->otherwise;
  if (!common) return;
  printf("%sDefault: ", s->is_roff ? "" : "  ");
  print_text(s, common);
  for (int i = 0; commands[i]; i++) {
    char own[64] = "";
    if (!command_takes(commands[i], row->name, own, sizeof own) || !own[0]) continue;
    if (strncmp(common, own, strlen(own)) == 0 && strchr(";", common[strlen(own)])) continue;
    printf("; %s: ", commands[i]->name);
    print_text(s, own);
  }
  printf(".\n");
}

/* Prints the commands that take an option: a list, or all, or all except for some. */
static void print_commands(const style *s, const option_row *row) {
  char with[128] = "", without[128] = "";
  int count = 0, all = 0;
  for (; commands[all]; all++) {
    int takes = command_takes(commands[all], row->name, NULL, 0) != NULL;
    append_word(takes ? with : without, sizeof with, commands[all]->name);
    count += takes;
  }
  int most = all - count < count;
  printf("%sCommands: %s%s.\n", s->is_roff ? "" : "  ",
         count == all ? "all"
         : most       ? "all but "
                      : "",
         count == all ? ""
         : most       ? without
                      : with);
}

static void reference_option(const style *s, const option_row *row) {
  char word[80];
  snprintf(word, sizeof word, "--%s%s%s", row->name, row->form ? " " : "",
           row->form ? row->form : "");
  fputs(s->is_roff ? ".It " : "", stdout);
  if (row->letter) {
    char letter[] = {'-', row->letter, 0};
    print_code(s, letter);
    fputs(", ", stdout);
  }
  print_code(s, word);
  printf(s->is_roff ? "\n" : "\n: ");
  printf("%c",
         row->help[0] >= 'a' && row->help[0] <= 'z' ? row->help[0] - 'a' + 'A' : row->help[0]);
  print_text(s, row->help + 1);
  printf(".\n");
  if (row->details) {
    fputs(s->is_roff ? "" : "  ", stdout);
    print_details(s, row);
    putchar('\n');
  }
  print_names(s, row);
  print_defaults(s, row);
  print_commands(s, row);
  if (!s->is_roff) putchar('\n');
}

/* Prints the head of `pfft3d COMMAND --help`, before the options. */
static void reference_command(const command *c) {
  int is_default = commands[0] == c;
  printf("### %s\n\n%c%s%s.\n\n```text\n%s```\n\n", c->name, c->summary[0] - 'a' + 'A',
         c->summary + 1, is_default ? "; the default command" : "", c->about);
}

int help_reference(const char *format) {
  const style *s = styles;
  while (s < styles + STYLES && strcmp(s->name, format) != 0) s++;
  if (s == styles + STYLES) return PFFT3D_ERR_USAGE;
  if (!s->is_roff) {
    printf(
        "# Commands and options\n\n    mpirun -n P pfft3d [COMMAND] [OPTIONS]\n\n## Commands\n\n");
    for (int i = 0; commands[i]; i++) reference_command(commands[i]);
    printf("## Options\n\n");
  }
  for (int i = 0; i < option_rows; i++) reference_option(s, &option_table[i]);
  return PFFT3D_OK;
}
