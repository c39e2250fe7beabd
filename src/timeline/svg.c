/* SPDX-License-Identifier: BSD-3-Clause
 * The drawing of a timeline: a panel for each plan and call of it, with a lane for each rank: what
 * the rank does, and below it whether messages to or from it are on their way.  All panels have the
 * same scale, so that their lengths can be compared.  Colours are those of Okabe and Ito, Color
 * universal design, 2008, which people with defective colour vision tell apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/simulate.h"
#include "timeline/timeline.h"

enum { LANES = 32, COLUMNS = 780, LEFT = 110, WIDTH = 920 };
enum { WORK = 16, TRAVEL = 5, LANE = 26, HEAD = 68, FOOT = 34, TOP = 38 };

/* A call that is drawn. */
typedef struct panel {
  pf_panel of;
  int columns;
  double seconds[2][PF_STATES]; /* sums over all ranks */
} panel;

typedef struct drawing {
  const pf_record *r;
  FILE *f; /* on rank 0 */
  panel panel[PF_PANELS];
  int panels, left_out, lanes, step; /* of the ranks every step-th one is drawn */
  double each;                       /* seconds of a column */
  unsigned char *columns;            /* on rank 0: of a panel, of all ranks */
  char (*host)[64];                  /* on rank 0: of all ranks, or empty */
} drawing;

static const struct {
  const char *style, *light, *dark, *words;
} looks[PF_STATES + 1] = {
    [PF_STATE_OTHER] = {"other", "#d0d7de", "#3d444d", "other"},
    [PF_STATE_POST] = {"post", "#e69f00", "#e69f00", "starts and drives messages"},
    [PF_STATE_WAIT] = {"wait", "#d55e00", "#d55e00", "waits"},
    [PF_STATE_BARRIER] = {"barrier", "#cc79a7", "#cc79a7", "barrier"},
    [PF_STATE_FUNCTION] = {"function", "#f0e442", "#f0e442", "function between transforms"},
    [PF_STATE_LOCAL] = {"local", "#00543d", "#00543d", "work outside stages"},
    [PF_STATE_STAGE] = {"s0", "#0072b2", "#0072b2", "first stage"},
    [PF_STATE_STAGE + 1] = {"s1", "#56b4e9", "#56b4e9", "second stage"},
    [PF_STATE_STAGE + 2] = {"s2", "#009e73", "#009e73", "third stage"},
    [PF_STATE_STAGE + 3] = {"s3", "#8fd3bd", "#8fd3bd", "later stages"},
    [PF_STATES] = {"net", "#57606a", "#9da7b3", "messages are on their way"}};

/* ---- shapes and words ---- */

static void put_head(const drawing *d, int height) {
  FILE *f = d->f;
  fprintf(
      f,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
      "height=\"%d\" role=\"img\" aria-labelledby=\"t\">\n<title id=\"t\">What %d ranks do "
      "during transforms</title>\n<style>\n"
      "text { font: 14px system-ui, \"DejaVu Sans\", sans-serif; fill: #1f2328 }\n"
      ".title { font-weight: 600 } .note { font-size: 12px; fill: #57606a } .end { text-anchor: "
      "end } .mid { text-anchor: middle }\n.bg { fill: #ffffff; stroke: #d0d7de } .axis { "
      "stroke: #8c959f; fill: none }\n",
      WIDTH, height, WIDTH, height, d->r->t->ranks);
  for (int s = 0; s <= PF_STATES; s++)
    fprintf(f, ".%s { fill: %s }\n", looks[s].style, looks[s].light);
  fputs(
      "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #9da7b3 } "
      ".bg { fill: #131719; stroke: #3d444d }\n",
      f);
  for (int s = 0; s <= PF_STATES; s++)
    if (strcmp(looks[s].light, looks[s].dark) != 0)
      fprintf(f, ".%s { fill: %s }\n", looks[s].style, looks[s].dark);
  fprintf(
      f,
      "}\n</style>\n<rect class=\"bg\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
      WIDTH - 1, height - 1);
}

