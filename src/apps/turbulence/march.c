/* SPDX-License-Identifier: BSD-3-Clause
 * The loop over steps.  Energy and other figures are sums over velocity and vorticity, which the
 * first stage of a step has on the grid; a snapshot is written after they have been checked. */
#include "apps/turbulence/march.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/progress.h"
#include "app/common/watch.h"
#include "apps/turbulence/statistics.h"

/* CFL number of --dt auto; the largest nu k^2 dt of viscosity as a term of the equation (a
 * Runge-Kutta step of fourth order is stable up to 2.78); the growth of energy, beyond what a force
 * has added, that proves divergence; the difference of equal times, in steps. */
static const double auto_cfl = 0.5, auto_friction = 2, most_growth = 1.5, same = 1e-9;

/* ---- time ---- */

static double auto_step(const flow *f) {
  double k2 = 0, dt = INFINITY;
  for (int a = 0; a < 3; a++) k2 += (double)f->kept[a] * (double)f->kept[a];
  if (f->now.speed > 0) dt = auto_cfl / f->now.speed;
  if (f->terms.nu > 0 && !f->a->opt.integrating_factor)
    dt = fmin(dt, auto_friction / (f->terms.nu * fmax(1, 1 / f->terms.scalar.schmidt) * k2));
  return dt;
}

/* The next step, and the time after it, which is a multiple of a fixed step if the present time is.
 */
static double next_step(const march *m, double *after) {
  const options *o = &m->a->opt;
  double t = m->f.now.t, dt = o->time_step > 0 ? o->time_step : auto_step(&m->f);
  if (isinf(dt)) dt = o->end_time - t; /* at rest */
  double counted = (double)m->f.now.step * dt;
  int exact = o->time_step > 0 && fabs(t - counted) <= same * dt;
  *after = exact ? (double)(m->f.now.step + 1) * dt : t + dt;
  if (fabs(*after - o->end_time) <= same * dt) {
    *after = o->end_time;
  } else if (!(*after < o->end_time)) {
    dt = o->end_time - t;
    *after = o->end_time;
  }
  return dt;
}

static int at_end(const march *m) {
  return m->f.now.t >= m->a->opt.end_time;
}

/* Nonzero if a multiple of --every was reached since the last snapshot. */
static int is_due(const march *m) {
  double every = m->a->opt.every;
  if (m->f.now.t <= m->from || at_end(m)) return 1;
  return every > 0 && floor(m->f.now.t / every + same) > floor(m->last_due / every + same);
}

/* ---- output ---- */

/* Only rank 0 knows failures of tables. */
static int share(app *a) {
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  return a->error.status;
}

static int write_row(march *m) {
  const flow_state *s = &m->f.now;
  double dissipation = 2 * m->f.terms.nu * s->enstrophy;
  m->cfl = m->dt * s->speed;
  const double row[] = {s->t, s->energy, dissipation, s->enstrophy, m->cfl};
  if (dissipation > m->peak[0]) m->peak[0] = dissipation, m->peak[1] = s->t;
  table_row(&m->series, row, 5, &m->a->error);
  if (m->a->opt.statistics[0]) {
    double scales[STATISTICS];
    int count = statistics_take(&m->f, scales);
    table_row(&m->scales, scales, count, &m->a->error);
  }
  return m->a->opt.csv[0] || m->a->opt.statistics[0] ? share(m->a) : PFFT3D_OK;
}

static void write_spectrum(march *m) {
  if (!m->a->opt.spectra[0]) return;
  double *energy = flow_spectrum(&m->f);
  for (int k = 0; k < flow_shells(&m->f); k++)
    table_row(&m->spectra, (const double[]){m->f.now.t, k, energy[k]}, 3, &m->a->error);
  free(energy);
}

static int write_due(march *m) {
  m->last_due = m->f.now.t;
  write_spectrum(m);
  if (share(m->a)) return m->a->error.status;
  if (m->there && m->steps == 0 && !at_end(m)) return PFFT3D_OK;
  return snapshot_write(m->a, &m->shots, &m->f);
}

