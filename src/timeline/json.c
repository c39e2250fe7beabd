/* SPDX-License-Identifier: BSD-3-Clause
 * Chrome's trace events: one process for each rank, whose thread 0 has all that the rank did, one
 * event inside the other ("X"), and messages on their way to it as asynchronous events ("b", "e").
 * Times are microseconds.  Ranks write their events as text, which rank 0 collects piece by piece.
 * Source: "Trace Event Format", Google; read by Perfetto, Speedscope and chrome://tracing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/simulate.h"
#include "timeline/timeline.h"

enum { PIECE = 8192, TAG = 79 }; /* events; the tag of pieces */

/* ---- one event ---- */

static const char *category(pf_event_kind kind) {
  static const char *const name[] = {"transform", "",    "step", "stage",   "compute", "compute",
                                     "mpi",       "mpi", "mpi",  "message", "message"};
  return name[kind];
}

static void put_arguments(const pf_record *r, const pf_event *e, FILE *f) {
  switch (e->kind) {
    case PF_EVENT_CALL:
      fprintf(f, ",\"args\":{\"plan\":\"%s\",\"left_out\":%.0f}", r->t->plan[e->number], e->bytes);
      break;
    case PF_EVENT_PLANES:
    case PF_EVENT_FUNCTION:
      fprintf(f, ",\"args\":{\"stage\":%d,\"first\":%d,\"count\":%.0f}", e->detail, e->number,
              e->bytes);
      break;
    case PF_EVENT_SEND:
    case PF_EVENT_RECEIVE:
      fprintf(f, ",\"args\":{\"%s\":%d,\"bytes\":%.0f}", e->kind == PF_EVENT_SEND ? "to" : "from",
              e->number, e->bytes);
      break;
    default: break;
  }
}

static void put_event(const pf_record *r, const pf_event *e, FILE *f) {
  char text[48];
  fprintf(f,
          ",\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,"
          "\"tid\":0",
          pf_event_name(e, text), category((pf_event_kind)e->kind), 1e6 * e->begin,
          1e6 * (e->end - e->begin), r->t->rank);
  put_arguments(r, e, f);
  putc('}', f);
}

/* A message that this rank received, on its way. */
static void put_travel(const pf_record *r, ptrdiff_t i, FILE *f) {
  const pf_travel *m = &r->travel[i];
  uint64_t id = (uint64_t)r->t->rank << 32 | (uint64_t)i;
  if (!m->received) return;
  for (int end = 0; end < 2; end++)
    fprintf(f,
            ",\n{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"%s\",\"id\":\"0x%" PRIx64
            "\",\"ts\":%.3f,\"pid\":%d,\"tid\":0,\"args\":{\"from\":%d,\"to\":%d,\"bytes\":%.0f}}",
            end ? "e" : "b", id, 1e6 * (end ? m->end : m->begin), r->t->rank, m->other, r->t->rank,
            m->bytes);
}

/* Text from outside, without what JSON would have to escape. */
static void put_plain(const char *text, FILE *f) {
  for (; *text; text++)
    putc((unsigned char)*text < ' ' || (unsigned char)*text > '~' || strchr("\"\\", *text) ? '?'
                                                                                           : *text,
         f);
}

static void put_rank(const pf_record *r, FILE *f) {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length, rank = r->t->rank;
  MPI_Get_processor_name(host, &length);
  fprintf(f,
          "%s{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":0,\"pid\":%d,\"tid\":0,\"args\":{"
          "\"name\":\"rank %d, ",
          rank ? ",\n" : "\n", rank, rank);
  put_plain(host, f);
  fprintf(f,
          "\"}},\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"ts\":0,\"pid\":%d,\"tid\":0,"
          "\"args\":{\"sort_index\":%d}},\n{\"name\":\"thread_name\",\"ph\":\"M\",\"ts\":0,"
          "\"pid\":%d,\"tid\":0,\"args\":{\"name\":\"work\"}}",
          rank, rank, rank);
}

/* ---- pieces ---- */

static long pieces_of(const pf_record *r) {
  return (long)((r->count + r->travels) / PIECE) + 1;
}

/* A piece of this rank's events: the first one names the rank. */
static void put_piece(const pf_record *r, long piece, FILE *f) {
  ptrdiff_t first = piece * PIECE, all = r->count + r->travels,
            end = first + PIECE < all ? first + PIECE : all;
  if (!piece) put_rank(r, f);
  for (ptrdiff_t i = first; i < end; i++) {
    if (i < r->count)
      put_event(r, &r->event[i], f);
    else
      put_travel(r, i - r->count, f);
  }
}

/* Sends a piece to rank 0; without memory an empty one. */
static int send_piece(const pf_record *r, long piece, pfft3d_error *e) {
  char *text = NULL;
  size_t length = 0;
  FILE *f = open_memstream(&text, &length);
  if (f) put_piece(r, piece, f);
  if (!f || fclose(f)) {
    pf_note(e, PFFT3D_ERR_MEMORY, "no memory for the text of a timeline");
    length = 0;
  }
  int size = (int)length, code = MPI_Send(&size, 1, MPI_INT, 0, TAG, r->t->comm);
  if (code == MPI_SUCCESS) code = MPI_Send(text, size, MPI_CHAR, 0, TAG, r->t->comm);
  free(text);
  return pf_mpi(e, code, "MPI_Send");
}

static int receive_piece(const pf_record *r, int rank, FILE *f, pfft3d_error *e) {
  MPI_Comm comm = r->t->comm;
  int length = 0, code = MPI_Recv(&length, 1, MPI_INT, rank, TAG, comm, MPI_STATUS_IGNORE);
  char *text = malloc((size_t)length + 1);
  if (!text) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the text of a timeline");
  if (code == MPI_SUCCESS)
    code = MPI_Recv(text, length, MPI_CHAR, rank, TAG, comm, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) fwrite(text, 1, (size_t)length, f);
  free(text);
  return pf_mpi(e, code, "MPI_Recv");
}

static void put_head(const pf_record *r, const double sums[2], FILE *f) {
  fprintf(f,
          "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"format\":\"pfft3d.timeline/1\","
          "\"version\":\"%s\",\"ranks\":%d,\"events\":%.0f,\"left_out\":%.0f,"
          "\"clock_error_us\":%.3f,\"clock\":\"times %s\"},\n\"traceEvents\":[",
          pfft3d_version(), r->t->ranks, sums[0], sums[1], 1e6 * r->clock_error,
          PF_SIMULATED ? "of a simulated machine, on which all ranks have one clock"
                       : "of all ranks by the clock of rank 0, within clock_error_us");
}

int pf_timeline_json(const pf_record *r, FILE *f, pfft3d_error *e) {
  const pf_timeline *t = r->t;
  double sums[2] = {(double)r->count, t->left_out};
  long pieces = pieces_of(r), most = 0;
  int code = MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, t->comm);
  if (code == MPI_SUCCESS) code = MPI_Allreduce(&pieces, &most, 1, MPI_LONG, MPI_MAX, t->comm);
  if (pf_mpi(e, code, "MPI_Allreduce")) return e->status;
  if (t->rank == 0) put_head(r, sums, f);
  for (int rank = 0; rank < t->ranks; rank++) {
    if (rank == t->rank && rank)
      for (long k = 0; k < most; k++) send_piece(r, k, e);
    for (long k = 0; k < most && t->rank == 0; k++) {
      if (rank == 0)
        put_piece(r, k, f);
      else
        receive_piece(r, rank, f, e);
    }
  }
  if (t->rank == 0) fputs("\n]}\n", f);
  return e->status;
}
