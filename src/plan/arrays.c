/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of a plan: shared by all ranks if results are stored there directly, else private. */
#include <stdlib.h>

#include "base/memory.h"
#include "plan/plan.h"

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
  *list = (pf_arrays){NULL, 0};
}

/* This rank's part of an array; NULL for a free entry. */
static void *own_part(const pfft3d_plan *p, const pf_array *a) {
  return a->shared.base ? a->shared.base + (size_t)p->geometry.rank * a->shared.part : a->alone;
}

int pf_plan_find_array(const pfft3d_plan *p, const void *array) {
  for (int k = 0; k < p->arrays->count; k++)
    if (p->arrays->at[k].shared.base && own_part(p, &p->arrays->at[k]) == array) return k;
  return -1;
}

int pf_plan_alloc(pfft3d_plan *plan, size_t bytes, void **array, pfft3d_error *e) {
  pf_array *a = add(&plan->array);
  *array = NULL;
  if (!a) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the list of arrays");
  if (pf_agree(plan->comm, e) || !a) return e->status;
  if (pf_geometry_reaches(&plan->geometry))
    return pf_shared_create(plan->comm, plan->geometry.shared_array, &a->shared, e)
               ? e->status
               : (*array = own_part(plan, a), PFFT3D_OK);
  if (!pf_memory_agree(plan->comm, bytes, e)) a->alone = pf_alloc(bytes);
  if (!a->alone && !e->status)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for an array of %zu bytes", bytes);
  if (pf_agree(plan->comm, e)) free_array(a);
  *array = a->alone;
  return e->status;
}

int pfft3d_alloc(pfft3d_plan *plan, void **array, pfft3d_error *error) {
  pfft3d_error e;
  void *made = NULL;
  pf_error_clear(&e);
  if (!plan) pf_fail(&e, PFFT3D_ERR_USAGE, "plan: is NULL");
  if (!e.status && !pf_mpi_ready(&e) && plan) {
    if (!array) pf_fail(&e, PFFT3D_ERR_USAGE, "array: no address for it");
    pf_plan_alloc(plan, plan->geometry.user_bytes, &made, &e);
  }
  if (array) *array = made;
  return pf_error_out(&e, error);
}

void pfft3d_free(pfft3d_plan *plan, void *array) {
  for (int k = 0; plan && array && k < plan->array.count; k++)
    if (own_part(plan, &plan->array.at[k]) == array) {
      free_array(&plan->array.at[k]);
      return;
    }
}
