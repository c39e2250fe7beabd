#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a simulated cluster from the description of a machine, so that the two cannot disagree.

  python3 platform.py MACHINE RANKS DIRECTORY

leaves in DIRECTORY what smpirun needs: platform.xml, hosts (a line for each rank) and options.
The description is read as the program reads it; README.md says what becomes of each number."""
import os
import sys

XML = ('<?xml version="1.0"?>\n'
       '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
       '<platform version="4.1">\n  <zone id="cluster" routing="Full">\n')
SCHEMA = 'pfft3d.machine/1'
NEEDED = 'start latency bandwidth memory flops'.split()


def fail(why):
    sys.exit('platform.py: ' + why)


def read(path):
    """name -> list of numbers"""
    machine = {'node_ranks': [1], 'group': [0], 'taper': [1]}
    try:
        lines = open(path, encoding='utf-8').read().splitlines()
    except OSError as error:
        fail(f'cannot read {path}: {error.strerror}')
    for line in lines:
        words = line.split('#')[0].split()
        if not words or words[0] == 'name':
            continue
        if words[0] == 'schema':
            if words[1:] != [SCHEMA]:
                fail(f'{path}: not {SCHEMA}: {line}')
            continue
        try:
            machine[words[0]] = [float(word) for word in words[1:]]
        except ValueError:
            fail(f'{path}: not numbers: {line}')
    for name in NEEDED:
        if name not in machine:
            fail(f'{path}: a simulation needs {name}')
    return machine


class Tree:
    """Nodes below one switch, or below leaves with a number of links up."""

    def __init__(self, machine, nodes):
        self.nodes = nodes
        self.group = int(machine['group'][0]) or nodes
        self.spines = max(1, round(self.group * machine['taper'][0]))
        self.leaves = (nodes - 1) // self.group + 1
        self.bandwidth = machine['bandwidth'][1]
        hops = 4 if self.leaves > 1 else 2
        self.latency = machine['latency'][1] / hops

    def links(self):
        names = [f'{way}{n}' for way in ('out', 'in') for n in range(self.nodes)]
        if self.leaves > 1:
            names += [f'{way}{leaf}.{s}' for way in ('up', 'down') for leaf in range(self.leaves)
                      for s in range(self.spines)]
        return names

    def route(self, source, target):
        """By the number of the target, as subnet managers spread static routes."""
        here, there = source // self.group, target // self.group
        middle = []
        if here != there:
            spine = target % self.spines
            middle = [f'up{here}.{spine}', f'down{there}.{spine}']
        return [f'out{source}', *middle, f'in{target}']


def link(name, bandwidth, latency):
    return f'    <link id="{name}" bandwidth="{bandwidth:.17g}Bps" latency="{latency:.17g}s"/>\n'


def route(source, target, links):
    inside = ''.join(f'<link_ctn id="{name}"/>' for name in links)
    return f'    <route src="n{source}" dst="n{target}" symmetrical="NO">{inside}</route>\n'


def platform(machine, ranks):
    each = int(machine['node_ranks'][0])
    nodes = (ranks - 1) // each + 1
    here = min(each, ranks)
    tree = Tree(machine, nodes)
    text = XML
    for n in range(nodes):
        text += f'    <host id="n{n}" speed="{machine["flops"][0]:.17g}f" core="{here}"/>\n'
        # what all ranks of a node send each other goes through one memory
        text += link(f'memory{n}', machine['bandwidth'][0] * here, machine['latency'][0])
    for name in tree.links():
        text += link(name, tree.bandwidth, tree.latency)
    for source in range(nodes):
        for target in range(nodes):
            links = [f'memory{source}'] if source == target else tree.route(source, target)
            text += route(source, target, links)
    return text + '  </zone>\n</platform>\n'


def options(machine):
    """Further options for smpirun."""
    start = machine['start'][1]
    # s for a look that finds nothing: about what it takes in Open MPI, and more where waits are long,
    # as every look is an event of the simulation
    poll = max(1e-7, machine['latency'][1] / 20)
    yield from (
        'smpi/simulate-computation:no',  # the program says itself what it computes
        'smpi/host-speed:1Gf',           # not used, but asked for
        'smpi/bw-factor:0:1',            # links are what they are: no factors fitted to a cluster
        'smpi/lat-factor:0:1',
        'network/TCP-gamma:0',           # no windows of TCP
        'network/crosstraffic:no',       # both directions of a link are independent
        f'smpi/os:0:{start:.17g}:0',     # a message keeps its sender busy
        f'smpi/ois:0:{start:.17g}:0',
        'smpi/or:0:0:0',
        f'smpi/test:{poll:.17g}',        # so long does a look take that finds nothing
        f'smpi/iprobe:{poll:.17g}',
        'smpi/grow-injected-times:no',
        'smpi/privatization:dlopen',
        'smpi/coll-selector:ompi',
    )


def main():
    if len(sys.argv) != 4:
        fail('usage: platform.py MACHINE RANKS DIRECTORY')
    machine, ranks, where = read(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    each = int(machine['node_ranks'][0])
    files = {'platform.xml': platform(machine, ranks),
             'hosts': ''.join(f'n{rank // each}\n' for rank in range(ranks)),
             'options': ''.join(f'--cfg={option}\n' for option in options(machine))}
    for name, text in files.items():
        with open(os.path.join(where, name), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    main()
