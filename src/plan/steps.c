/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of a plan: lists of them, their runs and statistics, and three of the four types. The
 * fourth type, local work, is defined by the methods that need it (line/). */
#include <string.h>

#include "device/device.h"
#include "pipeline/views.h"
#include "plan/plan.h"
#include "request/axes.h"

/* ---- pipelines ---- */

static int run_pipeline(void *data, const pf_step_run *r) {
  return pf_pipelines_run(data, (pfft3d_direction)r->step->way, r->from, r->to, r->exchange,
                          r->stats);
}

static void describe_pipeline(const void *data, const pf_step *s, pfft3d_stats *stats) {
  pf_pipelines_describe(data, (pfft3d_direction)s->way, stats);
}

static int raw_pipeline(void *data, const pf_step *s, double *seconds) {
  return pf_pipelines_raw(data, (pfft3d_direction)s->way, seconds);
}

static int record_pipeline(void *data, pf_timeline *t, pfft3d_error *e) {
  return pf_pipelines_record(data, t, e);
}

static size_t bytes_pipeline(const void *data) {
  return pf_pipelines_bytes(data);
}

static void destroy_pipeline(void *data) {
  pf_pipelines_destroy(data);
}

const pf_step_ops pf_step_pipeline = {.name = "pipeline",
                                      .run = run_pipeline,
                                      .describe = describe_pipeline,
                                      .raw = raw_pipeline,
                                      .record = record_pipeline,
                                      .bytes = bytes_pipeline,
                                      .destroy = destroy_pipeline};

/* ---- edges: incomplete rows of a matrix ---- */

enum { BEFORE, AFTER };

static int run_edges(void *data, const pf_step_run *r) {
  pf_pipelines *p = data;
  pf_pipeline *w = &p->pipeline[r->step->way];
  const pf_views_ops *views = pf_views_of(p->geometry.decision.scheme);
  double start = pf_clock();
  int code = r->step->action == BEFORE ? views->before(p, w, r->from) : views->after(p, w, r->to);
  if (r->exchange) {
    r->stats->wait_s += pf_clock() - start;
    pf_stats_add_messages(r->stats, &w->edges.sent);
  }
  w->edges.sent = (pf_message_count){0};
  return pf_run_status(code);
}

const pf_step_ops pf_step_edges = {.name = "edges", .run = run_edges};

/* ---- redistributions ---- */

static int run_redist(void *data, const pf_step_run *r) {
  pfft3d_direction way = (pfft3d_direction)r->step->way;
  if (!r->exchange) return PFFT3D_OK;
  double start = pf_clock();
  int status = pfft3d_redist_execute(data, way, r->from, r->to);
  r->stats->wait_s += pf_clock() - start;
  pf_redist_take(data, way, r->stats);
  pf_redist_take_loss(data, way, &r->stats->stage[0]);
  return status;
}

static void describe_redist(const void *data, const pf_step *s, pfft3d_stats *stats) {
  (void)s;
  stats->exchanges = 1;
  stats->stages = pf_redist_narrow(data);
}

static int raw_redist(void *data, const pf_step *s, double *seconds) {
  return pf_redist_raw(data, (pfft3d_direction)s->way, seconds);
}

static int record_redist(void *data, pf_timeline *t, pfft3d_error *e) {
  return pf_redist_record(data, t, e);
}

static size_t bytes_redist(const void *data) {
  return pf_redist_bytes(data);
}

static void destroy_redist(void *data) {
  pfft3d_redist *r = data;
  pfft3d_redist_destroy(&r);
}

const pf_step_ops pf_step_redist = {.name = "redistribution",
                                    .run = run_redist,
                                    .describe = describe_redist,
                                    .raw = raw_redist,
                                    .record = record_redist,
                                    .bytes = bytes_redist,
                                    .destroy = destroy_redist};

/* ---- lists ---- */

pf_step *pf_list_add(pf_list *l, int operator) {
  PF_ASSERT(l->count < PF_STEPS);
  pf_step *s = &l->step[l->count++];
  *s = (pf_step){.operator= operator, .from = {PF_INPUT, 0}, .to = {PF_OUTPUT, 0}};
  return s;
}