/* The states that occur, and what their colours mean. */
static void put_legend(const drawing *d) {
  double x = 16, y = 22;
  for (int s = 0; s <= PF_STATES; s++) {
    double sum = 0;
    for (int k = 0; k < d->panels; k++)
      for (int busy = 0; busy < 2; busy++)
        for (int i = 0; i < PF_STATES; i++)
          sum += i == s || (s == PF_STATES && busy) ? d->panel[k].seconds[busy][i] : 0;
    if (!(sum > 0) || (s == PF_STATE_OTHER && sum < 1e-3 * d->each * COLUMNS)) continue;
    double width = 30 + 6.4 * (double)strlen(looks[s].words);
    if (x + width > WIDTH) x = 16, y += 20;
    fprintf(d->f,
            "<rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"14\" height=\"%d\"/>"
            "<text class=\"note\" x=\"%.0f\" y=\"%.0f\">%s</text>\n",
            looks[s].style, x, s == PF_STATES ? y - 7 : y - 11, s == PF_STATES ? TRAVEL : 12,
            x + 19, y, looks[s].words);
    x += width;
  }
}

static const char *seconds_text(double s, char text[32]) {
  if (s < 1e-3)
    snprintf(text, 32, "%.3g us", 1e6 * s);
  else if (s < 1)
    snprintf(text, 32, "%.4g ms", 1e3 * s);
  else
    snprintf(text, 32, "%.4g s", s);
  return text;
}

/* Text of a plan may be from outside. */
static void put_plain(FILE *f, const char *text) {
  for (; *text; text++) putc((unsigned char)*text < ' ' || strchr("<>&", *text) ? '?' : *text, f);
}

/* The part of `text` behind a key; "" if it is not there. */
static void value_of(const char *text, const char *key, char value[32]) {
  const char *at = strstr(text, key);
  value[0] = 0;
  if (at) snprintf(value, 32, "%.*s", (int)strcspn(at + strlen(key), " "), at + strlen(key));
}

/* The shares of the time of all ranks, in words. */
static void put_words(const drawing *d, const panel *p, double y) {
  double sum[2] = {0}, computes[2] = {0}, post = 0, wait = 0, all;
  for (int busy = 0; busy < 2; busy++)
    for (int s = 0; s < PF_STATES; s++) {
      double seconds = p->seconds[busy][s];
      sum[busy] += seconds;
      if (pf_state_computes((pf_state)s)) computes[busy] += seconds;
      if (s == PF_STATE_POST) post += seconds;
      if (s == PF_STATE_WAIT || s == PF_STATE_BARRIER) wait += seconds;
    }
  all = (p->of.end - p->of.begin) * d->r->t->ranks;
  if (!(all > 0)) return;
  char text[32];
  fprintf(d->f,
          "<text class=\"note\" x=\"16\" y=\"%.0f\">%s: the ranks compute for %.0f %% of it, start "
          "and drive messages for %.0f %%, wait for %.0f %%.</text>\n",
          y, seconds_text(p->of.end - p->of.begin, text), 100 * (computes[0] + computes[1]) / all,
          100 * post / all, 100 * wait / all);
  fprintf(d->f, "<text class=\"note\" x=\"16\" y=\"%.0f\">", y + 17);
  if (sum[1] > 0)
    fprintf(
        d->f,
        "Messages are on their way for %.0f %% of it; the ranks compute during %.0f %% of that, "
        "which is hidden.",
        100 * sum[1] / all, 100 * computes[1] / sum[1]);
  else
    fputs("No messages.", d->f);
  fputs("</text>\n", d->f);
}

static void put_run(FILE *f, int style, int from, int to, double y, int height) {
  if (style >= 0)
    fprintf(f, "<rect class=\"%s\" x=\"%d\" y=\"%.0f\" width=\"%d\" height=\"%d\"/>\n",
            looks[style].style, LEFT + from, y, to - from, height);
}

