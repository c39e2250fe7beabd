#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times on simulated machines against what the model predicts.

  python3 scaling.py PROGRAM DIRECTORY [--long]

PROGRAM was built by build.sh.  Rows are added to DIRECTORY/scaling.csv as they come, and those that
are there are not run again: a search that was stopped goes on.  Rows of another program, or of a
machine that is described otherwise, are moved to scaling.csv.old, and measured again.  512^3 takes 14
GiB; --long: with more exchanges, and with overlap on 256 ranks, for hours."""
import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, '..', '..', 'data', 'machines')
FIELDS = ['machine', 'ranks', 'grid', 'decomp', 'algo', 'simulated_s', 'predicted_s', 'passes_s',
          'messages', 'bytes']
ORIGIN = ['program', 'description']  # more columns of all tables: hashes of what the times are of
MACHINES = ['fattree', 'opteron2006', 'ethernet']
ALGOS = ['packed', 'pairwise', 'node', 'slabs', 'rma']


def cases(long):
    """machine, ranks, grid, decomp, algo: what the tables are made of."""
    for ranks in (16, 64):
        square = '%dx%d' % ((round(ranks ** 0.5),) * 2)
        for machine in MACHINES:
            for algo in ALGOS:
                yield machine, ranks, 256, 'slab', algo
            yield machine, ranks, 256, square, 'packed'
            yield machine, ranks, 256, square, 'slabs'
    for machine in MACHINES:
        yield machine, 64, 128, 'slab', 'pencils'
        yield machine, 256, 256, '16x16', 'packed'
    for algo in ('packed', 'slabs'):
        yield 'opteron2006', 64, 512, 'slab', algo
    if long:  # every look for messages is an event of the simulation, of which 256 ranks have many
        for machine in MACHINES:
            yield machine, 256, 256, '16x16', 'slabs'
        for algo in ('pairwise', 'node', 'rma', 'pencils'):
            yield 'opteron2006', 64, 512, 'slab', algo


def run(program, machine, ranks, arguments):
    """The report of a simulated run; None where it is refused there."""
    file = os.path.join(DATA, machine + '.machine')
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'report.json')
        command = ['sh', os.path.join(HERE, 'run.sh'), file, str(ranks), program, *arguments,
                   '--machine', file, '--quiet', '--watchdog', '0', '--json', report]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode == 69:
            return None
        if done.returncode:
            sys.exit(f'{" ".join(command)}: {done.returncode}\n{done.stderr}')
        with open(report, encoding='utf-8') as text:
            return json.load(text)


def measure(program, case):
    machine, ranks, grid, decomp, algo = case
    shape = ['--pgrid', decomp] if 'x' in decomp else ['--decomp', decomp]
    what = ['--grid', str(grid), *shape, '--algo', algo, '--engine', 'simd']
    found = run(program, machine, ranks, ['bench', *what, '--direction', 'forward', '--reps', '1',
                                          '--warmup', '0', '--no-verify'])
    if not found:
        return None
    said = run(program, machine, 1, ['explain', *what, '--ranks', str(ranks)])['runs'][0]
    real = found['runs'][0]
    return dict(zip(FIELDS, [*case, real['time_s']['median'], said['predicted_s'],
                             real['exchange']['fft_alone_s'], real['messages']['remote_per_rank'],
                             real['messages']['remote_bytes_per_rank']]))


def digest(*paths):
    found = hashlib.sha256()
    for path in paths:
        with open(path, 'rb') as file:
            found.update(file.read())
    return found.hexdigest()[:12]


def origin(program, machine):
    """Of a row: the program, and what becomes of the description of its machine."""
    file = os.path.join(DATA, machine + '.machine')
    return digest(program), digest(file, os.path.join(HERE, 'platform.py')) if os.path.exists(file) else ''


def keep_rows(table, fields, program):
    """The rows of a table that are of this program and of these machines; others leave it."""
    if not os.path.exists(table):
        return []
    with open(table, encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file))
    good = [row for row in rows if tuple(row.get(name) for name in ORIGIN) == origin(program, row['machine'])]
    if len(good) < len(rows):
        os.replace(table, table + '.old')
        print(f'{len(rows) - len(good)} rows of {table} are of another program or machine: now in {table}.old')
        with open(table + '.new', 'w', encoding='utf-8', newline='') as file:
            out = csv.DictWriter(file, fields + ORIGIN)
            out.writeheader()
            out.writerows(good)
        os.replace(table + '.new', table)
    return good


def collect(table, fields, keys, cases, program, measured):
    """Adds rows of cases, keys values each and the machine first, to a table; those that are there are
    not measured again."""
    os.makedirs(os.path.dirname(table) or '.', exist_ok=True)
    there = {tuple(row[name] for name in fields[:keys]) for row in keep_rows(table, fields, program)}
    with open(table, 'a', encoding='utf-8', newline='') as file:
        out = csv.DictWriter(file, fields + ORIGIN)
        if not file.tell():
            out.writeheader()
        for case in cases:
            if tuple(str(word) for word in case) in there:
                continue
            row = measured(case)
            if not row:
                continue
            out.writerow({**row, **dict(zip(ORIGIN, origin(program, case[0])))})
            file.flush()
            print(*case, 'simulated %.6f s, predicted %.6f s, %.2f' % (
                row['simulated_s'], row['predicted_s'], row['predicted_s'] / row['simulated_s']), flush=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    collect(os.path.join(sys.argv[2], 'scaling.csv'), FIELDS, 5, cases('--long' in sys.argv[3:]),
            sys.argv[1], lambda case: measure(sys.argv[1], case))


if __name__ == '__main__':
    main()
