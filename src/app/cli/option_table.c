/* SPDX-License-Identifier: BSD-3-Clause
 * All options of the program, in one table: how each is read, and what is said about it in --help
 * (one line) and in the man page and the reference (that line and more).  In the texts `x` is
 * something to type, and @ in details stands for the names of the list in `min`.  Which commands
 * take an option is said by the commands. */
#include <limits.h>
#include <pfft3d_tune.h>
#include <stddef.h>
#include <stdint.h>

#include "app/cli/option_value.h"

#define AT(member) offsetof(options, member)
#define MAX_EXTENT ((long long)1 << 40)
#define MAX_RANKS  (1 << 24)
#define FLAG(n, l, member, h, d) \
  { n, l, read_flag, AT(member), 0, 0, NULL, NULL, NULL, h, d }
#define TEXT(n, l, member, o, f, h, d) \
  { n, l, read_text, AT(member), 0, 0, NULL, o, f, h, d }
#define WORD(n, member, f, h, d) \
  { n, 0, read_text, AT(member), 0, sizeof(((options *)NULL)->member), NULL, NULL, f, h, d }
#define CHOICE(n, member, i, o, words, h, d) \
  { n, 0, read_choice, AT(member), 0, 0, i, o, words, h, d }
#define KEY(n, lo, hi, i, o, f, h, d) \
  { n, 0, read_key, 0, lo, hi, i, o, f, h, d }
#define NUMBER(n, l, member, lo, hi, i, o, f, h, d) \
  { n, l, read_number, AT(member), lo, hi, i, o, f, h, d }
#define NAMES(n, l, member, list, i, h, d) \
  { n, l, read_names, AT(member), list, 0, i, NULL, "NAME,...", h, d }
#define REAL(n, member, lo, hi, i, o, f, h, d) \
  { n, 0, read_real, AT(member), lo, hi, i, o, f, h, d }

