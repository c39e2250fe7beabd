#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All tests of `make check` under gcc's sanitizers of addresses, leaks and undefined behaviour, at -O1
# and at -O3, then thousands of random cases at each; a report from any process counts.  Answers in TAP.
# SEED (3) in the environment: other random cases than those of the last time.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"

# Those that are no tests of pfft3d's memory: simulated machines need programs of another build; the
# layers, the page of a study and its predictions are about files; hosts in network namespaces and
# Slurm start ranks without the options of the sanitizers; the shim of fault_calls.sh stands in front
# of malloc, where the sanitizer is (test_memory lets allocations fail without it).
left_out='faults/fault_calls smpi/smpi program/slurm program/cluster program/study program/predict
  unit/check_layers unit/check_rings unit/check_code'

tests_of() { make --no-print-directory -s -C "$1" --eval='print-tests:;@echo $(TESTS)' print-tests; }

for level in 1 3; do
  folder=$builddir/sanitize-O$level
  sh "$srcdir/tests/sanitize/build.sh" "$folder" "$level" >"$folder.log" 2>&1 || {
    tail -n 40 "$folder.log" | sed 's/^/# /'
    echo "Bail out! the build with sanitizers at -O$level fails"
    exit 1
  }
  part "planted faults at -O$level" sh "$srcdir/tests/sanitize/plant.sh" "$folder"
  for test in $(tests_of "$folder"); do
    name=${test#tests/} name=${name%.sh}
    # shellcheck disable=SC2116,SC2086  # one line of words
    case " $(echo $left_out) " in *" $name "*) continue ;; esac
    part "$test at -O$level" sh "$srcdir/tests/sanitize/test.sh" "$folder" "$test"
  done
done
for ranks in 1 2 3 4 6; do
  for first in 0 1000 2000 3000; do
    case $first in 0 | 1000) level=1 ;; *) level=3 ;; esac
    folder=$builddir/sanitize-O$level unlike=$folder/tests/faults/.libs/unlike.so
    # small caches and unlike ones: small cases meet no border of large caches; and other vectors
    machine=
    case $first in 1000) machine=unlike ;; 3000) machine=2 ;; esac
    for test in transform/test_random line/test_line_random; do
      case="seed ${SEED:-3} from $first on $ranks ranks${machine:+ with processors $machine}"
      part "$test at -O$level $case" \
        env RANKS=$ranks CASES=1000 ${machine:+PRELOAD="$unlike" PFFT3D_TEST_MACHINE=$machine} \
        sh "$srcdir/tests/sanitize/test.sh" "$folder" tests/$test "${SEED:-3}" $first 1000
    done
  done
done
campaign_end
