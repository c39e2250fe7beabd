/* SPDX-License-Identifier: BSD-3-Clause
 * References that owe nothing to the library; see oracle.h. */
#include "oracle.h"

#include "kinds.h"

/* The index that is conjugate to k: -k along an axis with a dft, else k itself. */
static ptrdiff_t mirror(const pfft3d_problem *p, int axis, ptrdiff_t k) {
  return p->axis[axis] == PFFT3D_DFT ? (p->n[axis] - k) % p->n[axis] : k;
}

/* The half of a real field's spectrum that holds an index, or its mirror image. */
void fill_hermitian(const pfft3d_problem *p, wide *full) {
  const ptrdiff_t *n = p->n;
  int axis = half_axis(p);
  ptrdiff_t most = n[axis] / 2, g = 0, all = n[0] * n[1] * n[2];
  wide *half = get((size_t)all * sizeof *half);
  memcpy(half, full, (size_t)all * sizeof *half);
  for (ptrdiff_t k0 = 0; k0 < n[0]; k0++)
    for (ptrdiff_t k1 = 0; k1 < n[1]; k1++)
      for (ptrdiff_t k2 = 0; k2 < n[2]; k2++, g++) {
        ptrdiff_t k[3] = {k0, k1, k2}, m[3];
        for (int a = 0; a < 3; a++) m[a] = mirror(p, a, k[a]);
        wide a = half[g], b = half[(m[0] * n[1] + m[1]) * n[2] + m[2]];
        if (k[axis] <= most && m[axis] <= most)
          full[g] = (wide){(a.re + b.re) / 2, (a.im - b.im) / 2};
        else
          full[g] = k[axis] <= most ? a : (wide){b.re, -b.im};
      }
  free(half);
}

/* The index in the whole spectrum of index i of what is kept of it. */
static ptrdiff_t whole_mode(const oracle *o, int axis, ptrdiff_t i) {
  const pfft3d_problem *p = &o->problem;
  ptrdiff_t kept = p->keep[axis] ? p->keep[axis] : p->n[axis];
  if (p->axis[axis] != PFFT3D_DFT || axis == half_axis(p)) return i;
  return 2 * i < kept ? i : p->n[axis] - (kept - i);
}

/* The place in a whole field, or in its whole spectrum, of element g of a side. */
static ptrdiff_t whole_place(const oracle *o, int side, ptrdiff_t g) {
  const ptrdiff_t *n = o->problem.n, *m = o->n[side];
  ptrdiff_t k[3] = {g / m[2] / m[1], g / m[2] % m[1], g % m[2]};
  for (int a = 0; a < 3 && side == PFFT3D_SPECTRUM; a++) k[a] = whole_mode(o, a, k[a]);
  return (k[0] * n[1] + k[1]) * n[2] + k[2];
}

/* The sum of the squares of the given elements of a side, which are in a whole field. */
static long double squares(const oracle *o, int side, const wide *x) {
  long double sum = 0;
  for (ptrdiff_t g = 0; g < o->elements[side]; g++) {
    wide value = x[whole_place(o, side, g)];
    sum += value.re * value.re + value.im * value.im;
  }
  return sum;
}

/* How many times larger the whole is than its part, as a norm: 1 or more. */
static double times_less(long double part, long double whole) {
  return whole > part && part > 0 ? (double)sqrtl(whole / part) : 1;
}

/* Local. One field through a direction: numbers of one side in, numbers of the other out.  Returns
 * how much smaller the numbers that count are than all, 1 or more: few of them may nearly vanish,
 * but not their errors.  Those that count are, of the input, what can be in the spectrum of a real
 * field, and of the output what is kept. */
