/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots: files from which a run goes on bit for bit, and which other programs show.
 *
 * A file has the velocity on the grid, /u /v /w, and the state itself, the modes /spectrum/u and so
 * on as [k0][k1][k2].  It appears under its name when it is complete. */
#ifndef PF_APPS_TURBULENCE_SNAPSHOT_H
#define PF_APPS_TURBULENCE_SNAPSHOT_H

#include <limits.h>

#include "apps/turbulence/flow.h"

/* The snapshots of a run.  A name with # is a series: each has a number in place of the #s. */
typedef struct snapshots {
  const char *name; /* "": none */
  int number;       /* of the next one */
  int replace;      /* files that exist */
  int written;
} snapshots;

/* What is known of a snapshot to start from. */
typedef struct snapshot_info {
  flow_terms terms;
  double t;
  long long step;
  int number;
} snapshot_info;

/** Collective on a->comm. What a snapshot holds.  Errors, in a->error: NOINPUT; DATA for what is no
 *  snapshot. */
int snapshot_look(app *a, const char *name, snapshot_info *info);

/** Collective. Reads the modes into a flow of the same terms.  Errors, in a->error: DATA, IO. */
int snapshot_read(app *a, const char *name, flow *f);

/** Collective. Shows, before any work, that the next snapshot can be written and that there is
 * space for it.  Errors, in a->error: OUTPUT. */
int snapshot_try(app *a, const snapshots *s, const flow *f);

/** Collective. Writes the flow, whose velocity is on the grid, and the file for ParaView.  What the
 *  flow keeps of its last step is lost.  Errors, in a->error: OUTPUT, IO. */
int snapshot_write(app *a, snapshots *s, flow *f);

/** Local. The name of number @p number of the series, or of the single file; returns out. */
char *snapshot_name(const snapshots *s, int number, char out[FILE_SIZE]);

/** Local. Whether this is a series. */
int snapshot_series(const snapshots *s);

/** Local. Whether a file has the name of one of them. */
int snapshot_is(const snapshots *s, const char *file);

/** Local. The name of the list of them, "snap-.xdmf" of "snap-####.h5", "snap.xdmf" of "snap.h5";
 *  returns out. */
char *snapshot_list(const snapshots *s, char out[PATH_MAX]);

/** Local, rank 0. Writes or extends NAME.xdmf, which lists the snapshots.  xdmf.c. */
int xdmf_write(const snapshots *s, const flow *f, pfft3d_error *e);

#endif
