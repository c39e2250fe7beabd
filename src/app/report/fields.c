/* SPDX-License-Identifier: BSD-3-Clause
 * The table of fields. */
#include "app/report/fields.h"

#include <stddef.h>

#define PHASE(name)                                                  \
  {"phases." name ".min", COLUMN_SECONDS, name, "min", "", 0},       \
      {"phases." name ".mean", COLUMN_SECONDS, name, "mean", "", 0}, \
      {"phases." name ".max", COLUMN_SECONDS, name, "max", "", 0}, { \
    "phases." name ".max_rank", COUNT, name, "on rank", "", 0        \
  }
/* A field of a single rank, in CSV only. */
#define PART(name)                                               \
  {"phases." name ".median", COLUMN_SECONDS, NULL, "", "", 0}, { \
    "phases." name ".mean", COLUMN_SECONDS, NULL, "", "", 0      \
  }
#define CHECK(name) \
  { "check." name, ERROR, "check", name, "", 0 }
#define COLUMN(name) \
  { name, WORD, NULL, "", "", 0 }

/* clang-format off */
const report_field report_fields[] = {
  COLUMN("command"), COLUMN("version"), COLUMN("date"), COLUMN("host"), COLUMN("nodes"),
  COLUMN("ranks"), COLUMN("ranks_per_node"), COLUMN("threads"), COLUMN("mpi"), COLUMN("fftw"),
  COLUMN("seed"), COLUMN("input.file"), COLUMN("input.path"), COLUMN("input.type"), COLUMN("input.nonfinite"),
  COLUMN("with"), COLUMN("output"), COLUMN("n"), COLUMN("problem"), COLUMN("size"), COLUMN("method"), COLUMN("split"),
  COLUMN("algo"), COLUMN("decomp"), COLUMN("pgrid"), COLUMN("cuts"), COLUMN("bricks"), COLUMN("wire"), COLUMN("engine"), COLUMN("order"),
  COLUMN("kernel"), COLUMN("device"), COLUMN("precision"), COLUMN("batch"),
  COLUMN("direction"), COLUMN("place"), COLUMN("class"), COLUMN("iterations"), COLUMN("verified"),
  COLUMN("bc"), COLUMN("stencil"), COLUMN("equation"), COLUMN("wall_values"), COLUMN("coordinates"), COLUMN("length"), COLUMN("h"), COLUMN("mean"), COLUMN("mean_imaginary"), COLUMN("error"), COLUMN("max_error"), COLUMN("wrong"),
  COLUMN("convergence"), COLUMN("algorithm"), COLUMN("unknowns"), COLUMN("residual"), COLUMN("filter"), COLUMN("filter_value"), COLUMN("operation"), COLUMN("mode"),
  COLUMN("peak.absolute"), COLUMN("peak.value"), COLUMN("peak.index"), COLUMN("peak.shift"), COLUMN("share"), COLUMN("components"), COLUMN("kept"), COLUMN("stored"), COLUMN("energy_kept"), COLUMN("rms_error"), COLUMN("range"), COLUMN("psnr"), COLUMN("bytes.input"), COLUMN("bytes.output"), COLUMN("bytes.ratio"), COLUMN("mops"), COLUMN("mops_per_process"), COLUMN("a.file"), COLUMN("b.file"),
  COLUMN("a.n"), COLUMN("b.n"), COLUMN("a.median_s"), COLUMN("b.median_s"),
  COLUMN("a.spread"), COLUMN("b.spread"), COLUMN("ratio"), COLUMN("ratio_low"),
  COLUMN("ratio_high"), COLUMN("p"), COLUMN("p_holm"), COLUMN("verdict"),
  {"decision", WORD, "plan", "", "", 0},
  {"plan_s", SECONDS, "plan", "made in", "", 0},
  {"plan_by", WORD, "plan", "by", "", 0}, /* timing, model or wisdom */
  {"norm", WORD, "plan", "norm", "", 0},
  COLUMN("plan_reason"), COLUMN("measured_s"), COLUMN("repeats"),
  {"layout", WORD, "layout", "", "", 0}, /* an object in dry runs, not printed */
  {"out_layout", WORD, "layout", "to", "", 0},
  {"time_s.min", SECONDS, "time", "min", "", ALWAYS},
  {"time_s.median", SECONDS, "time", "median", "", ALWAYS | NEW},
  {"time_s.max", SECONDS, "time", "max", "", ALWAYS | NEW},
  {"time_s.mean", SECONDS, NULL, "", "", 0},
  {"gflops", GFLOPS, "rate", "", "", ALWAYS},
  {"flops", FORMULA, "rate", "", "", ALWAYS},
  {"transforms_s", SECONDS, "rate", "in all transforms,", "", ALWAYS},
  {"transforms", COUNT, "rate", "", "of them", ALWAYS},
  PHASE("read"), PHASE("initial"), PHASE("fft"), PHASE("post"), PHASE("wait"), PHASE("checksum"),
  PHASE("sync"), PHASE("transform"), PHASE("select"), PHASE("write"), PHASE("verify"), PART("bit_reversal"), PART("roots"), PART("butterfly1"), PART("butterfly2"),
  {"messages.remote_per_rank", COUNT, "messages", "", "remote per rank", ALWAYS},
  {"messages.bytes_each_min", BYTES, "messages", "each", "", ALWAYS | MORE},
  {"messages.bytes_each_max", BYTES, "messages", "to", "", ALWAYS | MORE | NEW},
  {"messages.remote_bytes_per_rank", BYTES, "messages", "", "in all", ALWAYS | MORE},
  {"messages.stored_bytes_per_rank", BYTES, "messages", "", "through memory that ranks share", MORE},
  {"exchange.seconds", SECONDS, "exchange", "", "", MORE},
  {"exchange.gbs_per_rank", GBS, "exchange", "", "per rank", ALWAYS},
  {"exchange.raw_alltoall_s", SECONDS, "exchange", "raw MPI_Alltoall", "", MORE},
  {"exchange.fft_alone_s", SECONDS, "exchange", "passes alone", "", MORE},
  {"exchange.hidden_share", SHARE, "exchange", "", "hidden", ALWAYS},
  {"exchange.bound_share", SHARE, "exchange", "", "of what overlap can reach", 0},
  {"exchange.bound", COUNT, NULL, "", "", 0},
  {"exchange.wire", WORD, NULL, "", "", 0},
  {"exchange.wire_error", ERROR, "wire", "single: relative error", "", ALWAYS | MORE},
  {"memory.user_bytes", BYTES, "memory", "", "per array", 0},
  {"memory.work_bytes", BYTES, "memory", "", "work per rank", 0},
  {"passes", COUNT, "passes", "", "over memory", ALWAYS},
  {"bandwidth", WORD, "passes", "", "", ALWAYS},
  {"exchanges", COUNT, "passes", "", "exchanges", 0},
  {"idle_ranks", COUNT, "idle", "", "ranks", MORE},
  {"node_ranks", COUNT, "nodes", "ranks on each:", "", 0},
  {"predicted_s", SECONDS, "predicted", "", "in all", 0},
  {"pass_s", SECONDS, "predicted", "passes", "", 0},
  {"exchange_s", SECONDS, "predicted", "exchanges", "", 0},
  {"reason", WORD, "because", "", "", 0},
  CHECK("plane_wave"), CHECK("parseval"), CHECK("sampled_dft"), CHECK("roundtrip"),
  {"hpcc.max_error", ERROR, NULL, "", "", 0}, {"hpcc.residual", ERROR, NULL, "", "", 0},
  {"hpcc.gflops", GFLOPS, NULL, "", "", 0}, {"hpcc.pass", VERDICT, NULL, "", "", 0},
  CHECK("checksum"), CHECK("solution"), CHECK("convergence"), CHECK("linearity"), CHECK("shift"), CHECK("impulse"), CHECK("mismatches"),
  {"check.limit", ERROR, "check", "limit", "", 0},
  {"check.pass", VERDICT, "check", "", "", ALWAYS},
  {"doubt", WORD, "doubt", "", "", ALWAYS}, /* of the times */
  {NULL, WORD, NULL, NULL, NULL, 0},
};
/* clang-format on */
