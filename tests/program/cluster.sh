#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program on a network: on clusters of 2 and 4 hosts that are network namespaces of this machine
# (tests/cluster/cluster.sh).  All exchanges over TCP with one and two ranks per host, what is said of
# nodes, that what goes over the wire is what reports say, and that nothing of a cluster is left, also
# when its test was killed.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"
unset OMPI_MCA_btl # between hosts there is a network
export CLUSTER="$work/two"
cluster() { sh "$srcdir/tests/cluster/cluster.sh" "$@"; }
if ! $MPIRUN --version 2>/dev/null | grep -qE 'Open MPI|OpenRTE'; then
  echo '1..0 # SKIP not Open MPI'
  exit 0
fi
if ! why=$(cluster able 2>&1); then
  echo "1..0 # SKIP $why"
  exit 0
fi
job=
cleanup() {
  if test -n "$job"; then kill -KILL "$job" 2>/dev/null; fi
  for CLUSTER in "$work"/two "$work"/four "$work"/killed; do cluster down; done
  rm -rf "$work"
}

# over RANKS PLACEMENT ARGUMENTS...: the program with options for mpirun, a word or two
limit=180 # a run that does not end; on a busy machine each of its small messages waits for a processor
over() {
  ranks=$1 placement=$2
  shift 2
  # shellcheck disable=SC2086  # a list of options
  limited $limit sh "$srcdir/tests/cluster/cluster.sh" run -n "$ranks" $placement "$PFFT3D" "$@" \
    >out.txt 2>err.txt </dev/null
}
gives() { # STATUS COMMAND...
  wanted=$1
  shift
  "$@" >out.txt 2>err.txt
  status=$?
  echo "status $status, should be $wanted"
  test $status = "$wanted"
}
until_true() { # for so long that it must be broken
  tries=300
  until "$@"; do
    tries=$((tries - 1))
    if test $tries = 0; then return 1; fi
    sleep 0.1
  done
}

# Namespaces, by the numbers that the folder of a cluster keeps; and who is in one of them.
namespaces() { cat "$1"/h[0-3] "$1"/switch | cut -d' ' -f2; }
inhabited() {
  for network in $1; do
    find -L /proc/[0-9]*/ns/net -maxdepth 0 -inum "$network" 2>/dev/null
  done | grep -q .
}
deserted() { ! inhabited "$1"; }

# ---- up, or not at all ----
check 'a rate that it does not have' gives 64 cluster up -r 10mbit
check 'five hosts' gives 64 cluster up -n 5
check 'running before it is up' gives 69 cluster run -n 1 true
mkdir tools && printf '#!/bin/sh\necho tc is broken >&2\nexit 1\n' >tools/tc && chmod +x tools/tc
half() { PATH=$work/tools:$PATH cluster up -r 1gbit; }
check 'a tool that fails' gives 1 half
check 'nothing is left of a cluster that was half up' test ! -e "$CLUSTER"
check 'down, where nothing is up' cluster down
check 'two hosts' cluster up -r 10gbit -o $$
check 'a second time' gives 69 cluster up

# ---- one and two ranks on each of two hosts ----
where() { # PLACEMENT...: hosts of the ranks
  # shellcheck disable=SC2016  # for the shells of the ranks
  cluster run "$@" sh -c 'echo "$OMPI_COMM_WORLD_RANK:$(uname -n)"' 2>err.txt | sort | tr '\n' ' '
}
at() {
  wanted=$1
  shift
  found=$(where "$@")
  echo "$found, should be $wanted"
  test "$found" = "$wanted"
}
check 'ranks are shared out among the hosts' at '0:h0 1:h0 2:h1 3:h1 ' -n 4
check 'they may fill one host after the other' at '0:h0 1:h0 ' -n 2 --map-by slot
check 'they may be anywhere' at '0:h0 1:h1 2:h1 3:h0 ' --host h0,h1,h1,h0 --map-by seq
memory() { cluster on h0 'echo h0 >/dev/shm/mine' && cluster on h1 'test ! -e /dev/shm/mine'; }
check 'hosts have memory of their own' memory

