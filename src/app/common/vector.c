/* SPDX-License-Identifier: BSD-3-Clause
 * Derivatives of vector fields, and their parts: the derivative along an axis is i times the wave
 * number, of the trigonometric polynomial through the points.  Helmholtz's decomposition: Canuto,
 * Hussaini, Quarteroni and Zang, Spectral Methods, 2007, section 3.3. */
#include "app/common/vector.h"

#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"

static const double pi = 3.14159265358979323846;

/* i k z */
static void derive(double k, const double z[2], double out[2]) {
  out[0] = -k * z[1];
  out[1] = k * z[0];
}

static void gradient(const double *k, int dims, double (*z)[2]) {
  const double field[2] = {z[0][0], z[0][1]};
  for (int c = 0; c < dims; c++) derive(k[c], field, z[c]);
}

static void divergence(const double *k, int dims, double (*z)[2]) {
  double sum[2] = {0, 0}, part[2];
  for (int c = 0; c < dims; c++) {
    derive(k[c], z[c], part);
    sum[0] += part[0];
    sum[1] += part[1];
  }
  memcpy(z[0], sum, sizeof sum);
}

/* In two dimensions the component that points out of the plane. */
static void curl(const double *k, int dims, double (*z)[2]) {
  double out[3][2];
  for (int c = dims == 2 ? 2 : 0; c < 3; c++) {
    double plus[2], minus[2];
    int x = (c + 1) % 3, y = (c + 2) % 3;
    derive(k[x], z[y], plus);
    derive(k[y], z[x], minus);
    for (int part = 0; part < 2; part++) out[c][part] = plus[part] - minus[part];
  }
  if (dims == 2)
    memcpy(z[0], out[2], sizeof out[2]);
  else
    memcpy(z, out, sizeof out);
}

/* k (k z) / k^2; the mean is no gradient. */
static void potential(const double *k, int dims, double (*z)[2]) {
  double square = 0, along[2] = {0, 0};
  for (int c = 0; c < dims; c++) {
    square += k[c] * k[c];
    for (int part = 0; part < 2; part++) along[part] += k[c] * z[c][part];
  }
  for (int c = 0; c < dims; c++)
    for (int part = 0; part < 2; part++) z[c][part] = square > 0 ? k[c] * along[part] / square : 0;
}

static void solenoidal(const double *k, int dims, double (*z)[2]) {
  double other[3][2];
  memcpy(other, z, (size_t)dims * sizeof *z);
  potential(k, dims, other);
  for (int c = 0; c < dims; c++)
    for (int part = 0; part < 2; part++) z[c][part] -= other[c][part];
}

static const vector_op operations[] = {
    {"curl", NULL, 0, {1, 0}, curl},
    {"divergence", NULL, 0, {1, 1}, divergence},
    {"gradient", NULL, 1, {0, 0}, gradient},
    {"helmholtz", "solenoidal", 0, {0, 0}, solenoidal},
    {"helmholtz", "potential", 0, {0, 0}, potential},
};

const vector_op *vector_find(const options *o) {
  const size_t count = sizeof operations / sizeof *operations;
  for (size_t k = 0; k < count; k++)
    if (options_given(o, operations[k].option))
      return &operations[k + (operations[k].value && o->helmholtz)];
  return NULL;
}

const vector_op *vector_potential(void) {
  return &operations[sizeof operations / sizeof *operations - 1];
}

/* ---- Wave vectors ------------------------------------------------------------------------- */

/* "2,1,0": the axis of each component, counted from the first one of the field. */
static int read_along(const app *a, vector_waves *w, pfft3d_error *e) {
  const char *text = a->opt.along;
  int used = 0;
  for (int c = 0; c < w->dims; c++) w->along[c] = 3 - w->dims + c;
  if (!text[0]) return PFFT3D_OK;
  for (int c = 0; c < w->dims; c++) {
    int axis = text[2 * c] - '0', last = c == w->dims - 1;
    if (axis < 0 || axis >= w->dims || used & 1 << axis || text[2 * c + 1] != (last ? 0 : ','))
      return app_fail(e, PFFT3D_ERR_USAGE,
                      "--along '%.60s': expected each axis of the field once, as %s", text,
                      w->dims == 2 ? "1,0" : "2,1,0");
    used |= 1 << axis;
    w->along[c] = 3 - w->dims + axis;
  }
  return PFFT3D_OK;
}

int vector_open(const app *a, vector_waves *w, int dims, const ptrdiff_t n[3], const ptrdiff_t m[3],
                const double length[3], pfft3d_error *e) {
  *w = (vector_waves){.dims = dims};
  if (dims < 2)
    return app_fail(e, PFFT3D_ERR_DATA, "a vector field has two or three dimensions, not %d", dims);
  if (read_along(a, w, e)) return e->status;
  for (int axis = 0; axis < 3; axis++) {
    w->wave[axis] = app_malloc(a, (size_t)m[axis], sizeof(double));
    for (ptrdiff_t k = 0; k < m[axis]; k++) {
      double waves = 2 * k == n[axis] ? 0 : (double)(2 * k < n[axis] ? k : k - n[axis]);
      w->wave[axis][k] = 2 * pi * waves / length[axis];
    }
  }
  return PFFT3D_OK;
}

void vector_close(vector_waves *w) {
  for (int axis = 0; axis < 3; axis++) free(w->wave[axis]);
}

void vector_apply(const vector_op *op, const vector_waves *w, const pfft3d_box *box, int single,
                  void *const array[3]) {
  for (ptrdiff_t i = 0; i < box->len[0]; i++)
    for (ptrdiff_t j = 0; j < box->len[1]; j++)
      for (ptrdiff_t k = 0; k < box->len[2]; k++) {
        const double wave[3] = {w->wave[0][box->lo[0] + i], w->wave[1][box->lo[1] + j],
                                w->wave[2][box->lo[2] + k]};
        ptrdiff_t at =
            2 * (box->offset + i * box->stride[0] + j * box->stride[1] + k * box->stride[2]);
        double z[3][2] = {{0}}, along[3] = {0};
        for (int c = 0; c < w->dims; c++) {
          along[c] = wave[w->along[c]];
          for (int part = 0; part < 2; part++) z[c][part] = number_get(array[c], single, at + part);
        }
        op->mode(along, w->dims, z);
        for (int c = 0; c < w->dims; c++)
          for (int part = 0; part < 2; part++) number_set(array[c], single, at + part, z[c][part]);
      }
}
