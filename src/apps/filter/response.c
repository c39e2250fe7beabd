/* SPDX-License-Identifier: BSD-3-Clause
 * Filters.  A mode of k waves in n points along an axis of length L has the frequency f = k/L, with
 * k from -n/2 to n/2.  Gaussians and derivatives are products of a factor for each axis; passes are
 * not, they depend on f0^2 + f1^2 + f2^2. */
#include "apps/filter/response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"

static const double pi = 3.14159265358979323846;

/* Modes on the edge of a band belong to it, also if their frequency is rounded. */
static const double edge = 1e-12;

enum { MOST_ORDER = 9 };

/* ---- options ---- */

static int read_band(response *r, const char *text, pfft3d_error *e) {
  char *middle = NULL, *end = NULL;
  r->low = strtod(text, &middle);
  if (middle != text && *middle == ':') r->high = strtod(middle + 1, &end);
  if (!end || end == middle + 1 || *end || !(r->low >= 0 && r->low <= r->high) ||
      !isfinite(r->high))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--bandpass '%.60s': expected two frequencies A:B with 0 <= A <= B", text);
  return PFFT3D_OK;
}

static int wrong_orders(const response *r, const char *expected, pfft3d_error *e) {
  return app_fail(e, PFFT3D_ERR_USAGE, "--derivative '%.60s': expected %s, from 0 to %d", r->value,
                  expected, MOST_ORDER);
}

static int read_orders(response *r, pfft3d_error *e) {
  const char *at = r->value;
  for (r->axes = 0; r->axes < 3; at++) {
    if (!(*at >= '0' && *at <= '0' + MOST_ORDER)) break;
    r->orders[r->axes++] = *at++ - '0';
    if (!*at) return PFFT3D_OK;
    if (*at != ',') break;
  }
  return wrong_orders(r, "an order for each axis, as 1,0,0", e);
}

/* Assigns the orders to the axes of the field. */
static int place_orders(response *r, pfft3d_error *e) {
  static const char *const expected[] = {"an order for the one axis",
                                         "orders for both axes, as 1,0",
                                         "orders for the three axes, as 1,0,0"};
  if (r->axes != r->dims) return wrong_orders(r, expected[r->dims - 1], e);
  memcpy(r->order + 3 - r->dims, r->orders, (size_t)r->axes * sizeof *r->orders);
  return PFFT3D_OK;
}

int response_choose(response *r, const options *o, pfft3d_error *e) {
  static const char *const names[] = {"gaussian",   "lowpass",    "highpass",
                                      "bandpass",   "derivative", "curl",
                                      "divergence", "gradient",   "helmholtz"};
  const double numbers[] = {o->gaussian, o->lowpass, o->highpass};
  const char *const texts[] = {o->bandpass, o->derivative};
  *r = (response){.name = NULL};
  for (int i = 0; i < 9; i++) {
    if (!options_given(o, names[i])) continue;
    if (r->name)
      return app_fail(e, PFFT3D_ERR_USAGE, "--%s and --%s: one filter at a time", r->name,
                      names[i]);
    r->name = names[i];
    if (i < 3)
      snprintf(r->value, sizeof r->value, "%.15g", numbers[i]);
    else if (i < 5)
      snprintf(r->value, sizeof r->value, "%s", texts[i - 3]);
  }
  r->vector = vector_find(o);
  if (r->vector && r->vector->value) snprintf(r->value, sizeof r->value, "%s", r->vector->value);
  r->sigma = o->gaussian;
  r->high = o->lowpass;
  if (r->name && strcmp(r->name, "highpass") == 0) r->high = o->highpass, r->stop = 1;
  if (r->name && strcmp(r->name, "bandpass") == 0) return read_band(r, o->bandpass, e);
  if (r->name && strcmp(r->name, "derivative") == 0) return read_orders(r, e);
  return PFFT3D_OK;
}

/* ---- tables ---- */

/* The waves of mode k of n points. */
static double waves(ptrdiff_t k, ptrdiff_t n) {
  return (double)(2 * k <= n ? k : k - n);
}

/* (2 pi f)^order, without the power of i. */
static double derivative(int order, ptrdiff_t k, ptrdiff_t n, double length) {
  if (order % 2 && 2 * k == n) return 0;
  return pow(2 * pi * waves(k, n) / length, order);
}

static double factor(const response *r, int axis, ptrdiff_t k) {
  double f = waves(k, r->n[axis]) / r->length[axis];
  if (!r->separable) return f * f;
  if (strcmp(r->name, "derivative") == 0)
    return derivative(r->order[axis], k, r->n[axis], r->length[axis]);
  return exp(-2 * pi * pi * r->sigma * r->sigma * f * f);
}

int response_prepare(const app *a, response *r, const ptrdiff_t m[3], pfft3d_error *e) {
  int differs = strcmp(r->name, "derivative") == 0, sum = 0;
  if (r->vector) return vector_open(a, &r->waves, r->dims, r->n, m, r->length, e);
  r->separable = differs || strcmp(r->name, "gaussian") == 0;
  if (differs && place_orders(r, e)) return e->status;
  for (int axis = 0; axis < 3; axis++) {
    sum += r->order[axis];
    r->factor[axis] = app_malloc(a, (size_t)m[axis], sizeof(double));
    for (ptrdiff_t k = 0; k < m[axis]; k++) r->factor[axis][k] = factor(r, axis, k);
  }
  r->turn = sum % 2;
  if (sum % 4 >= 2) /* i^2 and i^3 */
    for (ptrdiff_t k = 0; k < m[0]; k++) r->factor[0][k] = -r->factor[0][k];
  r->bound[0] = r->low * (1 - edge) * r->low * (1 - edge);
  r->bound[1] = r->high * (1 + edge) * r->high * (1 + edge);
  return PFFT3D_OK;
}

void response_free(response *r) {
  for (int a = 0; a < 3; a++) free(r->factor[a]);
  vector_close(&r->waves);
  memset(r, 0, sizeof *r);
}

void response_factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3], double *out) {
  const response *r = context;
  const double *last = r->factor[2] + lo[2];
  for (ptrdiff_t i = lo[0]; i < lo[0] + len[0]; i++)
    for (ptrdiff_t j = lo[1]; j < lo[1] + len[1]; j++, out += len[2]) {
      double sum = r->factor[0][i] + r->factor[1][j];
      for (ptrdiff_t k = 0; k < len[2]; k++) {
        double f2 = sum + last[k];
        out[k] = (f2 >= r->bound[0] && f2 <= r->bound[1]) != r->stop;
      }
    }
}
