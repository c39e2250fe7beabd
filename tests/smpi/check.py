#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What must be true of reports of simulated runs; says what is not, with exit code 1.

  check.py passed REPORT NAMES        each exchange of the list ran, and its numbers were right
  check.py idle REPORT RANKS          likewise, of any, with this number of idle ranks
  check.py same REPORT REPORT [ERROR] all times are the same to the last bit, or with this relative error: one
                                      run may begin later by the clock of the simulation
  check.py near REPORT EXPLANATION PERCENT
                                      what the model predicts is so near to what was simulated
  check.py steps REPORT EXPLANATION ENERGY PERCENT
                                      steps of turbulence have this energy, and twelve transforms
  check.py clock TIMELINE REPORT      the slowest rank's transform lasts as long as the report says
  check.py faster REPORT REPORT FACTOR
                                      the first is at least this many times as fast as the second"""
import json
import math
import sys


def read(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def times(value, path=''):
    """All numbers of a report by their places; a report has nothing random in it but its date."""
    if isinstance(value, dict):
        for name in value:
            if name not in ('date', 'load_average'):
                yield from times(value[name], f'{path}.{name}')
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from times(item, f'{path}[{index}]')
    else:
        yield path, repr(value)


def passed(report, names=None):
    runs = read(report)['runs']
    wrong = [f'{run["algo"]} {run["direction"]}: {run["check"]}' for run in runs
             if not run['check']['pass']]
    if not names:
        return wrong
    found, wanted = {run['algo'] for run in runs}, set(names.split(','))
    if found != wanted:
        wrong.append(f'ran {sorted(found)}, not {sorted(wanted)}')
    return wrong


def idle(report, ranks):
    return passed(report) + [f'{run["idle_ranks"]} ranks are idle' for run in read(report)['runs']
                             if run['idle_ranks'] != int(ranks)]


def equal(a, b, error):
    try:
        return a == b or math.isclose(float(a), float(b), rel_tol=error)
    except (TypeError, ValueError):  # not there, or a word
        return False


def same(first, second, error='0'):
    a, b = dict(times(read(first))), dict(times(read(second)))
    return [f'{name}: {a.get(name)}, {b.get(name)}' for name in sorted(a.keys() | b.keys())
            if not equal(a.get(name), b.get(name), float(error))]


def near(report, explanation, percent):
    said = {run['algo']: run['predicted_s'] for run in read(explanation)['runs']}
    wrong = []
    for run in read(report)['runs']:
        if run['direction'] != 'forward':
            continue
        simulated, predicted = run['time_s']['median'], said[run['algo']]
        line = f'{run["algo"]}: simulated {simulated:.6f} s, predicted {predicted:.6f} s'
        print(line)
        if abs(predicted / simulated - 1) > float(percent) / 100:
            wrong.append(line)
    return wrong


def steps(report, explanation, energy, percent):
    run, said = read(report)['runs'][0], 12 * read(explanation)['runs'][0]['predicted_s']
    line = f'simulated {run["time_s"]["median"]:.6f} s, predicted {said:.6f} s, energy {run["energy"]}'
    print(line)
    near_it = abs(said / run['time_s']['median'] - 1) <= float(percent) / 100
    return [] if near_it and abs(run['energy'] - float(energy)) <= 1e-9 else [line]


def clock(timeline, report):
    recorded, wrong = read(timeline), []
    if recorded['otherData']['clock_error_us'] != 0:
        wrong.append('the ranks of a simulation have one clock')
    for run in read(report)['runs']:
        calls = [event['dur'] for event in recorded['traceEvents'] if event.get('cat') == 'transform'
                 and f'exchange={run["algo"]} ' in event['args']['plan']]
        line = f'{run["algo"]}: {max(calls, default=0):.3f} us recorded, {1e6 * run["time_s"]["max"]:.3f} us reported'
        print(line)
        if len(calls) != 64 or not 0.95 <= max(calls) / (1e6 * run['time_s']['max']) <= 1.0001:
            wrong.append(line)
    return wrong


def faster(one, other, factor):
    first, second = (read(report)['runs'][0] for report in (one, other))
    gain = second['time_s']['median'] / first['time_s']['median']
    line = f'{first["algo"]} is {gain:.2f} times as fast as {second["algo"]}'
    print(line)
    return [] if gain >= float(factor) else [line]


if __name__ == '__main__':
    found = globals()[sys.argv[1]](*sys.argv[2:])
    for text in found:
        print(text)
    sys.exit(bool(found))