static double transform_field(const oracle *o, int direction, const long double *in,
                              long double *out) {
  long double whole = 0;
  const ptrdiff_t *n = o->problem.n;
  ptrdiff_t all = n[0] * n[1] * n[2], parts = o->parts[!direction];
  wide *x = get((size_t)all * sizeof *x);
  for (ptrdiff_t g = 0; g < all; g++) x[g] = (wide){0, 0};
  for (ptrdiff_t g = 0; g < o->elements[direction]; g++)
    x[whole_place(o, direction, g)] =
        o->parts[direction] == 1 ? (wide){in[g], 0} : (wide){in[2 * g], in[2 * g + 1]};
  long double given = squares(o, direction, x);
  if (has_half(&o->problem) && direction == PFFT3D_BACKWARD) fill_hermitian(&o->problem, x);
  double less = times_less(squares(o, direction, x), given);
  kind_field(x, &o->problem, direction);
  for (ptrdiff_t g = 0; g < all; g++) whole += x[g].re * x[g].re + x[g].im * x[g].im;
  for (ptrdiff_t g = 0; g < o->elements[!direction]; g++) {
    wide value = x[whole_place(o, !direction, g)];
    out[g * parts] = value.re;
    if (parts == 2) out[g * 2 + 1] = value.im;
  }
  long double kept = squares(o, !direction, x);
  free(x);
  return less * times_less(kept, whole / (long double)all * (long double)o->elements[!direction]);
}

double oracle_limit(const pfft3d_problem *p, pfft3d_precision precision) {
  ptrdiff_t points = p->n[0] * p->n[1] * p->n[2];
  double unit = precision == PFFT3D_SINGLE ? 0x1p-24 : 0x1p-53;
  int smooth = is_smooth(points);
  for (int a = 0; a < 3; a++)
    if (p->axis[a] > PFFT3D_NONE) /* complex transforms of 2 (n+1) points, at most */
      points = points / p->n[a] * 2 * (p->n[a] + 1), smooth = 0;
  /* Two more roundings than error_limit() counts: of the scale, and of the product with it. */
  return error_limit(points, smooth) * (unit / 0x1p-53) + 2 * unit;
}

/* VkFFT sums the products of long prime factors: 3.1 u sqrt(log2 n) was the most for primes up to
 * 4099.  A line of smooth length may be a convolution of another length, which the request names.
 * oneMKL exceeds the limit of smooth lengths, by 1.4 times at 375 points; it keeps that of others.
 */
double oracle_allowed(const oracle *o, const char *engine) {
  ptrdiff_t points = o->problem.n[0] * o->problem.n[1] * o->problem.n[2];
  int sums = strcmp(engine, "opencl") == 0 && (points & (points - 1)) != 0;
  if (strcmp(engine, "mkl") == 0 && is_smooth(points)) return 2 * o->limit;
  return sums ? 1.5 * o->limit : o->limit;
}

void oracle_shape(oracle *o, const pfft3d_problem *p) {
  *o = (oracle){.problem = *p, .fields = p->batch > 0 ? p->batch : 1};
  for (int side = 0; side < 2; side++) {
    int half = has_half(p) && side == PFFT3D_SPECTRUM;
    memcpy(o->n[side], p->n, sizeof p->n);
    for (int a = 0; a < 3; a++) {
      if (side == PFFT3D_SPECTRUM && p->keep[a]) o->n[side][a] = p->keep[a];
      if (half && a == half_axis(p)) o->n[side][a] = o->n[side][a] / 2 + 1;
    }
    o->elements[side] = o->n[side][0] * o->n[side][1] * o->n[side][2];
    o->parts[side] = p->kind == PFFT3D_R2C && !half ? 1 : 2;
  }
  o->limit = oracle_limit(p, p->precision);
  o->less[0] = o->less[1] = 1;
}

/* Collective on comm. Results that rank `root` has, of one field, to all. */
static void share_result(MPI_Comm comm, long double *want, ptrdiff_t count, double *less,
                         int root) {
  MPI_Bcast(want, (int)count, MPI_LONG_DOUBLE, root, comm);
  MPI_Bcast(less, 1, MPI_DOUBLE, root, comm);
}

