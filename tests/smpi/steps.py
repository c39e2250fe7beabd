#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Steps of pfft3d turbulence on simulated machines, beside what the model predicts of them.

  python3 steps.py PROGRAM DIRECTORY [PAGE]

PROGRAM was built by build.sh.  Rows are added to DIRECTORY/steps.csv as they come; those that are there
are not run again, unless they are of another program or machine.  Leaves a table and a picture there, and puts the table into PAGE, between its marks.
The loops between the transforms take no time in a simulation: both times get what
jobs/predict/turbulence.py counts for them."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, '..', '..', 'jobs', name) for name in ('predict', 'study')]

import scaling
import tables
import turbulence

FIELDS = ['machine', 'series', 'ranks', 'grid', 'decomp', 'simulated_s', 'predicted_s', 'loops_s']
MACHINES = ['fattree', 'ethernet']
# a fixed grid; 2^16 points a rank, to the nearest size of small prime factors (MPI_Reduce of SimGrid
# 3.32 ends a run of one rank, so 4 are the fewest)
SERIES = {'strong': {4: 256, 16: 256, 64: 256, 256: 256},
          'weak': {4: 64, 16: 100, 64: 160, 256: 256}}
MARKS = '<!-- table of tests/smpi/steps.py -->\n', '<!-- end of this table -->\n'


def shape(ranks):
    """More ranks than kept planes take pencils."""
    return ['--pgrid', '16x16'] if ranks > 64 else ['--decomp', 'slab']


def measure(program, case):
    machine, _, ranks, grid = case
    how = ['--grid', str(grid), '--algo', 'packed', '--engine', 'simd', *shape(ranks)]
    found = scaling.run(program, machine, ranks, ['turbulence', '--dt', '0.001', '--time', '0.001', *how])
    said = scaling.run(program, machine, 1, ['explain', *turbulence.WORDS, '--ranks', str(ranks), *how])
    cell = turbulence.step(dict(said['runs'][0], ranks=ranks, problem=found['problem'],
                                memory_rate=said['machine']['memory']))
    step = found['runs'][0]['time_s']['min'] + cell['loops_s']
    return dict(zip(FIELDS, [*case, shape(ranks)[1], step, cell['predicted_s'], cell['loops_s']]))


def efficiency(rows, row):
    """The rate of a rank, in points, against that with the fewest ranks of the series."""
    few = next(r for r in rows if all(r[k] == row[k] for k in ('machine', 'series')))
    cost = [r['simulated'] * r['ranks'] / int(r['grid'])**3 for r in (few, row)]
    return 100 * cost[0] / cost[1]


def table(rows):
    text = ('| machine | series | ranks | grid | cut | simulated, ms | predicted, ms | predicted / simulated '
            '| efficiency |\n|:--|:--|--:|--:|:--|--:|--:|--:|--:|\n')
    for r in rows:
        text += '| %s | %s | %s | %s³ | %s | %s | %s | %.2f | %.0f %% |\n' % (
            r['machine'], r['series'], r['ranks'], r['grid'], r['decomp'], tables.ms(r['simulated']), tables.ms(r['predicted']),
            r['predicted'] / r['simulated'], efficiency(rows, r))
    return text + '\n'


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1:3]
    cases = [(machine, series, ranks, grid) for machine in MACHINES
             for series, sizes in SERIES.items() for ranks, grid in sizes.items()]
    scaling.collect(os.path.join(folder, 'steps.csv'), FIELDS, 4, cases, program,
                    lambda case: measure(program, case))
    rows = tables.read(folder, 'steps')
    with open(os.path.join(folder, 'steps.md'), 'w', encoding='utf-8') as file:
        file.write(table(rows))
    curves = [(f'{machine}, {series}', [r for r in rows if (r['machine'], r['series']) == (machine, series)])
              for machine in MACHINES for series in SERIES]
    tables.draw(folder, 'steps', 'steps of turbulence', 'a step', curves)
    if len(sys.argv) > 3:
        tables.put_into(sys.argv[3], table(rows), MARKS)


if __name__ == '__main__':
    main()