/* The number of the operator with this data. */
static int operator_of(pfft3d_plan *p, const pf_step_ops *ops, const void *data) {
  for (int k = 0; k < p->operators; k++)
    if (p->operator[k].ops == ops && p->operator[k].data == data) return k;
  return -1;
}

void pf_list_add_pipeline(pfft3d_plan *p, pf_list *l, const pf_pipelines *pipelines, int way,
                          pf_end from, pf_end to) {
  const int edges = operator_of(p, &pf_step_edges, pipelines);
  for (int k = 0; k < 3; k++) {
    if (k != 1 && edges < 0) continue;
    pf_step *s = pf_list_add(l, k == 1 ? operator_of(p, &pf_step_pipeline, pipelines) : edges);
    s->way = way;
    s->action = k == 2 ? AFTER : BEFORE;
    s->from = k == 2 ? to : from;
    s->to = k == 0 ? from : to;
  }
}

/* ---- runs ---- */

/* The arrays of a run. */
typedef struct arrays {
  const char *in;
  char *out;
  void *const *buffer;
} arrays;

/* The address of line i of an array; an empty rank may have none. */
static char *address(const arrays *a, const pf_end *end, ptrdiff_t i) {
  char *base = a->out;
  if (end->array == PF_INPUT) memcpy(&base, &a->in, sizeof base); /* no step writes to it */
  if (end->array >= 0) base = a->buffer[end->array];
  return base ? base + i * (ptrdiff_t)end->apart : NULL;
}

/* A step that is no pipeline has no stages that a timeline would show. */
static int run_recorded(pf_timeline *t, const pf_operator *o, const pf_step_run *r) {
  int kind = o->ops == &pf_step_pipeline ? PF_EVENT_PIPELINE
             : o->ops == &pf_step_redist ? PF_EVENT_REDIST
             : o->ops == &pf_step_edges  ? PF_EVENT_EDGES
                                         : PF_EVENT_LOCAL;
  pf_event e = {.begin = pf_clock(), .number = kind, .kind = PF_EVENT_STEP};
  ptrdiff_t index = pf_timeline_open(t, &e);
  int status = o->ops->run(o->data, r);
  pf_timeline_close(t, index, pf_clock());
  return status;
}

static int run_step(pfft3d_plan *p, pf_step *s, const arrays *a, ptrdiff_t i, int exchange) {
  const pf_operator *o = &p->operator[s->operator];
  pf_step_run r = {.step = s,
                   .from = address(a, &s->from, i),
                   .to = address(a, &s->to, i),
                   .exchange = exchange,
                   .stats = &s->stats};
  s->stats.traffic += exchange ? s->traffic : 0;
  if (!p->timeline || !exchange) return o->ops->run(o->data, &r);
  return run_recorded(p->timeline, o, &r);
}

/* Runs `count` steps from `s` on, for line i. */
static int run_steps(pfft3d_plan *p, pf_step *s, int count, const arrays *a, ptrdiff_t i,
                     int exchange) {
  int status = PFFT3D_OK;
  for (int k = 0; k < count && pf_goes_on(status); k++)
    status = pf_status_of_both(status, run_step(p, &s[k], a, i, exchange));
  return status;
}

/* Runs all steps of a direction.  The order of a batch's lines is such that no line is overwritten
 * before it is read if both arrays are the same. */
static int run_list(pfft3d_plan *p, pf_list *l, const arrays *a, int exchange) {
  int rest = l->first + l->looped;
  int status = run_steps(p, l->step, l->first, a, 0, exchange);
  for (ptrdiff_t i = 0; i < l->times && pf_goes_on(status); i++)
    status = pf_status_of_both(status, run_steps(p, l->step + l->first, l->looped, a,
                                                 l->down ? l->times - 1 - i : i, exchange));
  if (!pf_goes_on(status)) return status;
  return pf_status_of_both(status, run_steps(p, l->step + rest, l->count - rest, a, 0, exchange));
}

int pf_plan_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                int exchange) {
  pf_list *l = &p->list[direction];
  const arrays a = {in, out, p->buffer};
  if (l->count == 1) return run_step(p, l->step, &a, 0, exchange);
  double start = pf_clock();
  int status = run_list(p, l, &a, exchange);
  if (status || !exchange) return status;
  l->executions++;
  l->total_s += pf_clock() - start;
  return PFFT3D_OK;
}