void oracle_make(MPI_Comm comm, oracle *o, const pfft3d_problem *p, uint64_t seed) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  oracle_shape(o, p);
  double *less = get((size_t)(2 * o->fields) * sizeof *less);
  for (int d = 0; d < 2; d++) {
    ptrdiff_t in = o->elements[d] * o->parts[d], out = o->elements[!d] * o->parts[!d];
    o->given[d] = get((size_t)(in * o->fields) * sizeof *o->given[d]);
    o->want[d] = get((size_t)(out * o->fields) * sizeof *o->want[d]);
    for (ptrdiff_t i = 0; i < in * o->fields; i++) {
      double value = value_of(mix(2 * seed + (uint64_t)d) + (uint64_t)i);
      if (i / in % 2) value *= 0x1p-20; /* errors of its neighbours do not fit into a small field */
      o->given[d][i] = p->precision == PFFT3D_SINGLE ? (long double)(float)value : value;
    }
    for (ptrdiff_t b = 0; b < o->fields; b++)
      if ((2 * b + d) % ranks == rank)
        less[2 * b + d] = transform_field(o, d, o->given[d] + b * in, o->want[d] + b * out);
  }
  for (ptrdiff_t k = 0; k < 2 * o->fields; k++) {
    ptrdiff_t out = o->elements[!(k % 2)] * o->parts[!(k % 2)];
    share_result(comm, o->want[k % 2] + k / 2 * out, out, &less[k], (int)(k % ranks));
    if (less[k] > o->less[k % 2]) o->less[k % 2] = less[k];
  }
  free(less);
}

void oracle_free(oracle *o) {
  for (int d = 0; d < 2; d++) {
    free(o->given[d]);
    free(o->want[d]);
  }
}

size_t number_bytes(const oracle *o) {
  return o->problem.precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double);
}

size_t element_bytes(const oracle *o, int side) {
  return number_bytes(o) * (size_t)o->parts[side];
}

void place_box(const oracle *o, int side, const pfft3d_box *box, const long double *fields,
               void *array) {
  int parts = o->parts[side];
  FOR_ELEMENTS(box, o->n[side], o->fields, g, at)
  for (ptrdiff_t c = 0; c < parts; c++) {
    if (o->problem.precision == PFFT3D_SINGLE)
      ((float *)array)[at * parts + c] = (float)fields[g * parts + c];
    else
      ((double *)array)[at * parts + c] = (double)fields[g * parts + c];
  }
}

double number_at(const oracle *o, const void *array, ptrdiff_t i) {
  return o->problem.precision == PFFT3D_SINGLE ? ((const float *)array)[i]
                                               : ((const double *)array)[i];
}

void mark_box(const oracle *o, int side, const pfft3d_box *box, unsigned char *map) {
  size_t bytes = element_bytes(o, side);
  FOR_ELEMENTS(box, o->n[side], o->fields, g, at) {
    (void)g;
    memset(map + (size_t)at * bytes, 1, bytes);
  }
}

size_t box_reach(const oracle *o, int side, const pfft3d_box *box) {
  ptrdiff_t reach = 0;
  FOR_ELEMENTS(box, o->n[side], o->fields, g, at) {
    (void)g;
    if (at + 1 > reach) reach = at + 1;
  }
  return (size_t)reach * element_bytes(o, side);
}

double fields_error(MPI_Comm comm, const oracle *o, int side, const pfft3d_box *box,
                    const void *array, const long double *want, double scale) {
  double *sum = get(4 * (size_t)o->fields * sizeof *sum), *all = sum + 2 * o->fields, worst = 0;
  int parts = o->parts[side];
  memset(sum, 0, 4 * (size_t)o->fields * sizeof *sum);
  FOR_ELEMENTS(box, o->n[side], o->fields, g, at)
  for (ptrdiff_t c = 0; c < parts; c++) {
    long double value = want[g * parts + c] * scale;
    long double d = number_at(o, array, at * parts + c) - value;
    sum[2 * b_] += (double)(d * d);
    sum[2 * b_ + 1] += (double)(value * value);
  }
  MPI_Allreduce(sum, all, 2 * (int)o->fields, MPI_DOUBLE, MPI_SUM, comm);
  for (ptrdiff_t b = 0; b < o->fields; b++) {
    double error = all[2 * b] == 0 ? 0 : sqrt(all[2 * b] / all[2 * b + 1]);
    if (!(error <= worst)) worst = error;
    if (error != error) break;
  }
  free(sum);
  return worst;
}

