/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of dry runs: their kinds, which are those of plans, and their sums. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "planner/planner.h"

#include "check.h"

/* The kinds of the steps of a dry run as words; adds up their figures. */
static int kinds_of(const pfft3d_request *r, int ranks, char words[256],
                    pfft3d_explained_step *sum) {
  pfft3d_explained_step list[PF_STEPS];
  pfft3d_error e;
  int count = pfft3d_explain_steps(r, ranks, list, PF_STEPS, &e);
  *sum = (pfft3d_explained_step){.exchanges = 0};
  words[0] = 0;
  for (int k = 0; k < count; k++) {
    size_t used = strlen(words);
    snprintf(words + used, 256 - used, "%s%.15s", k ? " " : "", list[k].kind);
    sum->exchanges += list[k].exchanges;
    sum->messages += list[k].messages;
    sum->bytes += list[k].bytes;
    sum->seconds += list[k].seconds;
  }
  return count;
}

/* Dry runs have the steps that plans have, without those of edges, and their sums. */
static void test_steps(void) {
  static const struct {
    const char *text, *kinds;
    int ranks; /* that all do the same */
  } want[] = {
      {"c2c:d:8x8x8 exchange=packed", "pipeline", 4},
      {"c2c:d:8x8x8 exchange=packed decomp=slab bricks=2x2x1",
       "redistribution pipeline redistribution", 4},
      {"c2c:d:256 method=transpose exchange=packed", "pipeline", 4},
      {"r2c:d:14 exchange=packed", "pipeline local", 1},
      {"c2c:d:997 exchange=packed", "local pipeline local pipeline local", 1},
      {"c2c:d:256 method=butterfly", "local pipeline local pipeline", 4},
      {"r2c:d:63:dst1 exchange=packed", "redistribution local pipeline local local redistribution",
       1},
  };
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    pfft3d_request *r;
    pfft3d_error e;
    pfft3d_explained_step sum;
    char words[256], built[256] = "";
    if (pfft3d_request_create(&r, &e) || pfft3d_request_parse(r, want[k].text, &e)) {
      CHECK(0, "%s: %s", want[k].text, e.text);
      continue;
    }
    int count = kinds_of(r, want[k].ranks, words, &sum);
    CHECK(!strcmp(words, want[k].kinds), "%s: '%s', not '%s'", want[k].text, words, want[k].kinds);
    CHECK(pfft3d_explain_steps(r, want[k].ranks, NULL, 0, NULL) == count, "%s", want[k].text);
    pfft3d_explanation x;
    CHECK(!pfft3d_explain(r, want[k].ranks, &x, sizeof x, &e), "%s: %s", want[k].text, e.text);
    CHECK(sum.exchanges == x.exchanges && sum.messages == x.messages && sum.bytes == x.bytes,
          "%s: %d exchanges of %d, %g messages of %g", want[k].text, sum.exchanges, x.exchanges,
          sum.messages, x.messages);
    CHECK(fabs(sum.seconds - x.seconds) <= 1e-12 * x.seconds, "%s: %g s of %g", want[k].text,
          sum.seconds, x.seconds);
    pfft3d_plan *plan;
    if (want[k].ranks == 1 && !pfft3d_plan_create(MPI_COMM_SELF, r, &plan, &e)) {
      for (int i = 0; i < plan->list[0].count; i++) {
        const pf_step_ops *kind = plan->operator[plan->list[0].step[i].operator].ops;
        size_t used = strlen(built);
        if (kind != &pf_step_edges)
          snprintf(built + used, sizeof built - used, "%s%.15s", used ? " " : "", kind->name);
      }
      CHECK(!strcmp(words, built), "%s: '%s', built '%s'", want[k].text, words, built);
      pfft3d_plan_destroy(&plan);
    }
    pfft3d_request_destroy(&r);
  }
  CHECK(pfft3d_explain_steps(NULL, 4, NULL, 0, NULL) == -1, "no request");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_steps();
  return check_result();
}
