/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of FFTW-MPI's planning functions with any arguments and flags, as the drop-in translates
 * them: it gives a reason to leave a call to FFTW, or a request that can be read, and whose parts
 * cover the dimension that is cut once. */
#include <string.h>

#include "fftw3_mpi/call.h"
#include "fuzz.h"

enum { FEW = 12 }; /* ranks */

typedef __int128 wide;

/* There is no original here, so that one dimension is left to it. */
pf_function pf_original(const char *name) {
  (void)name;
  return NULL;
}

static ptrdiff_t take_number(bytes *b) {
  unsigned kind = take_byte(b);
  if (kind < 160) return kind % 80;
  if (kind < 192) return (ptrdiff_t)take_byte(b) << 8 | take_byte(b);
  if (kind < 208) return ((ptrdiff_t)1 << (take_byte(b) % 63)) + (ptrdiff_t)(kind % 5) - 2;
  return kind < 224 ? PTRDIFF_MAX - (ptrdiff_t)take_byte(b) : (ptrdiff_t)take_word(b);
}

/* n and kind have places for all dimensions that are looked at. */
static pf_call take_call(bytes *b, ptrdiff_t n[3], int kind[3]) {
  static double place;
  unsigned bits = take_byte(b), flags = take_byte(b);
  pf_call c = {.name = "plan", .n = n, .kind = kind, .in = &place, .out = &place};
  c.family = (pf_family)(bits % 5);
  c.precision = (pfft3d_precision)(bits >> 4 & 1);
  c.sign = bits >> 5 & 1 ? 1 : -1;
  if (bits >> 6 & 1) c.out = NULL;
  c.rank = c.family == PF_TRANSPOSE ? 2 : (int)(flags & 3) + (flags & 128 ? 2 : 0);
  if (flags & 4) c.flags |= PF_FFTW_TRANSPOSED_IN;
  if (flags & 8) c.flags |= PF_FFTW_TRANSPOSED_OUT;
  if (flags & 16) c.flags |= PF_FFTW_PATIENT;
  if (flags & 32) c.flags |= (unsigned)take_word(b);
  c.howmany = flags & 64 ? take_number(b) : 1;
  for (int k = 0; k < 3; k++) {
    n[k] = take_number(b);
    kind[k] = (int)(take_byte(b) % 16) - 2;
  }
  for (int k = 0; k < 2; k++) c.block[k] = bits >> 7 & 1 ? take_number(b) : 0;
  return c;
}

/* Lists of cuts, which are the same on all ranks, begin with 0, end with all, and never go back. */
static void check_cuts(const pfft3d_cuts *cuts, ptrdiff_t n, int ranks) {
  if (!cuts->at) return;
  MUST(cuts->parts == ranks && cuts->at[0] == 0 && cuts->at[ranks] == n, "%d parts from %td to %td",
       cuts->parts, cuts->at[0], cuts->at[ranks]);
  for (int k = 0; k < ranks; k++)
    MUST(cuts->at[k] <= cuts->at[k + 1], "part %d begins at %td", k, cuts->at[k]);
}

/* The parts of all ranks follow each other and hold all of a dimension. */
static void check_parts(const pf_call *c, int ranks) {
  pf_form f[FEW];
  ptrdiff_t next[2] = {0, 0};
  for (int rank = 0; rank < ranks; rank++) {
    const char *reason = pf_translate(c, ranks, rank, &f[rank]);
    MUST(!reason, "rank %d: %s", rank, reason);
    for (int side = 0; side < 2; side++) {
      ptrdiff_t lo = f[rank].lo[side], len = f[rank].len[side];
      MUST(lo == next[side] && len >= 0, "rank %d: %td from %td, not %td", rank, len, lo,
           next[side]);
      MUST(f[rank].axis[side] >= 0 && f[rank].axis[side] < 3, "axis %d", f[rank].axis[side]);
      next[side] += len;
    }
  }
  for (int rank = 0; rank < ranks; rank++) {
    for (int side = 0; side < 2; side++) check_cuts(&f[rank].cuts[side], next[side], ranks);
    pf_form_free(&f[rank]);
  }
}

static void check_text(const pf_form *f) {
  pfft3d_error e = {0};
  pfft3d_request *r = NULL;
  MUST(memchr(f->text, 0, sizeof f->text), "a text without an end");
  if (pfft3d_request_create(&r, &e)) exit(99);
  if (pfft3d_request_parse(r, f->text, &e))
    MUST(e.status == PFFT3D_ERR_USAGE && e.text[0], "'%s': status %d: %s", f->text, e.status,
         e.text);
  pfft3d_request_destroy(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes b = {data, data + size};
  ptrdiff_t n[3];
  int kind[3], ranks = 1 + (int)(take_byte(&b) % FEW);
  pf_call c = take_call(&b, n, kind);
  pf_form f;
  const char *reason = pf_translate(&c, ranks, 0, &f);
  MUST(!reason || reason[0], "refused without words");
  if (!reason && c.family != PF_TRANSPOSE) {
    check_text(&f);
    check_parts(&c, ranks);
  }
  if (!reason && c.family == PF_TRANSPOSE)
    for (int k = 0; k < 2; k++)
      MUST(c.block[k] <= 0 || (wide)c.block[k] * ranks >= n[k], "blocks of %td for %td", c.block[k],
           n[k]);
  pf_form_free(&f);
  return 0;
}
