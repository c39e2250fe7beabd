/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots: files from which a run continues bit for bit, and which other programs display.
 *
 * A file has the velocity on the grid, /u /v /w, in two dimensions /u /v /omega, the /scalar, and
 * the state, the modes /spectrum/u ... as [k0][k1][k2].  It gets its name when it is complete. */
#ifndef PF_APPS_TURBULENCE_SNAPSHOT_H
#define PF_APPS_TURBULENCE_SNAPSHOT_H

#include <limits.h>

#include "apps/turbulence/flow.h"

/* The snapshots of a run.  A name with # is a series: a number replaces the #s. */
typedef struct snapshots {
  const char *name; /* "": none */
  int number;       /* of the next one */
  int replace;      /* nonzero: existing files are replaced */
  int written;
} snapshots;

/* The attributes of a snapshot to start from. */
typedef struct snapshot_info {
  flow_terms terms;
  double t;
  long long step;
  int number;
} snapshot_info;

/** Collective on a->comm. Reads the attributes of a snapshot.  Errors, in a->error: NOINPUT; DATA
 * if it is none. */
int snapshot_look(app *a, const char *name, snapshot_info *info);

/** Collective. Reads the modes of the first components into a flow with the same grid.  Errors, in
 * a->error: DATA, IO. */
int snapshot_read(app *a, const char *name, flow *f, int components);

/** Collective. Checks, before any work, that the next snapshot can be written and has space.
 * Errors, in a->error: OUTPUT. */
int snapshot_try(app *a, const snapshots *s, const flow *f);

/** Collective. Writes the flow, whose velocity is on the grid, and the file for ParaView.  The data
 * of the flow's last step is overwritten.  Errors, in a->error: OUTPUT, IO. */
int snapshot_write(app *a, snapshots *s, flow *f);

/** Local. The name of number @p number of the series, or of the single file; returns out. */
char *snapshot_name(const snapshots *s, int number, char out[FILE_SIZE]);

/** Local. Nonzero if this is a series. */
int snapshot_series(const snapshots *s);

/** Local. Nonzero if a file has the name of one of the snapshots. */
int snapshot_is(const snapshots *s, const char *file);

/** Local. The name of the list of snapshots, "snap-.xdmf" of "snap-####.h5", "snap.xdmf" of
 * "snap.h5"; returns out. */
char *snapshot_list(const snapshots *s, char out[PATH_MAX]);

/** Local, rank 0. Writes or extends NAME.xdmf, which lists the snapshots.  xdmf.c. */
int xdmf_write(const snapshots *s, const flow *f, pfft3d_error *e);

#endif
