/* ranks: 1 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Applications that have set a locale whose numbers have a comma: requests and descriptions of
 * machines are read and printed with a point, on ranks of unlike locales too.  Needs such a locale,
 * or localedef and its sources. */
#include <pfft3d_tune.h>

#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static int rank;
static char folder[] = "locale-XXXXXX";

static int has_comma(const char *name) {
  return setlocale(LC_NUMERIC, name) && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Sets one that is installed, or (rank 0, for all) one that is made here; returns whether. */
static int set_comma(void) {
  static const char *const name[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "it_IT.UTF-8",
                                     "pt_BR.UTF-8", "ru_RU.UTF-8", "nl_NL.UTF-8"};
  char command[128];
  for (size_t k = 0; k < sizeof name / sizeof *name; k++)
    if (has_comma(name[k])) return 1;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1",
           folder, folder);
  if (rank == 0 && system(command) != 0)
    puts("no locale with a comma, and localedef makes none (Debian: locales)");
  MPI_Barrier(MPI_COMM_WORLD);
  setenv("LOCPATH", folder, 1);
  return has_comma(name[0]);
}

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (rank == 0 && system(command) != 0) printf("%s was left\n", folder);
}

static void test_request(void) {
  pfft3d_request *r;
  pfft3d_error e;
  char text[512];
  CHECK(!pfft3d_request_create(&r, &e), "%s", e.text);
  CHECK(!pfft3d_request_parse(r, "c2c:d:8x8x8 plan-budget=2.5", &e), "%s", e.text);
  pfft3d_request_print(r, text, sizeof text);
  CHECK(strstr(text, "plan-budget=2.5"), "'%s'", text);
  CHECK(pfft3d_request_set(r, "plan-budget", "2,5", &e) == PFFT3D_ERR_USAGE, "a comma is taken");
  pfft3d_request_destroy(&r);
}

static void test_machine(void) {
  pfft3d_machine m;
  pfft3d_error e;
  char file[64];
  snprintf(file, sizeof file, "%s/machine-%d", folder, rank);
  FILE *f = fopen(file, "w");
  CHECK(f && fputs("latency 1.5e-7 0.25\nflops 2.5e9\n", f) >= 0 && !fclose(f), "%s", file);
  pfft3d_machine_init(&m);
  CHECK(!pfft3d_machine_read(file, &m, &e), "%s", e.text);
  CHECK(m.latency[0] == 1.5e-7 && m.latency[1] == 0.25 && m.flops == 2.5e9, "%g %g %g",
        m.latency[0], m.latency[1], m.flops);
}

/* What ranks compare has no locale: one of them may not have that of the others. */
static void test_unlike(void) {
  pfft3d_plan *plan;
  pfft3d_error e;
  if (rank) setlocale(LC_NUMERIC, "C");
  int status = pfft3d_plan_create_text(MPI_COMM_WORLD, "c2c:d:8x8x8 plan-budget=0.5", &plan, &e);
  CHECK(!status, "%s", e.text);
  pfft3d_plan_destroy(&plan);
  CHECK(rank || !strcmp(localeconv()->decimal_point, ","), "the locale was changed");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && !mkdtemp(folder)) return 99;
  MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
  int there = set_comma();
  MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (there) {
    test_request();
    test_machine();
    test_unlike();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  remove_folder();
  if (there) return check_result();
  MPI_Finalize();
  return 77;
}
