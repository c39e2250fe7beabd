/* SPDX-License-Identifier: BSD-3-Clause
 * Requests as objects, and their typed setters. */
#include "request/request.h"

#include <stdlib.h>

void pf_request_init(pfft3d_request *r) {
  *r = (pfft3d_request){
      .mark = PF_REQUEST_MARK,
      .problem =
          {.kind = PFFT3D_C2C, .precision = PFFT3D_DOUBLE, .n = {1, 1, 1}, .batch = 1, .dims = 3},
      .decision = {.scheme = "auto", .algo = "auto", .engine = "auto", .order = PFFT3D_NATURAL},
      .scale = {1, 1},
      .wire = PFFT3D_SAME,
      .threads = 1};
}

int pf_request_valid(const pfft3d_request *r, pfft3d_error *e) {
  if (r && r->mark == PF_REQUEST_MARK) return PFFT3D_OK;
  pf_hint(e, "pfft3d_request_create() makes a request");
  return pf_fail(e, PFFT3D_ERR_USAGE, r ? "request: this is no request" : "request: is NULL");
}

int pfft3d_request_create(pfft3d_request **request, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (!request) {
    pf_fail(&e, PFFT3D_ERR_USAGE, "request: no address for it");
  } else if (!(*request = malloc(sizeof **request))) {
    pf_fail(&e, PFFT3D_ERR_MEMORY, "no memory for a request");
  } else {
    pf_request_init(*request);
  }
  return pf_error_out(&e, error);
}

int pfft3d_request_copy(const pfft3d_request *request, pfft3d_request **copy, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (copy) *copy = NULL;
  if (!pf_request_valid(request, &e) && !pfft3d_request_create(copy, &e)) {
    **copy = *request;
    pf_cut_wish_hold(&(*copy)->cuts);
  }
  return pf_error_out(&e, error);
}

void pfft3d_request_destroy(pfft3d_request **request) {
  if (!request || !*request) return;
  (*request)->mark = 0;
  pf_cut_wish_drop(&(*request)->cuts);
  free(*request);
  *request = NULL;
}

int pfft3d_request_problem(const pfft3d_request *request, pfft3d_problem *p) {
  if (pf_request_valid(request, NULL) || !p) return PFFT3D_ERR_USAGE;
  *p = request->problem;
  return PFFT3D_OK;
}

int pfft3d_request_array(pfft3d_request *request, pfft3d_side side, const pfft3d_array *array,
                         pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  pf_request_valid(request, &e);
  if (!array) pf_fail(&e, PFFT3D_ERR_USAGE, "array: is NULL");
  if (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM)
    pf_fail(&e, PFFT3D_ERR_USAGE, "array: side %d: unknown", (int)side);
  if (!e.status && array) request->array[side] = *array;
  return pf_error_out(&e, error);
}

int pfft3d_request_box(pfft3d_request *request, pfft3d_side side, const pfft3d_box *box,
                       pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  pf_request_valid(request, &e);
  if (side != PFFT3D_SPACE && side != PFFT3D_SPECTRUM)
    pf_fail(&e, PFFT3D_ERR_USAGE, "box: side %d: unknown", (int)side);
  if (!e.status) {
    request->boxed[side] = box != NULL;
    request->box[side] = box ? *box : (pfft3d_box){.offset = 0};
  }
  return pf_error_out(&e, error);
}

int pfft3d_request_cuts(pfft3d_request *request, const pfft3d_cuts *cuts, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (!cuts)
    pf_fail(&e, PFFT3D_ERR_USAGE, "cuts: is NULL");
  else if (!pf_request_valid(request, &e))
    pf_cut_wish_put(&request->cuts, cuts, &e);
  return pf_error_out(&e, error);
}

int pfft3d_request_scales(pfft3d_request *request, double forward, double backward,
                          pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (!pf_request_valid(request, &e)) {
    request->scale[PFFT3D_FORWARD] = forward;
    request->scale[PFFT3D_BACKWARD] = backward;
  }
  return pf_error_out(&e, error);
}

int pfft3d_request_scale(pfft3d_request *request, double forward, double backward) {
  return pfft3d_request_scales(request, forward, backward, NULL);
}
