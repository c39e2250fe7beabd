#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables and pictures of what scaling.py has left in a directory:  python3 tables.py DIRECTORY [PAGE]

PAGE: a page whose tables, between two marks, are replaced by these."""
import csv
import os
import shutil
import subprocess
import sys

STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../jobs/study/style.gp')


def read(folder):
    with open(os.path.join(folder, 'scaling.csv'), encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row['ranks'] = int(row['ranks'])
        row['simulated'], row['predicted'] = float(row['simulated_s']), float(row['predicted_s'])
        cut = f' on {row["decomp"]}' if 'x' in row['decomp'] else ''
        row['name'] = row['algo'] + cut
    return rows


def unique(values):
    return list(dict.fromkeys(values))


def table(rows):
    """Of one machine and size."""
    packed = {row['ranks']: row['simulated'] for row in rows
              if row['algo'] == 'packed' and row['decomp'] == 'slab'}
    text = ('| ranks | exchange | simulated, ms | predicted, ms | predicted / simulated '
            '| gain over packed |\n|--:|:--|--:|--:|--:|--:|\n')
    for row in sorted(rows, key=lambda row: (row['ranks'], row['simulated'])):
        gain = packed[row['ranks']] / row['simulated'] if row['ranks'] in packed else None
        text += '| %d | %s | %.3f | %.3f | %.2f | %s |\n' % (
            row['ranks'], row['name'], row['simulated'] * 1e3, row['predicted'] * 1e3,
            row['predicted'] / row['simulated'], f'{gain:.2f}' if gain else '-')
    return text + '\n'


def plot(rows, machine, folder):
    """Points are simulated, lines are the model."""
    if not shutil.which('gnuplot'):
        return ''
    name = f'scaling-{machine}'
    slabs = [row for row in rows if row['decomp'] == 'slab']
    algos = unique(row['algo'] for row in slabs)
    blocks = ''
    for algo in algos:
        mine = sorted((row for row in slabs if row['algo'] == algo), key=lambda row: row['ranks'])
        blocks += f'$d{algos.index(algo)} << end\n' + ''.join(
            '%d %.9g %.9g\n' % (row['ranks'], row['simulated'] * 1e3, row['predicted'] * 1e3)
            for row in mine) + 'end\n'
    curves = ', '.join(f'$d{k} using 1:2 with points ls {k + 1} title "{algo}", '
                       f'$d{k} using 1:3 with lines ls {k + 1} notitle'
                       for k, algo in enumerate(algos))
    script = (f'name = "{os.path.join(folder, name)}"; wide = 5; high = 3.6\nload "{STYLE}"\n'
              f'{blocks}set logscale xy 2\nset xlabel "ranks"\nset ylabel "forward transform, ms"\n'
              f'set title "{machine}: simulated (points), model (lines)"\nplot {curves}\n')
    subprocess.run(['gnuplot'], input=script, text=True, check=True)
    return f'![{machine}]({name}.png)\n\n'


BEGIN, END = '<!-- tables of jobs/simulate.sh -->\n', '<!-- end of the tables -->\n'


def put_into(page, text):
    with open(page, encoding='utf-8') as file:
        before = file.read()
    if BEGIN not in before or END not in before:
        sys.exit(f'{page}: it has no marks {BEGIN.strip()} and {END.strip()}')
    with open(page, 'w', encoding='utf-8') as file:
        file.write(before[:before.index(BEGIN)] + BEGIN + '\n' + text + before[before.index(END):])


def main():
    folder = sys.argv[1]
    rows = read(folder)
    text = ''
    for machine in unique(row['machine'] for row in rows):
        for grid in unique(row['grid'] for row in rows if row['machine'] == machine):
            mine = [row for row in rows if row['machine'] == machine and row['grid'] == grid]
            text += f'## {machine}, {grid}^3\n\n' + table(mine)
            if grid == '256':
                text += plot(mine, machine, folder)
    with open(os.path.join(folder, 'scaling.md'), 'w', encoding='utf-8') as file:
        file.write(text)
    if len(sys.argv) > 2:
        tables = ''.join(line for line in text.splitlines(True) if not line.startswith('!['))
        put_into(sys.argv[2], tables)


if __name__ == '__main__':
    main()