/* Equal neighbours are one rectangle. */
static void put_lane(FILE *f, const unsigned char *state, const unsigned char *travels, int columns,
                     double y) {
  for (int which = 0; which < 2; which++) {
    const unsigned char *list = which ? travels : state;
    for (int k = 0, from = 0; k < columns; k++) {
      if (k + 1 < columns && list[k + 1] == list[from]) continue;
      int style = which ? (list[from] ? PF_STATES : -1) : list[from] - 1;
      put_run(f, style, from, k + 1, which ? y + WORK + 1 : y, which ? TRAVEL : WORK);
      from = k + 1;
    }
  }
}

/* A scale with steps of 1, 2 or 5 times a power of ten. */
static void put_axis(const drawing *d, const panel *p, double y) {
  double whole = d->each * COLUMNS, step = pow(10, floor(log10(whole / 5)));
  char text[32];
  if (whole / step > 10) step *= whole / step > 20 ? 5 : 2;
  fprintf(d->f, "<path class=\"axis\" d=\"M%d %.1fH%d\"/>\n", LEFT, y, LEFT + p->columns);
  for (int k = 0; k * step <= p->columns * d->each * (1 + 1e-9); k++) {
    double x = LEFT + k * step / d->each;
    fprintf(d->f,
            "<path class=\"axis\" d=\"M%.1f %.1fv5\"/><text class=\"note mid\" x=\"%.1f\" "
            "y=\"%.0f\">%s</text>\n",
            x, y, x, y + 18, k ? seconds_text(k * step, text) : "0");
  }
}

static void put_panel(const drawing *d, const panel *p, double y) {
  const pf_event *call = &d->r->event[d->r->call[p->of.call]];
  const char *plan = d->r->t->plan[call->number];
  char name[48], exchange[32];
  value_of(plan, "exchange=", exchange);
  fprintf(d->f, "<text class=\"title\" x=\"16\" y=\"%.0f\">%s%s%s</text>\n", y + 18, exchange,
          exchange[0] ? ", " : "", pf_event_name(call, name));
  fprintf(d->f, "<text class=\"note end\" x=\"%d\" y=\"%.0f\">", WIDTH - 16, y + 18);
  put_plain(d->f, plan);
  fputs("</text>\n", d->f);
  put_words(d, p, y + 38);
  for (int i = 0; i < d->lanes; i++) {
    int rank = i * d->step;
    const unsigned char *mine = d->columns + (size_t)rank * 2 * COLUMNS;
    double at = y + HEAD + i * LANE;
    fprintf(d->f, "<text class=\"note end\" x=\"%d\" y=\"%.0f\">rank %d ", LEFT - 8, at + 13, rank);
    put_plain(d->f, d->host[rank]);
    fputs("</text>\n", d->f);
    put_lane(d->f, mine, mine + COLUMNS, p->columns, at);
  }
  put_axis(d, p, y + HEAD + d->lanes * LANE);
}

/* ---- all ranks together ---- */

/* Profiles of a panel on all ranks: columns for rank 0, sums for all. */
static int profile(drawing *d, panel *p, pfft3d_error *e) {
  unsigned char mine[2 * COLUMNS] = {0};
  MPI_Comm comm = d->r->t->comm;
  pf_profile one = {.state = mine, .travels = mine + COLUMNS};
  pf_profile_make(d->r, p->of.call, p->of.begin, d->each, p->columns, &one, e);
  PF_TRY(pf_agree(comm, e));
  int code = MPI_Allreduce(one.seconds, p->seconds, 2 * PF_STATES, MPI_DOUBLE, MPI_SUM, comm);
  if (code == MPI_SUCCESS)
    code = MPI_Gather(mine, 2 * COLUMNS, MPI_BYTE, d->columns, 2 * COLUMNS, MPI_BYTE, 0, comm);
  return pf_mpi(e, code, "MPI_Gather");
}

