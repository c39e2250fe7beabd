/* SPDX-License-Identifier: BSD-3-Clause
 * poisson: solves Poisson's equation for a file, or measures errors and times of solutions. */
#include <string.h>

#include "app/common/message.h"
#include "apps/poisson/poisson.h"

static int missing(app *a, const char *option) {
  app_hint(&a->error, "pfft3d poisson --input f.h5 --output u.h5 --bc dirichlet");
  return app_fail(&a->error, PFFT3D_ERR_USAGE, "poisson: option --%s is missing", option);
}

static int check_iterative(app *a) {
  const options *o = &a->opt;
  static const char *const others[] = {"bc", "length", "lambda", "coefficients", "coordinates"};
  const char *other = options_given(o, "stencil") && o->stencil == 0 ? "stencil spectral" : NULL;
  for (size_t k = 0; k < sizeof others / sizeof *others && !other; k++)
    if (options_given(o, others[k])) other = others[k];
  if (other)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--iterative and --%s: %s", other,
                    "the comparison is on the unit square with u = 0 on its sides, and of the "
                    "stencil second");
  return PFFT3D_OK;
}

/* One of --input, --manufactured and --iterative selects the mode. */
static int check_usage(app *a) {
  const options *o = &a->opt;
  const char *way = o->input[0] ? "input" : o->manufactured ? "manufactured" : "iterative";
  const char *other = o->input[0] && o->manufactured            ? "manufactured"
                      : o->input[0] && o->iterative             ? "iterative"
                      : o->manufactured && o->iterative         ? "iterative"
                      : o->input[0] && options_given(o, "grid") ? "grid"
                      : o->input[0] && options_given(o, "reps") ? "reps"
                      : !o->input[0] && o->output[0]            ? "output"
                                                                : NULL;
  if (domain_check_names(o->bc, &a->error)) return a->error.status;
  if (!o->input[0] && !o->manufactured && !o->iterative) return missing(a, "input");
  if (other)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s and --%s: %s", way, other,
                    strcmp(other, "grid") == 0     ? "a file has a size"
                    : strcmp(other, "reps") == 0   ? "a file is solved once"
                    : strcmp(other, "output") == 0 ? "only the solution for a file is written"
                                                   : "one of them at a time");
  if (o->input[0] && !o->output[0]) return missing(a, "output");
  if (o->manufactured && !o->grid_list.count) return missing(a, "grid");
  if (o->manufactured && options_problems(o) > 1)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--manufactured: takes one grid, and halves it");
  const char *of_files = o->input[0] ? NULL : o->force ? "force" : o->strict ? "strict" : NULL;
  if (of_files)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s and --%s: no file is read or written", way,
                    of_files);
  walls w;
  if (options_given(o, "stretched") && !o->coordinates[0])
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--stretched: with --coordinates only");
  if (walls_parse(&w, o->wall_values, &a->error)) return a->error.status;
  if (w.given && !o->input[0])
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    "--wall-values and --%s: for the solution of a file", way);
  return o->iterative ? check_iterative(a) : PFFT3D_OK;
}

static int poisson_run(app *a) {
  if (check_usage(a)) return a->error.status;
  return a->opt.input[0]    ? poisson_file(a)
         : a->opt.iterative ? poisson_iterative(a)
                            : poisson_manufactured(a);
}

const command cmd_poisson = {
    .name = "poisson",
    .summary = "solves Poisson's equation with walls or periodic sides",
    .options =
        "bc=periodic wall-values lambda coefficients coordinates stretched stencil=spectral reps=3 "
        "plan-budget=0 " INPUT_OPTIONS OUTPUT_OPTIONS
        "length manufactured "
        "iterative grid device strict precision wire " FIELD_OPTIONS RUN_OPTIONS,
    .about =
        "Solves laplacian(u) + lambda u = f for a dataset f of one to three dimensions by two\n"
        "transforms; lambda is 0 by default.  --bc says what holds at the ends of each axis, and "
        "where the points lie:\n"
        "  periodic        points at 0, h, ..., h = L/n\n"
        "  dirichlet       u = 0 at 0 and L; n points between, h = L/(n+1)\n"
        "  dirichlet-cell  u = 0 at 0 and L; points in the centres of n cells, h = L/n\n"
        "  neumann         du/dx = 0 at 0 and L; cell centres\n"
        "  neumann-node    du/dx = 0 at 0 and L, which are points; h = L/(n-1)\n"
        "  dirichlet-neumann, neumann-dirichlet             low and high end; cells\n"
        "  dirichlet-neumann-node, neumann-dirichlet-node   a point on the neumann wall\n"
        "  open            free space at both ends of the axis; cell centres\n"
        "Without a dirichlet axis u is determined but for a constant: the mean of f is dropped,\n"
        "with a warning, and u has mean 0.  --wall-values gives u or du/dx at walls, instead of "
        "0.\n"
        "--manufactured compares with an exact solution on\n"
        "three grids; --iterative times Jacobi, SOR, conjugate gradients and multigrid beside the "
        "FFT.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d poisson -i f.h5 -o u.h5 --bc periodic,dirichlet,neumann\n"
        "  mpirun -n 2 pfft3d poisson --grid 64 --manufactured --stencil second\n"
        "  pfft3d poisson --iterative --grid 63x63,127x127,255x255 --csv methods.csv\n",
    .single = 1,
    .run = poisson_run,
};