crossed='--host h0,h1,h1,h0 --map-by seq'
check 'verify, all kinds on 2 ranks' over 2 '' verify --grid 7x6x5 --engine simd
check 'verify, pencils on 4 ranks' over 4 '' verify --grid 7x6x5 --engine simd --type r2c --pgrid 2x2
for ranks in 2 4; do
  check "all exchanges in slabs, $ranks ranks" over $ranks '' bench --grid 20x18x24 --algo all --decomp slab --reps 1
  check "lines, $ranks ranks" over $ranks '' line --size 1155 --algo all --reps 1
done
check 'all exchanges in pencils' \
  over 4 '' bench --grid 20x18x24 --pgrid 2x2 --algo all --reps 2 --json pencils.json
check 'real fields in pencils, rows across hosts' \
  over 4 "$crossed" bench --grid 9x10x7 --type r2c --pgrid 2x2 --algo all --reps 1
check 'lines in turn, rows across hosts' \
  over 4 "$crossed" line --size 512 --layout cyclic --method all --algo all --reps 1
check 'rows stored inside hosts' over 4 '' bench --grid 20x18x24 --algo packed,pairwise,slabs,pencils,persistent,rma \
  --local stores --order natural --reps 2
check 'also in pencils, rows inside hosts' over 4 '' bench --grid 20x18x24 --pgrid 2x2 \
  --algo packed,slabs,pencils,rma --local stores --reps 2
check 'shared is refused' gives 69 over 2 '' --grid 16 --algo shared
check 'with one message' test "$(grep -c '^pfft3d: error: shared memory: ' err.txt)" = 1
check 'and no other' test "$(grep -c '^pfft3d: error' err.txt)" = 1
check 'shared inside one host' over 2 '--map-by slot' --grid 16 --algo shared --reps 1 --json one.json

# ---- bytes on the wire: the difference of two runs, so that what begins and ends them cancels ----
check 'another rate' cluster rate 40gbit
cluster status >status.txt
check 'it is that of every port' test "$(grep -c 'sends at 40Gbit.* receives at 40Gbit' status.txt)" = 2
placed='' cut='--decomp slab'
wire() { # NAME RANKS ALGO GRID REPEATS...
  file=$1 ranks=$2 algo=$3 grid=$4
  shift 4
  # shellcheck disable=SC2086  # options are words
  for reps in "$@"; do
    cluster bytes >"$file.$reps.before" &&
      over "$ranks" "$placed" --grid "$grid" --algo "$algo" $cut --direction forward --no-verify \
        --reps "$reps" --json "$file.$reps.json" && cluster bytes >"$file.$reps.after" || return 1
  done
}
check 'a few transforms, and many' wire packed 2 packed 64 2 50
check 'the same with two ranks on a host' wire slabs 4 slabs 128 1 6
cat >wire.py <<'END'
import json, sys
def moved(name, reps):
    def table(when): return {h: (int(s), int(r)) for h, s, r in map(str.split, open("%s.%d.%s" % (name, reps, when)))}
    before, after = table("before"), table("after")
    return {h: [b - a for a, b in zip(before[h], after[h])] for h in after}
name, few, many = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
report = json.load(open("%s.%d.json" % (name, many)))
ranks, here, m = report["ranks"], report["ranks_per_node"], report["runs"][0]["messages"]
assert report["nodes"] == 2 and ranks == 2 * here, report["nodes"]
assert m["bytes_each_min"] == m["bytes_each_max"] >= 65536, m
# All ranks get the same; what goes to ranks of the same host does not go over the wire.
said = m["remote_bytes_per_rank"] * here * (ranks - here) // (ranks - 1) * (many - few)
a, b = moved(name, few), moved(name, many)
assert set(b) == {"h0", "h1"}
for host in b:
    for way, less, more in zip(("sent", "received"), a[host], b[host]):
        print(host, way, more - less, "said", said, "ratio", (more - less) / said)
        assert abs((more - less) / said - 1) < 0.01
END
check 'the wire carried what the report says' "$PYTHON" wire.py packed 2 50
cut='--decomp slab --local stores'
check 'stores inside a host' wire stores 4 slabs 64 2 22
cut='--decomp slab'
check 'node: half of a field, in one message' wire node 4 node 64 2 22
# Rows and columns of the grid both across the hosts, and left so.
placed='--host h0,h1,h1,h0 --map-by seq' cut='--pgrid 2x2 --node-ranks 1'
check 'pencils laid across the hosts' wire across 4 packed 64 2 22
cat >half.py <<'END'
import json
def sent(name):
    table = {}
    for reps in (2, 22):
        for when in ("before", "after"):
            for host, out, _ in map(str.split, open("%s.%d.%s" % (name, reps, when))):
                sign = (1 if reps == 22 else -1) * (1 if when == "after" else -1)
                table[host] = table.get(host, 0) + sign * int(out)
    return table
