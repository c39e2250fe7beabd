/* SPDX-License-Identifier: BSD-3-Clause
 * The timeline of --timeline. */
#include "app/common/timeline.h"

#include "app/common/message.h"
#include "app/common/watch.h"

int timeline_open(app *a) {
  const options *o = &a->opt;
  pfft3d_error e;
  if (!o->timeline[0]) return PFFT3D_OK;
  pfft3d_timeline_create(a->comm, o->timeline, (long)o->timeline_events, &a->timeline, &e);
  return app_take(&a->error, &e);
}

void timeline_record(const app *a, pfft3d_plan *plan, int on) {
  pfft3d_error e;
  if (!a->timeline) return;
  if (pfft3d_plan_timeline(plan, on ? a->timeline : NULL, &e))
    app_die_together(a, e.status, "%s", e.text);
}

static void warn(const app *a) {
  double sums[2];
  sums[0] = pfft3d_timeline_events(a->timeline, &sums[1]);
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, a->comm);
  if (sums[1] > 0)
    app_warn(a, "the timeline has %.0f events; %.0f later ones are left out (--timeline-events)",
             sums[0], sums[1]);
  else if (!(sums[0] > 0))
    app_warn(a, "the timeline is empty: nothing was transformed");
}

void timeline_close(app *a) {
  pfft3d_error e;
  if (!a->timeline) return;
  if (!a->error.status) {
    watch_kick("writing the timeline");
    warn(a);
    pfft3d_timeline_write(a->timeline, &e);
    app_take(&a->error, &e);
  }
  pfft3d_timeline_destroy(&a->timeline);
}
