/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of a plan: shared by all ranks if ranks access each other's arrays, else private. */
#include <stdlib.h>

#include "base/memory.h"
#include "pipeline/pipelines.h"

/* A free entry, or NULL if memory is exhausted; valid until the next call. */
static pf_array *add(pf_arrays *list) {
  for (int k = 0; k < list->count; k++)
    if (!list->at[k].shared.base && !list->at[k].alone) return &list->at[k];
  pf_array *larger = realloc(list->at, ((size_t)list->count + 1) * sizeof *larger);
  if (!larger) return NULL;
  list->at = larger;
  larger[list->count] = (pf_array){{0}, NULL};
  return &larger[list->count++];
}

static void free_array(pf_array *array) {
  pf_shared_destroy(&array->shared);
  pf_free(array->alone);
  array->alone = NULL;
}

void pf_arrays_free(pf_arrays *list) {
  for (int k = 0; k < list->count; k++) free_array(&list->at[k]);
  free(list->at);
  *list = (pf_arrays){.at = NULL};
}

/* This rank's part of an array; NULL for a free entry. */
static void *own_part(const pf_arrays *list, const pf_array *a) {
  return a->shared.base ? a->shared.base + (size_t)list->rank * a->shared.part : a->alone;
}

int pf_arrays_find(const pf_arrays *list, const void *array) {
  for (int k = 0; list && k < list->count; k++)
    if (list->at[k].shared.base && own_part(list, &list->at[k]) == array) return k;
  return -1;
}

int pf_arrays_add(pf_arrays *list, MPI_Comm comm, size_t bytes, size_t shared, void **array,
                  pfft3d_error *e) {
  pf_array *a = add(list);
  *array = NULL;
  MPI_Comm_rank(comm, &list->rank);
  if (!a) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the list of arrays");
  if (pf_agree(comm, e) || !a) return e->status;
  if (shared)
    return pf_shared_create(comm, shared, &a->shared, e) ? e->status
                                                         : (*array = own_part(list, a), PFFT3D_OK);
  if (!pf_memory_agree(comm, bytes, e)) a->alone = pf_alloc(bytes);
  if (!a->alone && !e->status)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for an array of %zu bytes", bytes);
  if (pf_agree(comm, e)) free_array(a);
  *array = a->alone;
  return e->status;
}

void pf_arrays_drop(pf_arrays *list, const void *array) {
  for (int k = 0; array && k < list->count; k++)
    if (own_part(list, &list->at[k]) == array) {
      free_array(&list->at[k]);
      return;
    }
}