int list_cuts(int ranks, cut list[CUTS]) {
  int count = 0, root = (int)sqrt(ranks - 1);
  list[count++] = (cut){"slab", {0, 0}};
  for (int p = 1; p <= ranks && count < CUTS - 1; p++)
    if (ranks % p == 0) list[count++] = (cut){"pencil", {p, ranks / p}};
  if (ranks > 1) list[count++] = (cut){"pencil", {root, (ranks - 1) / root}};
  return count;
}

pfft3d_request cut_request(const pfft3d_problem *p, const cut *c, const char *algo,
                           const char *engine, int order) {
  pfft3d_request r = make_request(p->n, c->scheme, algo, engine, (pfft3d_order)order);
  r.problem = *p;
  memcpy(r.decision.grid, c->grid, sizeof c->grid);
  return r;
}

void cut_axis(ptrdiff_t n, int parts, int part, ptrdiff_t *lo, ptrdiff_t *len) {
  ptrdiff_t q = n / parts, r = n % parts;
  *len = q + (part < r);
  *lo = part * q + (part < r ? part : r);
}

void roll_cut_list(pfft3d_request *r, int side, int axis, int parts, uint64_t number) {
  ptrdiff_t n[3], at[64 + 1];
  pfft3d_error e;
  pfft3d_problem_extents(&r->problem, (pfft3d_side)side, n);
  at[0] = 0;
  for (int k = 1; k < parts; k++) {
    ptrdiff_t next = (ptrdiff_t)(mix(number + (uint64_t)k) % (uint64_t)(n[axis] + 1));
    int j = k;
    for (; at[j - 1] > next; j--) at[j] = at[j - 1];
    at[j] = next;
  }
  at[parts] = n[axis];
  for (int k = 1; k + 1 < parts && number % 3 == 0; k += 2) at[k + 1] = at[k];
  pfft3d_cuts cuts = {(pfft3d_side)side, axis, parts, at};
  CHECK(!pfft3d_request_cuts(r, &cuts, &e), "%s", e.text);
}

void roll_field_cuts(pfft3d_request *r, int ranks, uint64_t number) {
  int slab = !strcmp(r->decision.scheme, "slab"), row = slab && r->problem.n[0] == 1;
  int grid[2] = {r->decision.grid[0], r->decision.grid[1]};
  if (slab) grid[0] = row ? 1 : ranks, grid[1] = row ? ranks : 1;
  r->cuts.rule = mix(number) % 2 ? PF_CUTS_CEIL : PF_CUTS_BALANCED;
  for (int side = 0; side < 2 && grid[0] && mix(number + 1) % 4; side++)
    for (int dim = 0; dim < 2; dim++) {
      int axis = dim + (side && r->decision.order == PFFT3D_TRANSPOSED);
      uint64_t turn = mix(number + 10 * (uint64_t)(2 * side + dim + 1));
      if (turn % 4) roll_cut_list(r, side, axis, grid[dim], turn / 4);
    }
}

void cut_side(const pfft3d_request *r, int side, int axis, const ptrdiff_t by[3], pfft3d_box *box) {
  ptrdiff_t n = by[0], parts = by[1], part = by[2], block = (n + parts - 1) / parts;
  const pf_cut_list *list = r->cuts.list[side][axis], *field = r->cuts.list[PFFT3D_SPACE][axis];
  int follows = pf_is_line(r) || r->decision.order == PFFT3D_NATURAL;
  if (!list && follows && field && field->at[parts] == n) list = field; /* of as long an axis */
  cut_axis(n, (int)parts, (int)part, &box->lo[axis], &box->len[axis]);
  if (list) {
    box->lo[axis] = list->at[part];
    box->len[axis] = list->at[part + 1] - list->at[part];
  } else if (r->cuts.rule == PF_CUTS_CEIL) {
    box->lo[axis] = part * block < n ? part * block : n;
    box->len[axis] = (part + 1) * block < n ? block : n - box->lo[axis];
  }
}

