/* SPDX-License-Identifier: BSD-3-Clause
 * FFTs as compute shaders of OpenGL 4.3, in double precision or (PF_SINGLE) single.  The kernels of
 * one text; PF_KERNEL_name says which is compiled.  Arguments are those of fft.cl, where the first
 * three algorithms are explained: a launch is a stage of all lines.  In the fourth a launch is all
 * stages, in memory that a group of items shares.
 * Source: J. Mota, High Performance Fourier Transforms on GPUs, Universidade do Minho, chapter 4. */
#ifdef PF_SINGLE
#define number vec2
#else
#define number dvec2
#endif

#ifdef PF_KERNEL_line
layout(local_size_x = 512) in;
#else
layout(local_size_x = 64) in;
#endif
layout(std430, binding = 0) buffer from_lines { number x[]; };
layout(std430, binding = 1) buffer to_lines { number y[]; };
layout(std430, binding = 2) buffer table { number roots[]; };
layout(location = 3) uniform uint items;
layout(location = 4) uniform int bits;
layout(location = 5) uniform int done;
layout(location = 6) uniform int inner;
layout(location = 7) uniform int direction;

/* Groups are counted in two dimensions, since one has 65535 only. */
uint group() {
  return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

number times(number a, number b) {
  return number(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
number times_i(number a) {
  return direction > 0 ? number(-a.y, a.x) : number(a.y, -a.x);
}

#ifdef PF_KERNEL_bit_reversal
void main() {
  uint i = group() * 64u + gl_LocalInvocationID.x, line = i >> bits;
  uint column = i & ((1u << inner) - 1u), k = 0u;
  if (i >= items) return;
  if (bits > inner) k = bitfieldReverse(i >> inner) >> (32 - bits + inner);
  y[(line << bits) + (k << inner) + column] = x[i];
}
#endif

#ifdef PF_KERNEL_radix2
void main() {
  uint i = group() * 64u + gl_LocalInvocationID.x, middle = 1u << done, k = i & (middle - 1u);
  if (i >= items) return;
  uint at = ((i >> done) << (done + 1)) + k;
  number a = y[at], b = times(y[at + middle], roots[(middle + k) >> inner]);
  y[at] = a + b;
  y[at + middle] = a - b;
}
#endif

#ifdef PF_KERNEL_stockham2
void main() {
  uint i = group() * 64u + gl_LocalInvocationID.x, middle = 1u << (bits - 1), stride = 1u << done;
  if (i >= items) return;
  uint line = i >> (bits - 1), k = i & (middle - 1u), p = k >> done;
  uint from = (line << bits) + k, to = from + stride * p;
  number a = x[from], b = x[from + middle];
  y[to] = a + b;
  y[to + stride] = times(a - b, roots[(middle >> done) + p]);
}
#endif

#ifdef PF_KERNEL_stockham4
void main() {
  uint i = group() * 64u + gl_LocalInvocationID.x, quarter = 1u << (bits - 2), stride = 1u << done;
  if (i >= items) return;
  uint line = i >> (bits - 2), k = i & (quarter - 1u), p = k >> done, half_group = quarter >> done;
  uint from = (line << bits) + k, to = from + 3u * stride * p;
  number w1 = roots[2u * half_group + p], w2 = roots[half_group + p], w3 = times(w1, w2);
  number a = x[from], b = x[from + quarter];
  number c = x[from + 2u * quarter], d = x[from + 3u * quarter];
  number sum = a + c, difference = a - c, other = b + d, rotated = times_i(b - d);
  y[to] = sum + other;
  y[to + stride] = times(difference + rotated, w1);
  y[to + 2u * stride] = times(sum - other, w2);
  y[to + 3u * stride] = times(difference - rotated, w3);
}
#endif

/* A group takes 2048 points into the memory that its items share, a line or several short ones, and
 * transforms them there: an item has 4 points in each stage, as one butterfly of radix 4, or as two
 * of radix 2 if log2 of the points is odd.  All items have read before one writes.  In double
 * precision that is 32 KiB, which every device has.
 * Points wait in variables, not in an array: NVIDIA's driver 580 keeps local arrays of double
 * precision in single. */
#ifdef PF_KERNEL_line
shared number points[2048];

/* Where point k of all lines is: point i of line k >> log2 n, or of such a column of a matrix. */
uint index_of(uint k) {
  uint line = k >> (bits - inner), i = k & ((1u << (bits - inner)) - 1u);
  return ((line >> inner) << bits) + (i << inner) + (line & ((1u << inner) - 1u));
}

/* The first point of a butterfly; a line has `part` of them, and `part` << few points. */
uint first_of(uint butterfly, uint part, int few) {
  return ((butterfly & ~(part - 1u)) << few) + (butterfly & (part - 1u));
}

void main() {
  uint item = gl_LocalInvocationID.x, start = 2048u * group();
  for (uint k = item; k < 2048u; k += 512u)
    if (start + k < items) points[k] = x[index_of(start + k)];
  barrier();
  for (int ready = 0, few; ready < bits - inner; ready += few) {
    few = bits - inner - ready > 1 ? 2 : 1;
    uint part = 1u << (bits - inner - few), stride = 1u << ready, p = (item & (part - 1u)) >> ready;
    uint from = first_of(item, part, few);
    uint other = few == 2 ? from + 2u * part : first_of(item + 512u, part, few);
    number a = points[from], b = points[from + part], c = points[other], d = points[other + part];
    barrier();
    if (few == 1) { /* the last stage: roots are 1, and points stay where they are */
      points[from] = a + b;
      points[from + part] = a - b;
      points[other] = c + d;
      points[other + part] = c - d;
    } else {
      uint to = from + 3u * stride * p;
      number w1 = roots[2u * (part >> ready) + p], w2 = roots[(part >> ready) + p];
      number rotated = times_i(b - d);
      points[to] = a + c + b + d;
      points[to + stride] = times(a - c + rotated, w1);
      points[to + 2u * stride] = times(a + c - b - d, w2);
      points[to + 3u * stride] = times(a - c - rotated, times(w1, w2));
    }
    barrier();
  }
  for (uint k = item; k < 2048u; k += 512u)
    if (start + k < items) y[index_of(start + k)] = points[k];
}
#endif