/* clang-format off */
const option_row option_table[] = {
  {"grid", 'g', read_grids, AT(grid_list), 1, MAX_EXTENT, NULL, "128; transform: that of the input; poisson: with --iterative 31x31 to 255x255; spectrum: none",
   "N|N0xN1|N0xN1xN2,...", "size of the global array: a cube, a plane, or three extents",
   "Sizes with commas (`64,128,256`) are problems that run one after another; all are in one report, and "
   "a table ends the text.  Command `transform` takes the size from its input; it needs `--grid` only for a backward "
   "transform of half a spectrum whose last extent is odd and that has no attribute `problem`."},
  {"size", 0, read_sizes, AT(size_list), 1, MAX_EXTENT, NULL, "none, a field", "N|B^E|NM,...",
   "points of a line: a number, a power, or a number followed by K, M or G",
   "K, M and G stand for 1024, 1024^2 and 1024^3.  Sizes with commas are lines that run one after "
   "another."},
  {"sizes", 0, read_lines_or_matrices, AT(kernel_sizes), 1, MAX_EXTENT, NULL, NULL, "N,B^E,N0xN1,...",
   "points of a line, with commas: powers of two, or numbers up to 8192; or rows x columns of a matrix", NULL},
  WORD("kernel", kernel, "NAME,...", "algorithms, with commas, or all",
       "Of the textbooks: `dft`, `recursive`, `dit`, `dif`, `natural`, `stockham2`, `stockham4`, `radix2`, `spmd1`, "
       "`spmd2`, `multistage`; for comparison `simd`, the engine of the library, and `fftw`.  On a device "
       "`opencl-radix2`, `opencl-stockham2`, `opencl-stockham4`, `opencl-multistage`, `vkfft` and `clfft`; `cuda-radix2`, "
       "`cuda-stockham2`, `cuda-stockham4`, `cuda-multistage` and `cufft`; `glsl-radix2`, `glsl-stockham2`, "
       "`glsl-stockham4` and `glsl-line`.  Each takes `--device`, or the first device of its kind; those of the kind of "
       "`--device` belong to `all`."),
  KEY("device", 0, 0, NULL, "0; engine opencl: each rank of a node the next one", "N",
         "number of the device, as pfft3d info lists them", "For engines and kernels that are named and run on devices."),
  KEY("layout", 0, 0, "block", NULL, "block|cyclic",
         "distribution of a line over the ranks",
         "`block`: rank r holds consecutive points; the first N mod P ranks hold one more than the "
         "others.  `cyclic`: rank r holds the points j with j mod P = r."),
  KEY("out-layout", 0, 0, NULL, "as --layout", "block|cyclic",
      "distribution of the spectrum of a line in natural order",
      "In scrambled order the last step decides, and the option is refused."),
  NAMES("method", 0, method, PFFT3D_METHODS, "auto", "how a line is transformed: names, all or auto",
        NULL),
  NAMES("exchange", 'a', algo, PFFT3D_EXCHANGES, "auto",
        "exchange of data between the ranks: names, all or auto",
        "An exchange is not a decomposition: `--exchange pencils` sends a message per row, while "
        "`--decomp pencil` cuts the field along two axes.  The names `alltoall`, `slab` and `pencil` "
        "are accepted for `packed`, `slabs` and `pencils`, and `--algo` for `--exchange`.  `transform` takes one name."),
  {"chunk", 0, read_bytes, 0, 1, MAX_EXTENT, NULL, "128K, or 1/8 of a plane's rows", "BYTES",
   "least size of the messages of slabs, persistent and pencils, such as 65536 or 64K",
   "A message then holds consecutive rows of a plane for one destination.  Where a plane has less "
   "for that destination, the message is smaller.  `pencils`: 64K inside a node, one row between nodes; 1 is one row."},
  KEY("local", PFFT3D_STORING_EXCHANGES, 0, NULL, "messages where --exchange names an exchange, else auto",
   "messages|stores|auto", "how exchanges with messages reach ranks of the same node",
   "`stores`: rows are stored straight into their memory, while those for other nodes are sent (@); shared and node "
   "store anyway.  `auto`: as the planner expects to be faster."),
  KEY("decomp", PFFT3D_SCHEMES, 0, "auto", NULL, "NAME", "decomposition of the field over the ranks",
      "`verify` checks all decompositions unless one is named."),
  KEY("pgrid", 0, 0, NULL, "chosen by the planner", "P1xP2",
   "process grid: ranks along axes 0 and 1; implies --decomp pencil",
   "Axis 0 of the field is cut into P1 parts and axis 1 into P2.  Ranks beyond P1 P2 are idle."),
  KEY("cuts", 0, 0, NULL, "balanced", "RULE|LISTS", "how axes are cut: balanced, ceil, or lists of indices",
       "`balanced`: the first parts hold one index more than the others.  `ceil`: blocks of ceil(n/P), as "
       "FFTW-MPI cuts; the last parts may be empty.  `0:0,5,5,16` cuts axis 0 of the field at 5, twice, into three "
       "parts, of which the second is empty; `spectrum1:0,8,16` axis 1 of the spectrum.  Lists and a rule "
       "for all other axes are joined by `/`.  The process grid follows from the lists if it is not given.  Blocks "
       "of lines (`--size`) are cut likewise, along axis 2: `2:0,5,16`."),
  KEY("bricks", 0, 0, NULL, "those of the decomposition", "P0xP1xP2",
       "field and spectrum lie in boxes on a grid of P0xP1xP2 ranks",
       "Rank (c0 P1 + c1) P2 + c2 holds box (c0, c1, c2) of both, every axis in balanced parts; further ranks hold "
       "nothing.  Where these are not the boxes of the decomposition, the data is redistributed before or "
       "after the transform.  The order of the spectrum inside is chosen so that this is needed as little as possible."),
  NAMES("engine", 'e', engine, PFFT3D_ENGINES, "auto", "local transforms: names, all or auto",
        "`auto` is the first engine that supports the lengths.  `transform` takes one name."),
  KEY("type", 0, 0, NULL, "c2c; verify: both; transform: as the input", "c2c|r2c",
         "complex fields, or real fields and half of their spectrum",
         "With `r2c` the spectrum is kept for k2 = 0 .. n2/2 (`--kind`: along the last axis with a dft); the backward "
         "transform is c2r."),
  WORD("kind", kind, "K|K0,K1,K2", "transform along each axis, or one for all: dft by default",
       "A cosine or sine transform by FFTW's formulas, `dct1` to `dct4` and `dst1` to `dst4`, or a real DFT, `dht`, `r2hc` "
       "and `hc2r`, not normalised; "
       "`dft`; or `none`, and the axis is not transformed.  With `--type r2c` the spectrum is real if no "
       "axis has a dft; otherwise half of it is kept along the last axis that has one.  `--norm` "
       "divides by the product of 2(n-1) for dct1, 2(n+1) for dst1, 2n for their others, n for the DFTs.  Lines (`--size`) have one "
       "kind; one that is not dft has blocks on both sides, in natural order."),
  WORD("axes", axes, "A0,A1,...", "axes of the input that are transformed: all of them by default",
       "Of a dataset of up to eight dimensions, counted from 0, or from the last one with negative numbers, in any order: "
       "of real input the last one has half a spectrum, as in numpy.  All other axes are a batch.  `--kind` has a kind for each."),
  WORD("keep", keep, "K0,K1,K2|K|A/B", "modes that the spectrum has along each axis, or a fraction of each",
       "The lowest frequencies, positive and negative, as a DFT of K points has them; of half a spectrum modes 0 "
       "to K/2; of cosine and sine transforms the first K, of real DFTs all.  The field keeps its size.  Forward transforms drop all other "
       "modes and do not send them; backward ones take them as zero.  `2/3` is a fraction of all axes, rounded down."),
  {"pad", 0, read_grid, AT(pad), 1, MAX_EXTENT, NULL, NULL, "N|N0xN1|N0xN1xN2",
   "size of the field whose spectrum is the input, which has fewer modes",
   "Modes that the input lacks are zero.  Needed for backward transforms of spectra that were not written with `--keep`."},
  WORD("bc", bc, "B|B0,B1,B2", "boundary conditions of Poisson's equation along each axis, or one for all",
       "`periodic`; `dirichlet` (u = 0 at the walls, n points between them, h = L/(n+1)); `dirichlet-cell` (the points are "
       "the centres of n cells, h = L/n); `neumann` (du/dx = 0 at the walls, cell centres); `neumann-node` (the first and the last "
       "point are on the walls, h = L/(n-1)); `dirichlet-neumann` (u = 0 at the low end, du/dx = 0 at the high one, cell centres); "
       "`dirichlet-neumann-node` (the last point is on the wall, h = L/n); `neumann-dirichlet`, `neumann-dirichlet-node` (the ends "
       "exchanged); `open` (free space at both ends, cell centres)."),
  TEXT("wall-values", 0, wall_values, "0 on all walls", "SIDE=VALUE,...", "u, or du/dx, on walls: 0low=1,2high=FILE:/path",
       "A side is the number of an axis, and low or high.  A value is a number, for the whole side, or a dataset with the extents "
       "of the other axes: u where the condition is `dirichlet`, the derivative along the axis (not outward) where it is "
       "`neumann`.  With `--stencil second`."),
  {"lambda", 0, read_complex, AT(lambda), 0, 0, NULL, "0", "RE|RE+IMi", "solves laplacian(u) + lambda u = f",
   "A negative number makes the screened equation, whose potential decays as exp(-sqrt(-lambda) r); a positive one is the square of the "
   "wave number of Helmholtz's equation.  With an imaginary part u is complex, also where f is real.  A number that is minus an eigenvalue "
   "is refused: there is no solution, or more than one."},
  {"coefficients", 0, read_lengths, AT(coefficients), 0, sizeof(((options *)NULL)->coefficients), NULL, "1", "C|C0,C1,C2",
   "coefficients of the second derivatives, for each axis or one for all", "The equation is then the sum over all axes of C d^2u/dx^2 = f."},
  TEXT("coordinates", 0, coordinates, NULL, "FILE[:/path]", "the points of one axis, where they are not equidistant",
       "A dataset of one dimension, in ascending order: the faces of the cells, one more than there are points, or for conditions at "
       "nodes all of these from wall to wall.  Along this axis derivatives are of second order by finite volumes, and lines are solved by "
       "elimination between the transforms along the others."),
  NUMBER("stretched", 0, stretched, 0, 2, NULL, "the only axis with as many points", "AXIS", "axis of --coordinates", NULL),
  {"length", 0, read_lengths, AT(length), 0, sizeof(((options *)NULL)->length), NULL, "1; filter: the number of points", "L|L0,L1,L2", "length of the domain along each axis, or one for all",
   "`2pi` is 2 times pi.  `filter` counts in grid points where no length is given."},
  CHOICE("stencil", stencil, "spectral", NULL, "spectral|second",
         "second derivative: exact for the spectrum, or by 3 points per axis", NULL),
  FLAG("manufactured", 0, manufactured, "compare with an exact solution on --grid and two coarser grids",
       "Prints the errors and the order of convergence."),
  FLAG("iterative", 0, iterative, "time iterative methods and the FFT on squares (--grid), on one rank",
       "Jacobi, successive over-relaxation in red-black order, conjugate gradients and, in a build with hypre, multigrid, "
       "until the residual is 1e-6 of the first one; a solution that would take more than a minute is left out."),
  REAL("gaussian", gaussian, 0, INT64_MAX / 2, NULL, NULL, "SIGMA", "blur by a Gaussian of this width, in units of length",
       "The factor exp(-2 pi^2 sigma^2 f^2) at the frequency f: a convolution with a Gaussian of standard deviation sigma."),
  REAL("lowpass", lowpass, 0, INT64_MAX / 2, NULL, NULL, "K", "keep frequencies up to K, in cycles per unit of length", NULL),
  REAL("highpass", highpass, 0, INT64_MAX / 2, NULL, NULL, "K", "keep frequencies above K: what --lowpass K takes away", NULL),
  WORD("bandpass", bandpass, "A:B", "keep frequencies from A to B", NULL),
  WORD("derivative", derivative, "D0,D1,D2", "differentiate: order, 0 to 9, along each axis",
       "A factor (2 pi i f)^D for each axis.  Along an axis with an even number of points, odd orders take the mode of half as many "
       "cycles as points as 0: its derivative vanishes at all points, and without that the derivative of a real field would not be real."),
  FLAG("curl", 0, curl, "curl of a vector field; in two dimensions its component out of the plane", NULL),
  FLAG("divergence", 0, divergence, "divergence of a vector field", NULL),
  FLAG("gradient", 0, gradient, "gradient of a field: a vector field", NULL),
  CHOICE("helmholtz", helmholtz, NULL, NULL, "solenoidal|potential",
         "the part of a vector field without divergence, or without curl", "The mean belongs to the solenoidal part."),
  FLAG("parts", 0, parts, "energy of the parts of a vector field without divergence and without curl", NULL),
  CHOICE("components", components, NULL, "none, or the only possible one", "first|last",
         "axis of the components of a vector in one dataset", "With two or three components; datasets with commas, "
         "`F.h5:/u,/v,/w` or `F.h5:/velocity/u,v,w`, need no such axis."),
  WORD("along", along, "A0,A1,A2", "axis of the field along which each component points: 0,1,2 by default",
       "For components u, v, w along x, y, z of arrays with the axes z, y, x: `2,1,0`."),
  TEXT("with", 0, with, NULL, "FILE[:/path]", "the second dataset, as --input; spectrum: for cross spectra", NULL),
  CHOICE("mode", mode, "circular", NULL, "circular|full|same", "which part of the convolution",
         "`circular`: the first field is periodic, the second one no larger, and 0 elsewhere.  `full`: all points where the fields overlap, n + m - 1.  `same`: "
         "of these the middle ones, as many as the first field has.  As in scipy.signal."),
  CHOICE("origin", centre, "corner", NULL, "corner|centre", "which point of the second field is its zero, with --mode circular",
         "`corner`: the first one.  `centre`: number m/2 of m along each axis, as scipy.ndimage.convolve with mode='wrap' has it."),
  FLAG("deconvolve", 0, deconvolve, "the field whose convolution with the second one is the first",
       "Modes are divided by those of the second field K, with --regularize E by Wiener's filter conj(K) / (|K|^2 + E max |K|^2)."),
  REAL("regularize", regularize, 0, 1, NULL, "0", "E", "keeps modes from growing that --with hardly has, in --deconvolve", NULL),
  FLAG("correlate", 0, correlate, "correlation instead of convolution", "With the conjugate of the second field, not mirrored."),
  CHOICE("bins", bins, "linear", NULL, "linear|log", "shells of one fundamental mode, or ten per factor of 10", NULL),
  CHOICE("window", window, NULL, "none; with --deposit its scheme", "none|ngp|cic|tsc|pcs",
         "assignment of particles to the grid, whose damping is divided out", "Each mode is divided by prod sinc(k_a h_a / 2)^p with p = 1, "
         "2, 3, 4 for `ngp`, `cic`, `tsc`, `pcs`."),
  {"deposit", 0, read_scheme, AT(deposit), 0, 0, NULL, "the input is a field", "[ngp|cic|tsc|pcs]",
   "the input holds positions of particles, which are put on --grid; cic without a scheme",
   "A dataset N x 3, or N x 2 with a plane, or one of N for each coordinate; another one of N numbers has weights "
   "(`F.h5:/positions,/weights`), and further ones are further samples.  By the nearest grid point, cloud in cell, "
   "triangular clouds or piecewise cubic clouds, periodic; the field is the contrast, density over its mean minus 1."},
  FLAG("interlace", 0, interlace, "two grids, half a cell apart, for --deposit",
       "Half of the images that the grid adds to each mode cancel."),
  CHOICE("shot-noise", shot_noise, "keep", NULL, "keep|subtract", "whether the shot noise of particles is subtracted from their power",
         "V sum w^2 / (sum w)^2, times what assignment, images and the window make of it at each mode."),
  CHOICE("images", images, "keep", NULL, "keep|flat", "correction for the images of modes that the grid of --deposit adds",
         "`flat` divides the power of each mode by the sum of the squared window over all images, in place of the window alone, "
         "as if the power of all images were the same."),
  CHOICE("outside", outside, "wrap", NULL, "wrap|error|drop", "particles that are not between 0 and --length",
         "`wrap` takes the box as periodic."),
  NUMBER("fold", 0, fold, 1, 1 << 20, "1", NULL, "F", "fold the box of particles into one of 1/F its side, for large wavenumbers",
         "Of the modes of the box those stay whose numbers are multiples of F."),
  FLAG("each", 0, each, "datasets of the input are fields of their own, not components",
       "The table has the power of each and the cross spectrum of each pair."),
  FLAG("errors", 0, errors, "a column with the error of each power", "That of a Gaussian field, by the number of modes; it contains the shot noise."),
  CHOICE("los", los, NULL, "none", "0|1|2", "axis of the line of sight, for multipoles, wedges and --cylinder", NULL),
  NUMBER("wedges", 0, wedges, 1, 1000, NULL, "none", "M", "a table of the power in M wedges of mu, the cosine of the angle with --los", NULL),
  FLAG("cylinder", 0, cylinder, "a table of the power by wavenumbers across and along --los", NULL),
  FLAG("correlation", 0, correlation, "a table of the correlation function, by a transform back",
       "Averaged over shells of distances as wide as a cell; with --los its multipoles, too."),
  {"share", 0, read_percent, AT(share), 0, 100, NULL, NULL, "P%", "share of the components that is kept",
   "Exactly this share of all components of the spectrum, mirror images of a real field counted, to the nearest "
   "whole number."},
  FLAG("expand", 0, expand, "make the field of the components in a file", NULL),
  CHOICE("case", flow_case, "taylor-green", NULL, FLOW_CASES, "the flow that turbulence starts from",
         "`taylor-green`: u = sin x cos y cos z, v = -cos x sin y cos z, w = 0.  `decay`: random and without "
         "divergence, from `--seed`, with the spectrum k^4 exp(-2 (k/4)^2) and the energy 1/2."),
  REAL("nu", nu, 0, 1000000, NULL, "1/1600", "V", "kinematic viscosity", NULL),
  REAL("re", re, 0, 1000000000000, NULL, "1600", "R", "Reynolds number: the viscosity is 1/R", NULL),
  REAL("time", end_time, 0, 1000000000, "1", NULL, "T", "time at which the flow ends", NULL),
  {"dt", 0, read_step, AT(time_step), 0, 0, "auto", NULL, "D|auto", "time step; auto: by the speed of the flow (CFL)",
   "`auto` takes dt max(|u|/dx + |v|/dy + |w|/dz) = 0.5, and less where viscosity asks for it.  The last step is as short as "
   "`--time` needs it; snapshots do not change steps."},
  CHOICE("dealias", dealias, "2/3", NULL, DEALIASING, "how products on the grid are kept free of aliases",
         "`2/3`: only modes |k| < n/3 of each axis exist.  `3/2`: all modes |k| < n/2 exist, and products are taken on a grid of "
         "3/2 the size.  `none`: the same modes on the grid itself, with aliases."),
  CHOICE("forcing", forcing, "none", "none; with --restart that of the snapshot", FORCINGS, "force that keeps the flow going",
         "`linear`: A u, with the A of `--forcing-rate`.  `shells`: the modes with 0 < |k| <= K of `--forcing-shells` get the power "
         "of `--forcing-power`, each in proportion to its energy."),
  REAL("forcing-rate", forcing_rate, 0, 1000000000, NULL, NULL, "A", "rate A of the force A u of --forcing linear",
       "The power is then A <u.u>."),
  REAL("forcing-power", forcing_power, 0, 1000000000, NULL, NULL, "P", "power of the force of --forcing shells", NULL),
  NUMBER("forcing-shells", 0, forcing_shells, 1, 1 << 20, "2", NULL, "K", "largest wave number of --forcing shells", NULL),
  CHOICE("scalar", scalar, NULL, "none", SCALARS, "passive scalar that the flow carries, and how it begins",
         "`zero`: 0, for a flow with `--scalar-gradient`.  `wave`: cos x.  `random`: random phases, the spectrum of `--case decay`, "
         "and the variance 1.  With `--restart` for a snapshot without a scalar."),
  REAL("schmidt", schmidt, 0, 1000000000, "1", NULL, "SC", "viscosity divided by the diffusivity of the scalar", NULL),
  REAL("scalar-gradient", scalar_gradient, 0, 1000000000, "0", NULL, "G", "gradient of the mean of the scalar, along x",
       "The mean G x is not part of the scalar, which has the source -G u."),
  TEXT("statistics", 0, statistics, NULL, "FILE", "write scales of the turbulence after each step, as CSV",
       "Power of the force, Taylor's scale and Reynolds number, Kolmogorov's scale times the largest wave number, integral "
       "scale, and of a scalar variance, dissipation and flux."),
  FLAG("integrating-factor", 0, integrating_factor, "viscosity by its exact factor in time", NULL),
  REAL("every", every, 0, 1000000000, NULL, "none but the first and the last", "T", "time between snapshots", NULL),
  TEXT("restart", 0, restart, NULL, "SNAP.h5", "snapshot to go on from",
       "Grid, dealiasing and viscosity are those of the snapshot unless they are given.  Tables of `--csv` and `--spectra` that "
       "exist are continued."),
  TEXT("spectra", 0, spectra, NULL, "FILE", "write the energy in shells of wave numbers: t,k,energy",
       "At the beginning, after every `--every`, and at the end."),
  KEY("sign", 0, 0, "-1", NULL, "-1|+1", "sign of the exponent of forward transforms of complex fields",
         "Backward transforms have the opposite one.  One dimension has -1 only."),
  KEY("precision", 0, 0, "double", NULL, "double|single",
         "floating-point type of arrays, arithmetic and output files", NULL),
  KEY("wire", 0, 0, "double", NULL, "double|single",
         "precision of data in double precision while it is sent",
         "`single` rounds what the ranks exchange: messages are half as large, and the report "
         "states the error that this causes.  Data in single precision is sent as it is."),
  CHOICE("direction", direction, "both", NULL, "forward|backward|both",
         "sign of the exponent: minus, plus; both: one after the other",
         "`transform` takes one direction."),
  CHOICE("norm", norm, NULL, "none; transform: backward", "backward|ortho|forward",
         "which direction is divided by the number of points N",
         "As in numpy: `backward` divides the backward transform by N, `forward` the forward one, "
         "`ortho` both by sqrt(N).  It costs no pass over memory.  Without it `transform` backward "
         "takes the factor that the attribute `normalization` of a spectrum calls for."),
  KEY("order", 0, 0, "transposed", NULL, "transposed|natural|scrambled",
         "order of the spectrum",
         "`natural`: distributed and stored as the field is.  `transposed`: as the last pass leaves "
         "it, which saves an exchange with slabs and two with pencils.  For lines this order is "
         "also called `scrambled`, and `natural` is the default.  So it is for `transform` and in the library; `tune` "
         "tunes both."),
  CHOICE("class", nas_class, NULL, "A, or that of --compare", NAS_CLASSES,
         "class of NAS FT, from 64^3 (S) to 4096x2048x2048 (E)", NULL),
  TEXT("compare", 0, original, NULL, "FILE",
       "output of the original benchmark, printed for comparison", NULL),
  KEY("batch", 0, 0, "1", NULL, "B", "number of fields transformed together",
         NULL),
  {"threads", 't', read_threads, 0, 1, 4096, "1", NULL, "N",
   "OpenMP threads of each rank",
         "`kernels` takes several numbers, with commas.  Where ranks times threads exceed the cores of a node a warning says so, and threads sleep "
         "while they wait (`OMP_WAIT_POLICY=passive`) unless the environment says otherwise."},
  KEY("node-ranks", 1, MAX_RANKS, NULL, "as found; explain: 1", "R",
         "treat R consecutive ranks as a node; the last node may have fewer", NULL),
  NUMBER("reps", 'r', reps, 1, 100000, "5", NULL, "N", "timed repeats", NULL),
  NUMBER("warmup", 'w', warmup, 0, 1000, "1", NULL, "N", "repeats that are not timed", NULL),
  NUMBER("seed", 's', seed, 0, INT64_MAX, "1", NULL, "N", "seed of the synthetic field", NULL),
  FLAG("hpcc", 0, hpcc, "also report as the G-FFT of HPC Challenge does, with its verdict", NULL),
  KEY("deterministic", 0, 0, NULL, NULL, NULL, "the same bits for every exchange and number of ranks",
       "FFTW plans are estimated instead of measured, and the axes are transformed in a fixed "
       "order.  No wisdom is read."),
  TEXT("input", 'i', input, NULL, "FILE[:/path]", "dataset of an HDF5, netCDF-4 or .npy file to read",
       "The path may be omitted if the file holds a single dataset.  Indices and slices as in numpy select a part of up to eight "
       "dimensions: `'F.h5:/u[3,:,::2,:]'`, in quotes for the shell."),
  WORD("raw", raw, "TYPE:N0xN1x...", "type and shape of an --input that holds numbers only",
       "Types in numpy's letters: `f8:256x256x256` are doubles, `f4` floats, `c16` and `c8` complex numbers, `i2`, `u1` and so "
       "on integers; the last axis changes fastest.  The file must have as many bytes, unless there is an `--offset`."),
  NUMBER("offset", 0, offset, 0, INT64_MAX, NULL, "0, and the whole file", "BYTES", "where the array of --raw begins", NULL),
  CHOICE("byte-order", big_endian, "little", NULL, "little|big", "byte order of the numbers of --raw", NULL),
  {"fill", 0, read_fill, AT(fill), 0, 0, NULL, NULL, "VALUE|mean", "replaces missing, NaN and infinite values of the input",
   "By a number, or by the mean of all others."},
  FLAG("external", 0, external, "read inputs whose data is in other files, too",
       "External storage and links, and virtual datasets of other files: for files whose origin is known."),
  TEXT("filters", 0, filters, NULL, "FOLDER", "filter plugins of HDF5 for inputs that need them",
       "Such as zstd, Blosc, bitshuffle or ZFP, as `HDF5_PLUGIN_PATH` has them for other programs.  They are code, which a file "
       "names: only those of this folder are loaded."),
  TEXT("output", 'o', output, NULL, "FILE[:/path]", "HDF5 dataset, or .npy file, to write",
       "Without a path the output has the path of the input.  A name that ends in `.npy` gives a file of numpy, without "
       "attributes."),
  WORD("store", store, "contiguous|chunks[=AxBxC]|gzip[:LEVEL][=AxBxC]", "how an HDF5 output is stored",
       "Chunks have at most 64 elements along each axis unless they are given.  Compressed ones are shuffled first."),
  FLAG("into", 0, into, "add the output to a file that exists", "What is there stays; `--force` replaces a dataset of the same path."),
  FLAG("force", 'f', force, "replace an existing output file", NULL),
  FLAG("strict", 0, strict, "refuse an input with NaN or infinite values",
       "Without it such an input causes a warning."),
  FLAG("verify-output", 0, verify_output,
       "read the output back and compare it before it gets its final name", NULL),
  NUMBER("ranks", 'n', ranks, 1, MAX_RANKS, NULL, "those of this run", "P",
         "number of ranks to explain", NULL),
  FLAG("map", 0, map, "the best strategy for each of many grids and numbers of ranks", NULL),
  {"grids", 0, read_counts, AT(grids), 1, 1 << 20, "64..4096", NULL, "N,N..M",
   "cubes of a map: numbers, and ranges by factors of 2", NULL},
  {"rank-counts", 0, read_counts, AT(rank_counts), 1, MAX_RANKS, "1..65536x4", NULL, "P,P..Q,P..QxF",
   "numbers of ranks of a map: numbers, and ranges by factors of 2 or F", NULL},
  TEXT("machine", 0, machine_file, "measured; explain: a cluster with 100 Gb/s", "FILE",
       "description of a machine for the cost model, as in data/machines", NULL),
  REAL("latency", latency, 0, 1000, NULL, "2e-6", "S",
       "seconds before each message between nodes, in the cost model", NULL),
  REAL("bandwidth", bandwidth, 1, INT64_MAX / 2, NULL, "12.5e9", "B",
       "bytes per second of each rank between nodes, in the cost model", NULL),
  REAL("threshold", threshold, 0, 1000, "1", NULL, "PERCENT",
       "smallest difference that is called a difference", NULL),
  TEXT("json", 'j', json, NULL, "FILE", "write the report as JSON",
       "`-` is standard output, and replaces the text.  An existing file is replaced when the run "
       "is complete."),
  TEXT("csv", 'c', csv, NULL, "FILE", "write a table with one row per run",
       "`-` is standard output, and replaces the text."),
  TEXT("png", 0, png, NULL, "FILE", "draw a picture with gnuplot", "The name ends in `.png`."),
  TEXT("timeline", 0, timeline, NULL, "FILE.json|FILE.svg", "write what each rank did, and when",
       "Stages, planes, messages with their bytes and partners, waits and barriers: as JSON for "
       "[Perfetto](https://ui.perfetto.dev) and [Speedscope](https://www.speedscope.app), or drawn as SVG.  `bench` and `line` "
       "record their timed repeats.  The threads of a rank are one line."),
  NUMBER("timeline-events", 0, timeline_events, 1, 1 << 26, "100000", NULL, "N",
         "events of each rank that a timeline has room for", "Of 32 bytes each.  Later ones are counted, and a warning says how many."),
  TEXT("wisdom", 0, wisdom, "$XDG_CACHE_HOME/pfft3d/wisdom", "FILE",
       "file with decisions that tune found, or none",
       "Without `XDG_CACHE_HOME` the default is `~/.cache/pfft3d/wisdom`; the variable `PFFT3D_WISDOM` has another "
       "default.  `none` reads and writes no file."),
  FLAG("wisdom-required", 0, wisdom_required, "fail where wisdom does not know the answer",
       "The run ends with status 78."),
  KEY("plan-budget", 0, 0, "2", NULL, "SECONDS",
       "time for measuring candidates where auto leaves a choice",
       "With 0 the cost model decides alone: the default of commands that transform a file once, "
       "which takes less time than measuring two candidates."),
  NUMBER("watchdog", 0, watchdog, 0, 10000000, "600", NULL, "SECONDS",
         "end the run after this time without progress; 0 is off", "The exit status is then 79."),
  FLAG("no-verify", 0, no_verify, "skip the checks of the results", NULL),
  FLAG("quiet", 'q', quiet, "no text report and no progress line", NULL),
  FLAG("verbose", 'v', verbose, "all details of every run", NULL),
  FLAG("help", 'h', help, "this text", NULL),
  FLAG("version", 'V', version, "the version", NULL),
};
/* clang-format on */

const int option_rows = sizeof option_table / sizeof option_table[0];
_Static_assert(sizeof option_table / sizeof option_table[0] <= MAX_OPTIONS,
               "tables of the command line have room for all options");