node, across, stores = sent("node"), sent("across"), sent("stores")
for host in node:
    print(host, node[host], across[host], 20 * 16 * 64**3 // 4)
    assert abs(node[host] / (20 * 16 * 64**3 / 4) - 1) < 0.01
    assert abs(node[host] / (across[host] / 2) - 1) < 0.01
    assert abs(stores[host] / node[host] - 1) < 0.01
m = json.load(open("stores.22.json"))["runs"][0]["messages"]
assert m["stored_bytes_per_rank"] == 16 * 64**3 // 16 == m["remote_bytes_per_rank"] // 2, m
m = json.load(open("node.22.json"))["runs"][0]["messages"]
assert m["remote_per_rank"] == 1 and m["bytes_each_max"] == 16 * 64**3 // 4, m
END
check 'node sends half of what they do' "$PYTHON" half.py
check 'only what is for the other host goes over the wire' "$PYTHON" wire.py slabs 1 6

# ---- four hosts beside the two ----
export CLUSTER="$work/four"
check 'four hosts beside the two' cluster up -n 4 -s 1 -o $$
check 'verify on four hosts' over 4 '' verify --grid 7x6x5 --engine simd --type c2c --decomp slab
check 'all exchanges on four hosts' over 4 '' bench --grid 20x18x24 --algo all --reps 1 --json four.json
cat >nodes.py <<'END'
import json
for name, nodes, ranks_per_node in (("one", 1, 2), ("pencils", 2, 2), ("four", 4, 1)):
    r = json.load(open(name + ".json"))
    assert (r["nodes"], r["ranks_per_node"]) == (nodes, ranks_per_node), (name, r["nodes"])
    assert r["host"] == "h0" and r["runs"] and all(x["check"]["pass"] is True for x in r["runs"])
    algos = {x["algo"] for x in r["runs"]}
    assert ("shared" in algos) == (nodes == 1), algos
    assert nodes == 1 or algos >= {"packed", "slabs", "pencils"}, algos
END
check 'reports say how many nodes there are' "$PYTHON" nodes.py

# ---- down ----
for size in two four; do
  export CLUSTER="$work/$size"
  cluster status >status.txt
  check "the network of $size dropped nothing" \
    sh -c "grep -q ' 0 dropped' status.txt && ! grep -q ' [1-9][0-9]* dropped' status.txt"
  networks=$(namespaces "$CLUSTER")
  check "its namespaces are known" inhabited "$networks"
  check "down with $size" cluster down
  check "nobody is left in $size" until_true deserted "$networks"
  check "nor a file" test ! -e "$CLUSTER"
done

# ---- frames that take a while, and a test that is killed and has no chance to clean up ----
export CLUSTER="$work/killed"
cat >killed.sh <<'END'
cluster() { sh "$srcdir/tests/cluster/cluster.sh" "$@"; }
bench() { cluster run -n 2 "$PFFT3D" "$@"; }
cluster up -d 300 -o $$ && bench --grid 16 --algo all --reps 2 --json delayed.json &&
  bench --grid 64 --reps 100000 --json begun.json
END
sh killed.sh >out.txt 2>err.txt </dev/null &
job=$!
begun() { test -n "$(find . -name '.begun.json.pfft3d-*')"; } # the report is open, the ranks are at work
check 'a test whose ranks run' until_true begun
networks=$(namespaces "$CLUSTER")
kill -KILL $job
wait $job 2>/dev/null
job=
check 'a killed test leaves no process' until_true deserted "$networks"
gone() { test ! -e "$CLUSTER"; }
check 'and no file' until_true gone
cat >delayed.py <<'END'
import json
# No rank can have what the last one sent before the time that frames take.
for r in json.load(open("delayed.json"))["runs"]:
    assert r["check"]["pass"] is True and min(r["time_s"]["reps"]) >= 300e-6, r["time_s"]
END
check 'nothing arrives before its time' "$PYTHON" delayed.py
echo "1..$number"
exit $bad
