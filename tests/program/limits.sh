#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All commands in odd places: with small limits, without folders that they would like to have, with little memory.
# Each ends right, or with one line of its own that names the cause.  PFFT3D_TEST_ALL=1: on three ranks, too.  Answers in
# TAP, a line for each place.
. "${srcdir:?run by make check}/tests/lib/program.sh"
"$PFFT3D" info >info.txt 2>/dev/null
if ! grep -q 'parallel, HDF5' info.txt; then echo '1..0 # SKIP no files in this build'; exit 0; fi
chmod 755 "$work"
mkdir open sealed && chmod 777 open && chmod 555 sealed

# What is run: a line for each command, small and without measurements.  f.npy is a field.
cat >commands.txt <<'END'
bench --grid 8 --reps 1 --algo packed
line --size 48 --reps 1 --algo packed
transform --input f.npy --output out.npy --force
transform --input f.h5 --output out.h5 --force
filter --input f.npy --output out.npy --force --gaussian 1
convolve --input f.npy --with f.npy --output out.npy --force
compress --input f.npy --output out.h5 --force --share 10%
spectrum --input f.npy --csv out.csv
poisson --input f.npy --output out.npy --force
turbulence --grid 8 --re 10 --time 0.1 --dt 0.1
nas --class S --reps 1
kernels --sizes 16 --threads 1 --reps 1
verify --grid 4x3x5 --algo packed
tune --grid 6 --plan-budget 0.1 --reps 1
explain --grid 8 --ranks 4
compare r.json r.json
info
END
"$PYTHON" -c 'import math, struct
head = "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (6, 8, 10), }".ljust(117) + "\n"
open("f.npy", "wb").write(b"\x93NUMPY\x01\x00v\x00" + head.encode() +
                          struct.pack("<480d", *(math.sin(i) for i in range(480))))' || exit 99
"$PFFT3D" transform --input f.npy --output f.h5 --json r.json --quiet 2>err.txt || { cat err.txt; exit 99; }
names() { awk '{ print $1 }' commands.txt | sort -u; }
listed() { sed -n 's/^COMMAND(\(.*\))/\1/p' "$srcdir/src/app/cli/command_list.h" | grep -vx fftw | sort; }
check 'no command is left out' eval 'test "$(names)" = "$(listed)"'

# right WORDS: nothing but lines of its own; done, or one message with these words
right() {
  if grep -v '^pfft3d: ' err.txt; then return 1; fi
  case $status:$(grep -c '^pfft3d: error: ' err.txt) in
    0:0) return 0 ;;
    6[4-9]:1 | 7[0-8]:1) grep -q -E -e "error: .*($1)" err.txt ;;
    *) return 1 ;;
  esac
}

# place NAME WORDS COMMAND...: all commands as arguments of this one
place() {
  name=$1
  shift
  check "$name" everywhere "$@"
}
everywhere() {
  words=$1 wrong=0
  shift
  rm -f out.*
  while read -r line; do
    # shellcheck disable=SC2086  # several words
    limited $limit "$@" "$PFFT3D" $line >/dev/null 2>err.txt </dev/null
    status=$?
    own err.txt
    if ! right "$words"; then
      echo "pfft3d $line: status $status"
      cat err.txt
      wrong=1
    fi
  done <commands.txt
  return $wrong
}
# limited_to OPTION: runs its arguments with this limit of the shell
limited_to() { echo "ulimit $1; exec \"\$@\""; }
# Commands that run their arguments without any rights (what a build for coverage counts goes where it may write),
# with 512 MiB, and with 64 KiB in /dev/shm.
as_nobody="env GCOV_PREFIX=$work/open setpriv --reuid=65534 --regid=65534 --clear-groups"
group=/sys/fs/cgroup/memory/pfft3d-$$
# shellcheck disable=SC2016  # shells of their own
in_group='echo $$ >"$0/cgroup.procs" && exec "$@"' in_shm='mount -t tmpfs -o size=64k tmpfs /dev/shm && exec "$@"'
cleanup() {
  if test -d $group; then rmdir $group; fi
  rm -rf "$work"
}
none='^$' # no message is right
if test "$(id -u)" = 0 && $as_nobody test -x "$PFFT3D" 2>/dev/null; then nobody=yes; else nobody=; fi

# everything ROOMS: in all places, those of some of them only
everything() {
  # shellcheck disable=SC2086  # a command with options
  place "as it is$1" "$none" env
  place "few files$1" 'open files' sh -c "$(limited_to '-n 24')" sh
  place "no large files$1" 'ulimit -f|too large|cannot (reserve|write|create)' sh -c "$(limited_to '-f 1')" sh
  place "little to address$1" 'memory|ulimit -v' sh -c "$(limited_to '-v 700000')" sh
  place "a small stack$1" "$none" sh -c "$(limited_to '-s 256')" sh
  place "TMPDIR and HOME missing$1" "$none" env -u XDG_CACHE_HOME TMPDIR="$work/missing" HOME="$work/missing"
  place "no copies between processes$1" "$none" env -u OMPI_MCA_btl_vader_single_copy_mechanism -u OMPI_MCA_smsc \
    LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$builddir/tests/faults/.libs/no_copies.so"
  place "many threads$1" "$none" env OMP_NUM_THREADS=16
  if test -n "$nobody"; then
    place "nothing may be written$1" 'Permission denied' $as_nobody env TMPDIR="$work/open" HOME="$work/sealed" \
      MESA_SHADER_CACHE_DISABLE=true # which says so, on a line of its own
  fi
  if test "$(id -u)" = 0 && mkdir $group 2>/dev/null && echo 512M >$group/memory.limit_in_bytes; then
    place "a control group of 512 MiB$1" 'memory' sh -c "$in_group" $group
    rmdir $group
  else
    skip "a control group of 512 MiB$1" 'not root, or no group of its own for memory'
  fi
  if unshare -m sh -c "$in_shm" sh true 2>/dev/null; then
    place "64 KiB in /dev/shm$1" '/dev/shm' unshare -m sh -c "$in_shm" sh
  else
    skip "64 KiB in /dev/shm$1" 'no name space for mounts'
  fi
}
everything ''

# Where MPI cannot start it says so in words of its own, and the last line names the cause.
starved() { # WORDS COMMAND...
  words=$1
  shift
  "$@" "$PFFT3D" --grid 8 --reps 1 >/dev/null 2>err.txt </dev/null
  status=$?
  case $status in
    0) ! grep -q '^pfft3d: ' err.txt ;;
    *) test $status = 69 && tail -n 1 err.txt | grep -q "^pfft3d: error: MPI cannot start: .*($words)" ;;
  esac
}
if test -z "${HYDRA-}" && test -z "${ASAN_OPTIONS-}"; then
  for one in '-n 16' '-v 200000' '-s 128'; do
    check "ulimit $one" starved "ulimit ${one% *}" sh -c "$(limited_to "$one")" sh
  done
fi

# All of it again on three ranks, more than cores.
if test -n "${PFFT3D_TEST_ALL-}"; then
  one=$PFFT3D PFFT3D=$work/three.sh
  printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$(launcher 3)" "$one" >"$PFFT3D"
  chmod +x "$PFFT3D"
  sed -i '/^kernels/d' commands.txt
  everything ' on 3 ranks'
fi
echo "1..$number"
exit $bad