int pf_plan_plain(const pfft3d_plan *p) {
  const pf_list *l = &p->list[PFFT3D_FORWARD];
  int pipelines = 0, edges = 0;
  for (int k = 0; k < l->count; k++) {
    const pf_step_ops *ops = p->operator[l->step[k].operator].ops;
    pipelines += ops == &pf_step_pipeline;
    edges += ops == &pf_step_edges;
  }
  return pipelines == 1 && pipelines + edges == l->count;
}

int pf_plan_fault(const pfft3d_plan *p, pfft3d_error *e) {
  if (pf_plan_plain(p)) return pf_pipelines_fault(pf_plan_pipelines_at(p, 0), e);
  return pf_device_lost(e); /* pipelines may have several */
}

pf_pipelines *pf_plan_pipelines_at(const pfft3d_plan *p, int number) {
  for (int k = 0; k < p->operators; k++)
    if (p->operator[k].ops == & pf_step_pipeline && number-- == 0) return p->operator[k].data;
  return NULL;
}

/* ---- statistics ---- */

static int is_looped(const pf_list *l, int k) {
  return k >= l->first && k < l->first + l->looped;
}

static void add_step(const pfft3d_plan *p, const pf_list *l, int k, pfft3d_stats *sum) {
  const pf_step *s = &l->step[k];
  const pf_operator *o = &p->operator[s->operator];
  pfft3d_stats part = s->stats;
  part.wire = sum->wire;
  if (o->ops->describe) o->ops->describe(o->data, s, &part);
  pf_stats_add_part(sum, &part);
  sum->exchanges += part.exchanges * (is_looped(l, k) ? (int)l->times : 1) + s->exchanges;
  sum->wire = part.wire;
  for (int i = 0; i < part.stages && sum->stages < PFFT3D_STAGES; i++)
    sum->stage[sum->stages++] = part.stage[i];
  if (l->count > 1) return;
  sum->executions = part.executions;
  sum->total_s = part.total_s;
}

int pfft3d_plan_stats(pfft3d_plan *plan, pfft3d_direction direction, int reset, pfft3d_stats *stats,
                      size_t size) {
  pfft3d_stats sum = {0};
  if (!plan || !stats || !size || (direction != PFFT3D_FORWARD && direction != PFFT3D_BACKWARD))
    return PFFT3D_ERR_USAGE;
  pf_list *l = &plan->list[direction];
  sum.wire = plan->outline.problem.precision;
  sum.executions = l->executions;
  sum.total_s = l->total_s;
  for (int k = 0; k < l->count; k++) add_step(plan, l, k, &sum);
  for (int k = 0; k < sum.stages; k++) pf_axes_digits_back(plan->permuted, sum.stage[k].axes);
  sum.fft_s = sum.total_s - sum.post_s - sum.wait_s;
  sum.work_bytes = plan->buffer_bytes;
  for (int k = 0; k < plan->operators; k++)
    if (plan->operator[k].ops->bytes)
      sum.work_bytes += plan->operator[k].ops->bytes(plan->operator[k].data);
  double sides = (double)plan->outline.side_bytes[0] + (double)plan->outline.side_bytes[1];
  if (sum.executions && sides > 0) sum.passes = sum.traffic / (double)sum.executions / sides;
  for (int k = 0; k < l->count && reset; k++) l->step[k].stats = (pfft3d_stats){0};
  if (reset) l->executions = 0, l->total_s = 0;
  pf_struct_out(stats, size, &sum, sizeof sum);
  return PFFT3D_OK;
}

int pf_plan_raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds) {
  pf_list *l = &p->list[direction];
  int status = PFFT3D_OK;
  for (int k = 0; k < l->count && !status; k++) {
    const pf_operator *o = &p->operator[l->step[k].operator];
    double part = 0;
    if (o->ops->raw) status = o->ops->raw(o->data, &l->step[k], &part);
    *seconds += part * (is_looped(l, k) ? (double)l->times : 1);
  }
  return status;
}
