/* SPDX-License-Identifier: BSD-3-Clause
 * The commands of the program, the default first. COMMAND(name) stands for `const command
 * cmd_name`, which cmd_name.c defines. No include guard: each includer defines COMMAND. */
COMMAND(bench)
COMMAND(transform)
COMMAND(explain)
COMMAND(verify)
COMMAND(line)
COMMAND(nas)
COMMAND(tune)
COMMAND(compare)
COMMAND(poisson)
COMMAND(kernels)
COMMAND(fftw)
COMMAND(info)
