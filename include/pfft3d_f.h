/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d for languages that hold communicators as Fortran handles: a twin of each function with a
 * communicator, under the same name with _f, which takes the address of the handle.  Everything
 * else is as the function without _f says.  <pfft3d.h> includes this header; the last three functions
 * are in libpfft3d_hdf5, which a build without HDF5 does not have.
 */
#ifndef PFFT3D_F_H
#define PFFT3D_F_H

#include <pfft3d.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A handle: Fortran's default INTEGER, which the header of the MPI ABI has no name for. */
#if defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0
typedef int pfft3d_fint;
#else
typedef MPI_Fint pfft3d_fint;
#endif

struct pfft3d_redist; /* of the other headers */
struct pfft3d_redist_spec;
struct pfft3d_transpose_spec;
struct pfft3d_halo_spec;
struct pfft3d_machine;
struct pfft3d_candidate;
struct pfft3d_wisdom;
struct pfft3d_timeline;
struct pfft3d_dataset;
struct pfft3d_output;
struct pfft3d_input_spec;
struct pfft3d_output_spec;

/** Collective on *comm.  Plans, as in <pfft3d.h>. */
int pfft3d_plan_create_f(const pfft3d_fint *comm, const pfft3d_request *request, pfft3d_plan **plan,
                         pfft3d_error *error);
int pfft3d_plan_create_text_f(const pfft3d_fint *comm, const char *text, pfft3d_plan **plan,
                              pfft3d_error *error);

/** Collective on *comm.  Redistributions, as in <pfft3d_redist.h>. */
int pfft3d_redist_create_f(const pfft3d_fint *comm, const struct pfft3d_redist_spec *spec,
                           struct pfft3d_redist **redist, pfft3d_error *error);
int pfft3d_transpose_create_f(const pfft3d_fint *comm, const struct pfft3d_transpose_spec *spec,
                              struct pfft3d_redist **redist, pfft3d_error *error);
int pfft3d_halo_create_f(const pfft3d_fint *comm, const struct pfft3d_halo_spec *spec,
                         struct pfft3d_redist **redist, pfft3d_error *error);

/** Collective on *comm.  Machines, candidates and wisdom, as in <pfft3d_tune.h>. */
int pfft3d_machine_measure_f(const pfft3d_fint *comm, struct pfft3d_machine *m, pfft3d_error *error);
int pfft3d_tune_f(const pfft3d_fint *comm, const pfft3d_request *request,
                  struct pfft3d_candidate *list, int count, int repeats, double budget,
                  pfft3d_error *error);
int pfft3d_wisdom_read_f(const pfft3d_fint *comm, const char *file, struct pfft3d_wisdom *wisdom,
                         pfft3d_error *error);
int pfft3d_wisdom_add_f(const pfft3d_fint *comm, const pfft3d_request *request,
                        const struct pfft3d_candidate *candidate, struct pfft3d_wisdom *wisdom,
                        pfft3d_error *error);
int pfft3d_wisdom_write_f(const pfft3d_fint *comm, const char *file, struct pfft3d_wisdom *wisdom,
                          pfft3d_error *error);

/** Collective on *comm.  Timelines, as in <pfft3d_tune.h>. */
int pfft3d_timeline_create_f(const pfft3d_fint *comm, const char *file, long events,
                             struct pfft3d_timeline **timeline, pfft3d_error *error);

/** Collective on *comm.  Files, as in <pfft3d_hdf5.h>. */
int pfft3d_dataset_probe_f(const pfft3d_fint *comm, const char *name, struct pfft3d_dataset **dataset,
                           pfft3d_error *error);
int pfft3d_dataset_open_f(const pfft3d_fint *comm, const struct pfft3d_input_spec *spec, size_t size,
                          struct pfft3d_dataset **dataset, pfft3d_error *error);
int pfft3d_output_create_f(const pfft3d_fint *comm, const struct pfft3d_output_spec *spec, size_t size,
                           struct pfft3d_output **output, pfft3d_error *error);

#ifdef __cplusplus
}
#endif
#endif
