#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# NAS FT, classes A and B on 1 2 3 4 6 ranks with slabs and pencils, and class C on 2 (which takes
# 8 GiB; CLASS_C=no leaves it out).  Goes on where it was stopped.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
if ! test -x "${PFFT3D:?}"; then echo '1..0 # SKIP no program in this build'; exit 0; fi

# class LETTER RANKS OPTIONS...
class() {
  letter=$1 ranks=$2
  shift 2
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  part "class $letter on $ranks ranks $*" \
    limited 3600 $MPIRUN -n "$ranks" "$PFFT3D" nas --class "$letter" --reps 1 "$@"
}

for ranks in 1 2 3 4 6; do
  for letter in A B; do
    class $letter $ranks --algo all
    class $letter $ranks --algo all --decomp pencil
  done
done
if test "${CLASS_C:-yes}" != no; then class C 2; fi
campaign_end
