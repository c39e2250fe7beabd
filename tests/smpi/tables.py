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


def read(folder, name):
    with open(os.path.join(folder, name + '.csv'), encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row['ranks'] = int(row['ranks'])
        row['simulated'], row['predicted'] = float(row['simulated_s']), float(row['predicted_s'])
    return rows


def scaling(folder):
    rows = read(folder, 'scaling')
    for row in rows:
        cut = f' on {row["decomp"]}' if 'x' in row['decomp'] else ''
        row['name'] = row['algo'] + cut
    return rows


def unique(values):
    return list(dict.fromkeys(values))


def ms(seconds):
    """Four digits."""
    return f'{1e3 * seconds:#.4g}'.rstrip('.')


def table(rows):
    """Of one machine and size."""
    packed = {row['ranks']: row['simulated'] for row in rows
              if row['algo'] == 'packed' and row['decomp'] == 'slab'}
    text = ('| ranks | exchange | simulated, ms | predicted, ms | predicted / simulated '
            '| gain over packed |\n|--:|:--|--:|--:|--:|--:|\n')
    for row in sorted(rows, key=lambda row: (row['ranks'], row['simulated'])):
        gain = packed[row['ranks']] / row['simulated'] if row['ranks'] in packed else None
        text += '| %d | %s | %s | %s | %.2f | %s |\n' % (
            row['ranks'], row['name'], ms(row['simulated']), ms(row['predicted']),
            row['predicted'] / row['simulated'], f'{gain:.2f}' if gain else '-')
    return text + '\n'


def draw(folder, name, title, ylabel, curves):
    """Of (title, rows) the simulated times as points, those of the model as lines."""
    if not shutil.which('gnuplot'):
        return
    blocks, parts = '', []
    for k, (label, rows) in enumerate(curves):
        blocks += f'$d{k} << end\n' + ''.join(
            '%d %.9g %.9g\n' % (row['ranks'], row['simulated'] * 1e3, row['predicted'] * 1e3)
            for row in sorted(rows, key=lambda row: row['ranks'])) + 'end\n'
        parts += [f'$d{k} using 1:2 with points ls {k + 1} title "{label}"',
                  f'$d{k} using 1:3 with lines ls {k + 1} notitle']
    script = (f'name = "{os.path.join(folder, name)}"; wide = 5; high = 3.6\nload "{STYLE}"\n'
              f'{blocks}set logscale xy 2\nset xlabel "ranks"\nset ylabel "{ylabel}, ms"\n'
              f'set title "{title}: simulated (points), model (lines)"\nplot {", ".join(parts)}\n')
    subprocess.run(['gnuplot'], input=script, text=True, check=True)


def plot(rows, machine, folder):
    slabs = [row for row in rows if row['decomp'] == 'slab']
    draw(folder, f'scaling-{machine}', machine, 'forward transform',
         [(algo, [row for row in slabs if row['algo'] == algo])
          for algo in unique(row['algo'] for row in slabs)])
    return f'![{machine}](scaling-{machine}.png)\n\n'


MARKS = '<!-- tables of jobs/simulate.sh -->\n', '<!-- end of the tables -->\n'


def put_into(page, text, marks):
    begin, end = marks
    with open(page, encoding='utf-8') as file:
        before = file.read()
    if begin not in before or end not in before[before.index(begin):]:
        sys.exit(f'{page}: it has no marks {begin.strip()} and {end.strip()}')
    at = before.index(begin)
    with open(page, 'w', encoding='utf-8') as file:
        file.write(before[:at] + begin + '\n' + text + before[before.index(end, at):])


def main():
    folder = sys.argv[1]
    rows = scaling(folder)
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
        put_into(sys.argv[2], tables, MARKS)


if __name__ == '__main__':
    main()
