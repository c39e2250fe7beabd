/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of up to 16 points in engine simd, part of simd_kernel.h: all points of PF_VL lines are
 * read into registers, transformed and written, without a tile.  The arithmetic is that of the
 * passes. */

/* Rows are moved in blocks, of which the last two may overlap.  Of lines shorter than a block, rows
 * are not taken. */
#define BLOCK_AT(b, N) ((N) < block_points || (b) + block_points <= (N) ? (b) : (N)-block_points)
#define PLACES(N)      ((N) < block_points ? block_points : (N))

/* Lines of N = R S points: S transforms of R points, then R of S points with the factors w.  Before
 * them, place b R + q has point q S + b; after them, each point is at its own place. */
#define SHORT(N, R, S)                                                                        \
  INLINE void short_dft##N(vec *r, vec *i, const real *w) {                                   \
    _Pragma("GCC unroll 16") for (int b = 0; b < S; b++) dft##R(r + b * R, i + b * R);        \
    _Pragma("GCC unroll 16") for (int j = 0; j < R && S > 1; j++) {                           \
      vec a[S], c[S];                                                                         \
      _Pragma("GCC unroll 16") for (int q = 0; q < S; q++) {                                  \
        a[q] = r[j + q * R], c[q] = i[j + q * R];                                             \
        if (!q) continue;                                                                     \
        const real *v = w + 2 * ((S - 1) * j + q - 1);                                        \
        MULTIPLY(a[q], c[q], v[0], v[1]);                                                     \
      }                                                                                       \
      dft##S(a, c);                                                                           \
      _Pragma("GCC unroll 16") for (int q = 0; q < S; q++) {                                  \
        r[j + q * R] = a[q], i[j + q * R] = c[q];                                             \
      }                                                                                       \
    }                                                                                         \
  }                                                                                           \
  INLINE void short_lines##N(const walk *x, int swap, vec *r, vec *i) {                       \
    short_dft##N(swap ? i : r, swap ? r : i, x->p->twiddle[1]);                               \
    if (x->scale == 1) return;                                                                \
    _Pragma("GCC unroll 16") for (int k = 0; k < N; k++) r[k] *= x->scale, i[k] *= x->scale;  \
  }                                                                                           \
  INLINE void short_columns##N(const walk *x, int swap) {                                     \
    char *const *from = x->job->from.at, *const *to = x->job->to.at;                          \
    ptrdiff_t in = x->job->from.offset, out = x->job->to.offset;                              \
    for (int h = 0; h < lanes; h += PF_VL) {                                                  \
      vec r[N], i[N];                                                                         \
      _Pragma("GCC unroll 16") for (int k = 0; k < N; k++)                                    \
          load_point(from[k % R * S + k / R] + in, h, 0, &r[k], &i[k]);                       \
      short_lines##N(x, swap, r, i);                                                          \
      _Pragma("GCC unroll 16") for (int k = 0; k < N; k++)                                    \
          store_point(to[k] + out, h, 0, 0, r[k], i[k]);                                      \
    }                                                                                         \
  }                                                                                           \
  INLINE void short_rows##N(const walk *x, int swap) {                                        \
    char *const *from = x->job->from.at, *const *to = x->job->to.at;                          \
    ptrdiff_t in = x->job->from.offset, out = x->job->to.offset;                              \
    if (N < block_points) return;                                                             \
    for (int h = 0; h < lanes; h += PF_VL) {                                                  \
      vec r[PLACES(N)], i[PLACES(N)], v[PF_VL];                                               \
      _Pragma("GCC unroll 16") for (int b = 0; b < N; b += block_points) {                    \
        const int at = BLOCK_AT(b, N);                                                        \
        _Pragma("GCC unroll 16") for (int k = 0; k < PF_VL; k++) v[k] =                       \
            *(const vec_any *)((const real *)(from[h + k] + in) + 2 * at);                    \
        transpose(v);                                                                         \
        _Pragma("GCC unroll 16") for (int k = 0; k < block_points; k++) {                     \
          const int place = (at + k) % S * R + (at + k) / S;                                  \
          r[place] = v[2 * k], i[place] = v[2 * k + 1];                                       \
        }                                                                                     \
      }                                                                                       \
      short_lines##N(x, swap, r, i);                                                          \
      _Pragma("GCC unroll 16") for (int b = 0; b < N; b += block_points) {                    \
        const int at = BLOCK_AT(b, N);                                                        \
        _Pragma("GCC unroll 16") for (int k = 0; k < block_points; k++) {                     \
          v[2 * k] = r[at + k], v[2 * k + 1] = i[at + k];                                     \
        }                                                                                     \
        transpose(v);                                                                         \
        _Pragma("GCC unroll 16") for (int k = 0; k < PF_VL; k++) *                            \
            (vec_any *)((real *)(to[h + k] + out) + 2 * at) = v[k];                           \
      }                                                                                       \
    }                                                                                         \
  }                                                                                           \
  /* One function for each sign: a branch among products keeps compilers from fusing them. */ \
  static void short_forward##N(const walk *x) {                                               \
    if (x->p->rows)                                                                           \
      short_rows##N(x, 0);                                                                    \
    else                                                                                      \
      short_columns##N(x, 0);                                                                 \
  }                                                                                           \
  static void short_backward##N(const walk *x) {                                              \
    if (x->p->rows)                                                                           \
      short_rows##N(x, 1);                                                                    \
    else                                                                                      \
      short_columns##N(x, 1);                                                                 \
  }

SHORT(2, 2, 1)
SHORT(3, 3, 1)
SHORT(4, 4, 1)
SHORT(5, 5, 1)
SHORT(6, 3, 2)
SHORT(7, 7, 1)
SHORT(8, 8, 1)
SHORT(9, 3, 3)
SHORT(10, 5, 2)
SHORT(11, 11, 1)
SHORT(12, 4, 3)
SHORT(13, 13, 1)
SHORT(14, 7, 2)
SHORT(15, 5, 3)
SHORT(16, 4, 4)

#define BY_LENGTH(n, name, x)    \
  switch (n) {                   \
    case 2: name##2(x); break;   \
    case 3: name##3(x); break;   \
    case 4: name##4(x); break;   \
    case 5: name##5(x); break;   \
    case 6: name##6(x); break;   \
    case 7: name##7(x); break;   \
    case 8: name##8(x); break;   \
    case 9: name##9(x); break;   \
    case 10: name##10(x); break; \
    case 11: name##11(x); break; \
    case 12: name##12(x); break; \
    case 13: name##13(x); break; \
    case 14: name##14(x); break; \
    case 15: name##15(x); break; \
    default: name##16(x); break; \
  }

/* Transforms a tile, if it is one of short lines whose points all are where their addresses say. */
static int run_short(walk *x) {
  const pf_lines *from = &x->job->from, *to = &x->job->to;
  if (!x->p->is_short || x->job->stream || x->job->weights) return 0;
  if (from->gap || to->gap || from->images || to->images) return 0;
  fetch_all(&x->job->fetch, 0);
  fetch_all(&x->job->claim, 1);
  if (x->p->swap)
    BY_LENGTH(x->p->n, short_backward, x)
  else
    BY_LENGTH(x->p->n, short_forward, x)
  return 1;
}
