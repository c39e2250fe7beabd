/* SPDX-License-Identifier: BSD-3-Clause
 * info: facts about the build, and the names that it offers. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/app.h"
#include "app/report/report.h"
#include "device/device.h"

static const char *const keys[] = {"fftw",     "hdf5",  "openmp", "opencl", "cuda", "opengl",
                                   "compiler", "flags", "isa",    "simd",   "mkl",  NULL};

static const struct {
  const char *name;
  pfft3d_list list;
} lists[] = {{"exchanges", PFFT3D_EXCHANGES},
             {"engines", PFFT3D_ENGINES},
             {"schemes", PFFT3D_SCHEMES},
             {"methods", PFFT3D_METHODS},
             {"device_engines", PFFT3D_DEVICE_ENGINES}};
enum { LISTS = sizeof lists / sizeof lists[0] };

static json_t *entry(const char *name, const char *summary) {
  return json_pack("{s:s,s:s}", "name", name, "summary", summary);
}

static json_t *devices(void) {
  json_t *list = json_array();
  pf_device_facts f;
  for (int i = 0; pf_device_facts_of(i, &f); i++)
    json_array_append_new(
        list, json_pack("{s:i,s:s,s:s,s:s,s:f,s:b,s:i,s:s}", "device", i, "name", f.name, "api",
                        pf_device_api_name(f.api), "kind", f.kind, "memory_bytes", f.memory, "fp64",
                        f.fp64, "units", f.units, "driver", f.driver));
  return list;
}

static void devices_text(const json_t *list) {
  size_t i;
  json_t *d;
  printf("\ndevices%s\n", json_array_size(list) ? "" : "\n  none");
  json_array_foreach(list, i, d) printf(
      "  %-10zu %s, %s, %s, %.1f GiB, %s, %s\n", i, report_word(d, "name"), report_word(d, "api"),
      report_word(d, "kind"), report_number(d, "memory_bytes") / 0x1p30,
      json_is_true(report_at(d, "fp64")) ? "fp64" : "no fp64", report_word(d, "driver"));
}

/* Prints settings of MPI's transports, each on a separate line. */
static void transport_text(json_t *settings) {
  const char *name;
  json_t *value;
  printf("\ntransport%s\n", json_object_size(settings) ? "" : "\n  as MPI has it");
  json_object_foreach(settings, name, value) printf("  %s=%s\n", name, json_string_value(value));
}

static void info_text(const app *a, const json_t *report) {
  const json_t *build = report_at(report, "build");
  (void)a;
  printf("pfft3d     %s\n", json_string_value(report_at(report, "version")));
  printf("mpi        %s\n", json_string_value(report_at(report, "mpi")));
  for (int i = 0; keys[i]; i++)
    printf("%-10s %s\n", keys[i], json_string_value(report_at(build, keys[i])));
  printf("%-10s %s\n", "sharing", json_string_value(report_at(report, "shared_memory")));
  transport_text(json_object_get(report, "transport"));
  devices_text(report_at(report, "devices"));
  for (int s = 0; s <= LISTS; s++) {
    const char *section = s < LISTS ? lists[s].name : "commands";
    size_t i;
    json_t *e;
    printf("\n%s\n", section);
    json_array_foreach(report_at(report, section), i, e)
        printf("  %-10s %s\n", json_string_value(report_at(e, "name")),
               json_string_value(report_at(e, "summary")));
  }
}

/* As text: can the ranks of this run share memory? */
static json_t *shared_memory(const app *a) {
  pfft3d_plan *plan;
  pfft3d_error e = {0};
  if (pfft3d_plan_create_text(a->comm, "c2c:d:1x1x1 exchange=shared wisdom=none", &plan, &e))
    return json_sprintf("no: %s; messages take its place", e.text);
  pfft3d_plan_destroy(&plan);
  return json_string(a->ranks > 1 ? "yes, between all ranks of this run" : "yes");
}

static json_t *transport(void) {
  json_t *settings = json_object();
  const char *name, *value;
  for (int k = 0; (name = pfft3d_mpi_setting(k, NULL)); k++) {
    value = getenv(name);
    if (strncmp(name, "OMPI_MCA_", 9) == 0) name += 9;
    json_object_set_new(settings, name, json_string(value ? value : "MPI's own"));
  }
  return settings;
}

static int info_run(app *a) {
  json_t *report = report_begin(a), *build = json_object(), *list = json_array();
  json_object_del(report, "runs");
  for (int i = 0; keys[i]; i++) {
    const char *value = pfft3d_build(keys[i]);
    json_object_set_new(build, keys[i], json_string(value ? value : "no"));
  }
  json_object_set_new(report, "build", build);
  json_object_set_new(report, "shared_memory", shared_memory(a));
  json_object_set_new(report, "transport", transport());
  json_object_set_new(report, "devices", devices());
  for (int i = 0; a->commands[i]; i++)
    json_array_append_new(list, entry(a->commands[i]->name, a->commands[i]->summary));
  json_object_set_new(report, "commands", list);
  for (int l = 0; l < LISTS; l++) {
    const char *name, *summary;
    list = json_array();
    for (int i = 0; (name = pfft3d_list_name(lists[l].list, i, &summary)); i++)
      json_array_append_new(list, entry(name, summary));
    json_object_set_new(report, lists[l].name, list);
  }
  report_end(a, report, info_text);
  return a->error.status;
}

const command cmd_info = {
    .name = "info",
    .summary = "shows the parts of this build and the names that it offers",
    .options = "json quiet watchdog",
    .about =
        "Examples:\n"
        "  pfft3d info\n"
        "  pfft3d info --json -\n",
    .run = info_run,
};