/* The hosts of all ranks, if there are several. */
static int find_hosts(drawing *d, pfft3d_error *e) {
  char name[MPI_MAX_PROCESSOR_NAME] = "", mine[64] = "";
  int length, several = 0, ranks = d->r->t->ranks;
  MPI_Get_processor_name(name, &length);
  snprintf(mine, sizeof mine, "%.*s", (int)strcspn(name, "."), name);
  if (strlen(mine) > 8) memmove(mine, mine + strlen(mine) - 8, 9);
  int code = MPI_Gather(mine, 64, MPI_CHAR, d->host, 64, MPI_CHAR, 0, d->r->t->comm);
  for (int k = 0; k < ranks && d->f; k++) several |= strcmp(d->host[k], d->host[0]) != 0;
  for (int k = 0; k < ranks && d->f && !several; k++) d->host[k][0] = 0;
  return pf_mpi(e, code, "MPI_Gather");
}

static void put_foot(const drawing *d, double y) {
  char text[32];
  fprintf(d->f,
          "<text class=\"note\" x=\"16\" y=\"%.0f\">Calls of median time. On their way: sent and "
          "not yet found by the receiver. ",
          y);
  if (PF_SIMULATED)
    fputs("Times of a simulated machine.", d->f);
  else
    fprintf(d->f, "Clocks of the ranks agree within %s.", seconds_text(d->r->clock_error, text));
  if (d->step > 1) fprintf(d->f, " Every %d. of %d ranks is drawn.", d->step, d->r->t->ranks);
  if (d->left_out) fprintf(d->f, " %d more calls are not drawn.", d->left_out);
  fputs("</text>\n</svg>\n", d->f);
}

static int draw(drawing *d, pfft3d_error *e) {
  int height = HEAD + FOOT + d->lanes * LANE, top = TOP;
  PF_TRY(find_hosts(d, e));
  FILE *f = d->f;
  char *text = NULL;
  size_t length = 0;
  if (f && !(d->f = open_memstream(&text, &length)))
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the drawing of a timeline");
  PF_TRY(pf_agree(d->r->t->comm, e));
  for (int k = 0; k < d->panels && !profile(d, &d->panel[k], e); k++)
    if (f) put_panel(d, &d->panel[k], top + k * height);
  if (f) fclose(d->f);
  d->f = f;
  if (f && !e->status) { /* the legend has the states of all panels */
    int end = top + d->panels * height;
    put_head(d, end + 24);
    put_legend(d);
    fwrite(text, 1, length, f);
    if (!d->panels)
      fprintf(f, "<text class=\"note\" x=\"16\" y=\"%d\">No call was recorded as a whole.</text>\n",
              end - 30);
    put_foot(d, end + 8);
  }
  free(text);
  return e->status;
}

/* The panels, on a common scale. */
static void set_panels(drawing *d, const pf_panels *p) {
  double longest = 0;
  for (int k = 0; k < p->count; k++) longest = fmax(longest, p->panel[k].end - p->panel[k].begin);
  d->each = longest > 0 ? longest / COLUMNS : 1;
  d->panels = p->count;
  d->left_out = p->left_out;
  for (int k = 0; k < p->count; k++) {
    const pf_panel *of = &p->panel[k];
    int columns = (int)ceil((of->end - of->begin) / d->each - 1e-9);
    d->panel[k] = (panel){.of = *of,
                          .columns = columns > COLUMNS ? COLUMNS
                                     : columns > 1     ? columns
                                                       : 1};
  }
}

int pf_timeline_svg(const pf_record *r, FILE *f, pfft3d_error *e) {
  pf_panels panels;
  int ranks = r->t->ranks;
  PF_TRY(pf_panels_find(r, &panels, e));
  drawing *d = calloc(1, sizeof *d);
  if (d) {
    d->columns = malloc(f ? (size_t)ranks * 2 * COLUMNS : 1);
    d->host = calloc(f ? (size_t)ranks : 1, sizeof *d->host);
  }
  if (!d || !d->columns || !d->host)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the drawing of a timeline");
  if (!pf_agree(r->t->comm, e) && d) {
    d->r = r;
    d->f = f;
    d->step = (ranks + LANES - 1) / LANES;
    d->lanes = (ranks + d->step - 1) / d->step;
    set_panels(d, &panels);
    draw(d, e);
  }
  if (d) free(d->columns), free(d->host);
  free(d);
  return e->status;
}