pfft3d_box expected_field(const oracle *o, const pfft3d_request *r, int ranks, int side, int rank) {
  const pfft3d_array *array = &r->array[side];
  const ptrdiff_t *n = o->n[side];
  int transposed = side == PFFT3D_SPECTRUM && r->decision.order == PFFT3D_TRANSPOSED;
  int slab = !strcmp(r->decision.scheme, "slab"), row = slab && r->problem.n[0] == 1;
  int grid[2] = {r->decision.grid[0], r->decision.grid[1]};
  int storage[3] = {transposed, !transposed, 2}; /* axes from slowest to fastest */
  if (transposed && r->problem.dims == 2) storage[0] = 0, storage[1] = 2, storage[2] = 1;
  pfft3d_box box = {.lo = {0, 0, 0}};
  if (slab) grid[0] = row ? 1 : ranks, grid[1] = row ? ranks : 1;
  memcpy(box.len, n, sizeof box.len);
  for (int k = 0; k < 2 && rank < grid[0] * grid[1]; k++)
    cut_side(r, side, transposed + k,
             (ptrdiff_t[]){n[transposed + k], grid[k], k ? rank % grid[1] : rank / grid[1]}, &box);
  if (rank >= grid[0] * grid[1]) memset(box.len, 0, sizeof box.len);
  ptrdiff_t stride = array->every ? array->every : 1;
  for (int k = 2; k >= 0; k--) {
    int a = storage[k];
    box.stride[a] = stride;
    box.offset += array->below[a] * stride;
    ptrdiff_t row_length = array->below[a] + box.len[a] + array->above[a];
    if (a == 2 && side == PFFT3D_SPACE && r->padded && has_half(&r->problem))
      row_length = 2 * (n[2] / 2 + 1);
    stride *= row_length;
  }
  box.distance = stride;
  return box;
}

/* The box that this rank has named. */
static pfft3d_box named_box(const pfft3d_request *r, int side) {
  pfft3d_box box = r->box[side];
  if (box.stride[0] || box.stride[1] || box.stride[2]) return box;
  box.stride[2] = 1;
  box.stride[1] = box.len[2];
  box.stride[0] = box.len[1] * box.len[2];
  return box;
}

pfft3d_box expected_box(const oracle *o, const pfft3d_request *r, int ranks, int side, int rank) {
  if (r->boxed[side]) return named_box(r, side);
  const pfft3d_array *array = r->array;
  pfft3d_box box = expected_field(o, r, ranks, side, rank);
  if (array[side].distance) box.distance = array[side].distance;
  if (array[0].distance || array[1].distance) return box;
  /* As many bytes on both sides, of whole complex numbers. */
  pfft3d_box other = expected_field(o, r, ranks, !side, rank);
  size_t here = (size_t)box.distance * element_bytes(o, side),
         complex = element_bytes(o, 1); /* the larger elements */
  size_t there = (size_t)other.distance * element_bytes(o, !side);
  if (there > here) here = there;
  here = (here + complex - 1) / complex * complex;
  box.distance = (ptrdiff_t)(here / element_bytes(o, side));
  return box;
}

ptrdiff_t differences(const oracle *o, int side, const pfft3d_box *box, const char *a,
                      const char *b) {
  size_t bytes = element_bytes(o, side);
  ptrdiff_t wrong = 0;
  FOR_ELEMENTS(box, o->n[side], o->fields, g, at) {
    (void)g;
    wrong += memcmp(a + (size_t)at * bytes, b + (size_t)at * bytes, bytes) != 0;
  }
  return wrong;
}

int same_box(const pfft3d_box *a, const pfft3d_box *b, ptrdiff_t fields) {
  if (!box_elements(a) || !box_elements(b)) return box_elements(a) == box_elements(b);
  for (int k = 0; k < 3; k++) {
    if (a->lo[k] != b->lo[k] || a->len[k] != b->len[k]) return 0;
    if (a->len[k] > 1 && a->stride[k] != b->stride[k]) return 0;
  }
  return a->offset == b->offset && (fields == 1 || a->distance == b->distance);
}