/* ---- steps ---- */

/* Says how to go on from a run that diverged. */
static void hint_step(march *m) {
  app *a = m->a;
  char name[FILE_SIZE];
  if (m->shots.written || a->opt.restart[0]) {
    snapshot_name(&m->shots, m->shots.number - 1, name);
    app_hint(&a->error, "go on from the last good snapshot, '%.100s', with a smaller --dt",
             m->shots.written ? name : a->opt.restart);
  } else {
    app_hint(&a->error, "a smaller --dt, --dt auto, or a finer grid");
  }
}

static int judge(march *m) {
  const flow_state *s = &m->f.now;
  if (m->steps == 0) m->budget = s->energy;
  if (s->energy <= most_growth * m->budget && isfinite(s->enstrophy)) return PFFT3D_OK;
  hint_step(m);
  return app_fail(&m->a->error, PFFT3D_ERR_CHECK,
                  "the flow blew up in step %lld, at t = %.6g with CFL %.3g: energy %.4g, at first "
                  "%s%.4g",
                  s->step, s->t, m->cfl, s->energy,
                  m->f.terms.force.kind ? "and by the force " : "", m->budget);
}

/* Only a mean gradient makes the variance of the scalar grow. */
static int judge_scalar(march *m) {
  const flow_scalar *c = &m->f.terms.scalar;
  if (!c->present) return PFFT3D_OK;
  double variance = flow_add(&m->f).variance;
  if (m->steps == 0) m->variance = variance;
  if (isfinite(variance) && (c->gradient > 0 || variance <= most_growth * m->variance))
    return PFFT3D_OK;
  hint_step(m);
  return app_fail(&m->a->error, PFFT3D_ERR_CHECK,
                  "the scalar blew up before step %lld, at t = %.6g: variance %.4g, at first %.4g",
                  m->f.now.step, m->f.now.t, variance, m->variance);
}

static void show_progress(const march *m) {
  const flow_state *s = &m->f.now;
  double end = m->a->opt.end_time;
  app_progress_share(m->a, (s->t - m->from) / (end - m->from),
                     "step %lld, t = %.4g of %.4g, energy %.6g, CFL %.2g", s->step, s->t, end,
                     s->energy, m->cfl);
}

/* Keeps the time of a step and of its parts. */
static void keep_times(march *m, double seconds, const double before[FLOW_PHASES]) {
  ptrdiff_t at = (ptrdiff_t)(m->steps % MARCH_TIMES);
  m->seconds[at] = seconds;
  for (int k = 0; k < FLOW_PHASES; k++) m->phase[at * FLOW_PHASES + k] = m->f.phase[k] - before[k];
  m->total[0] += m->f.phase[FLOW_FFT] - before[FLOW_FFT];
  m->total[1] += seconds;
  m->steps++;
}

int march_run(march *m) {
  app *a = m->a;
  flow *f = &m->f;
  m->last_due = m->from;
  flow_start(f);
  for (;;) {
    double before[FLOW_PHASES], after = 0, files, start = MPI_Wtime();
    int due = is_due(m);
    memcpy(before, f->phase, sizeof before);
    flow_measure(f, due);
    if (!at_end(m)) m->dt = next_step(m, &after);
    if (judge(m) || (due && judge_scalar(m))) return share(a);
    if (write_row(m)) return a->error.status; /* now, not with the next snapshot */
    files = MPI_Wtime();
    if (due && write_due(m)) return a->error.status;
    if (at_end(m)) return a->error.status;
    start += MPI_Wtime() - files;
    show_progress(m);
    if (due) flow_product(f);
    m->budget += f->now.input * m->dt;
    flow_step(f, m->dt);
    f->now.t = after;
    keep_times(m, MPI_Wtime() - start, before);
  }
}
