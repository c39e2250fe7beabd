#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the environment holds is no part of the work: with each setting here a transform of a file
# gives the same bytes as without it, with a report that reads the same; or one message says what is
# the matter.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
"$PFFT3D" info >info.txt 2>/dev/null
if ! grep -q 'parallel, HDF5' info.txt; then echo '1..0 # SKIP no files in this build'; exit 0; fi
if ! command -v h5import >/dev/null; then echo '1..0 # SKIP no h5import'; exit 0; fi
root=$(id -u)
chmod 755 "$work"

seq 1 480 | sed 's/$/.5/' >field.txt
printf '%s\n' 'RANK 3' 'DIMENSION-SIZES 6 8 10' 'PATH field' 'INPUT-CLASS TEXTFP' 'INPUT-SIZE 64' \
  'OUTPUT-CLASS FP' 'OUTPUT-SIZE 64' >field.conf
h5import field.txt -c field.conf -o in.h5 >/dev/null || exit 99
threads=1

# start COMMAND...: the transform, as a command that gets it as arguments wants to run it
start() {
  rm -f out.h5 r.json
  limited 60 "$@" "$PFFT3D" transform --input "$work/in.h5" --output "$work/out.h5" \
    --threads "$threads" --json "$work/r.json" >out.txt 2>err.txt
}

# plain COMMAND...: likewise, and it must end as if the environment were empty
plain() {
  start "$@" || { echo "status $?"; return 1; }
  cmp out.h5 reference.h5 || return 1
  if grep 'pfft3d:' err.txt | grep -v 'warning: .*threads'; then return 1; fi
  grep -q 'PASS' out.txt || { echo 'the report lacks the verdict'; return 1; }
  if grep -E '[0-9],[0-9]' out.txt; then echo 'a decimal comma'; return 1; fi
  "$PYTHON" -c 'import json, sys
check = json.load(open("r.json"))["runs"][0]["check"]
sys.exit(0 if all(isinstance(v, (float, str, bool, type(None))) for v in check.values()) else str(check))'
}

# refused CODE WORDS COMMAND...: it must end with this code and one message in these words
refused() {
  code=$1 words=$2
  shift 2
  start "$@"
  status=$?
  test $status = "$code" || { echo "status $status instead of $code"; return 1; }
  test "$(grep -c '^pfft3d: error: ' err.txt)" = 1 || { echo 'not one message'; return 1; }
  grep -q -e "$words" err.txt || { echo "no words '$words'"; return 1; }
  if test -e out.h5 || test -e r.json; then echo 'a file is left behind'; return 1; fi
}

# set_to NAME=VALUE...: one test with these in the environment
set_to() { check "$*" plain env "$@"; }

start env || { cat err.txt; echo '1..1'; echo 'not ok 1 - the plain run'; exit 1; }
cp out.h5 reference.h5

# ---- HDF5 ----
for value in FALSE TRUE BEST_EFFORT junk; do set_to HDF5_USE_FILE_LOCKING=$value; done
set_to HDF5_PLUGIN_PATH=/nonexistent
set_to HDF5_PLUGIN_PRELOAD=::
set_to HDF5_DEBUG=all
set_to HDF5_DISABLE_VERSION_CHECK=2
set_to HDF5_DRIVER=stdio
set_to HDF5_NOCLEANUP=1

# ---- MPI ----
# there FRAMEWORK NAME...: those that this Open MPI has
there() { sh "$srcdir/jobs/launcher.sh" components "$MPIRUN" "$@" | tr , ' '; }
for one in $(there io romio321 romio341 ompio); do set_to OMPI_MCA_io="$one"; done
set_to OMPI_MCA_io=ompio OMPI_MCA_fcoll=individual
set_to OMPI_MCA_coll=basic,self,libnbc
for one in $(there btl vader sm tcp | sed 's/vader sm/vader/'); do
  set_to OMPI_MCA_pml=ob1 OMPI_MCA_btl="self,$one" OMPI_MCA_btl_tcp_if_include=lo
done
for one in $(there osc pt2pt rdma); do set_to OMPI_MCA_osc="$one"; done
set_to OMPI_MCA_mpi_param_check=1 OMPI_MCA_mpi_show_handle_leaks=0
# The program's own settings of transports: what the environment or mpirun says has precedence, and
# jobs/env.sh says the same.
transport() { # transport PATTERN COMMAND...: what the program and MPI say of their settings
  pattern=$1
  shift
  limited 60 "$@" >info.txt 2>err.txt && grep -qx -- "$pattern" info.txt || { cat info.txt err.txt; return 1; }
}
if grep -q '^mpi .*Open MPI' info.txt; then
  node=$(there btl vader sm | sed 's/vader sm/vader/') # Open MPI 5 has vader under the name of sm
  check 'a limit for rows of 512' transport "  btl_${node}_eager_limit=8320" "$PFFT3D" info
  check 'it is that of this Open MPI only' sh -c 'test "$(grep -cE "^  btl_(vader|sm)_eager_limit=" info.txt)" = 1'
  check "the user's limit" transport "  btl_${node}_eager_limit=5000" env "OMPI_MCA_btl_${node}_eager_limit=5000" "$PFFT3D" info
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  check "mpirun's limit" transport '  btl_tcp_eager_limit=70000' $MPIRUN --mca btl_tcp_eager_limit 70000 -n 1 "$PFFT3D" info
  listed=$("$PFFT3D" info 2>/dev/null | sed -n 's/^  \(btl_[a-z_]*=.*\)/\1/p')
  check 'jobs/env.sh has them all' sh -c '
    for one in $1; do grep -q "OMPI_MCA_${one%=*}:-${one#*=}}" "$2" || { echo "$one"; exit 1; }; done
    test $(grep -c "OMPI_MCA_btl_.*:-" "$2") = $(($(echo "$1" | wc -l) + 1))' sh "$listed" "$srcdir/jobs/env.sh"
  # A second connection loses messages.
  check 'one connection' sh -c '! grep "OMPI_MCA_btl_tcp_links=" "$1" && ! "$2" info | grep btl_tcp_links' sh "$srcdir/jobs/env.sh" "$PFFT3D"
fi
# small_shm OPTIONS...: two ranks where /dev/shm has 64 KiB, which is too little for messages through it, too
small_shm() (
  OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
  export OMPI_MCA_btl OMPI_MCA_btl_tcp_if_include
  # shellcheck disable=SC2046,SC2016  # several words; a shell of its own
  limited 60 unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs /dev/shm && exec "$@"' sh \
    $(launcher 2) "$PFFT3D" --grid 32 --reps 1 --direction forward "$@" >out.txt 2>err.txt
)
no_room() {
  small_shm --exchange rma
  test $? = 69 && grep -q "windows of MPI need .* in /dev/shm, where 64 KiB are free" err.txt
}
left_out() { small_shm --exchange all && grep -q ' pencils ' out.txt && ! grep -q ' rma ' out.txt; }
if grep -q '^mpi .*Open MPI' info.txt && unshare -m mount -t tmpfs -o size=64k tmpfs /dev/shm 2>/dev/null; then
  check 'no room for windows' no_room
  check 'all leaves them out' left_out
else
  skip 'no room for windows' 'another MPI, or not root'
fi
set_to SLURM_JOB_ID=1 SLURM_NTASKS=2 SLURM_PROCID=1

# ---- threads ----
set_to OMP_NUM_THREADS=1000
set_to OMP_NUM_THREADS=abc
threads=3
set_to OMP_NUM_THREADS=1
set_to OMP_THREAD_LIMIT=1
set_to OMP_DYNAMIC=true
set_to OMP_MAX_ACTIVE_LEVELS=0
set_to OMP_PROC_BIND=spread OMP_PLACES=cores
set_to OMP_PROC_BIND=junk OMP_SCHEDULE=junk OMP_STACKSIZE=junk
set_to OMP_CANCELLATION=true OMP_NESTED=true OMP_WAIT_POLICY=active
threads=1

# ---- languages ----
set_to LC_ALL=C LANG=C
set_to LC_ALL=C.UTF-8
set_to LC_ALL=no_SUCH LANG=no_SUCH LANGUAGE=xx
mkdir locales
for name in tr_TR de_DE; do
  if localedef -i $name -f UTF-8 "locales/$name.UTF-8" >locales.txt 2>&1; then
    set_to LOCPATH="$work/locales" LC_ALL=$name.UTF-8
  else
    number=$((number + 1))
    echo "ok $number - LC_ALL=$name.UTF-8 # SKIP no localedef (Debian: locales)"
  fi
done

# ---- places ----
# Open MPI 5 itself ends without a home.
homeless='-u HOME'
if env -u HOME "$PFFT3D" info 2>&1 | grep -q 'user home directory'; then homeless=HOME=$work/missing; fi
# shellcheck disable=SC2086  # an option and its value, or a setting
set_to -u XDG_CACHE_HOME -u TMPDIR $homeless
set_to -u XDG_CACHE_HOME HOME=
set_to -u XDG_CACHE_HOME HOME=relative
set_to -u XDG_CACHE_HOME "HOME=$work/no-home"
set_to HOME=/dev/null XDG_CACHE_HOME=/dev/null
set_to XDG_CACHE_HOME=relative
check 'a long XDG_CACHE_HOME' plain env XDG_CACHE_HOME="/$(printf '%5000s' '' | tr ' ' x)"
set_to "TMPDIR=$work/no-tmp"
set_to TERM= COLUMNS=0
set_to TERM=junk COLUMNS=1 LINES=x
set_to POSIXLY_CORRECT=1 GETOPT_COMPATIBLE=1
set_to LD_BIND_NOW=1
set_to MALLOC_PERTURB_=165 MALLOC_ARENA_MAX=1
set_to MALLOC_CHECK_=3
# Sanitizers keep their options (tests/sanitize/env.sh).
set -- ${ASAN_OPTIONS+"ASAN_OPTIONS=$ASAN_OPTIONS" "LSAN_OPTIONS=$LSAN_OPTIONS"} \
  ${UBSAN_OPTIONS+"UBSAN_OPTIONS=$UBSAN_OPTIONS"} ${LD_PRELOAD+"LD_PRELOAD=$LD_PRELOAD"}
# shellcheck disable=SC2086
check 'an empty environment' plain env -i $homeless "$@" OMPI_MCA_ess_singleton_isolated=1
# shellcheck disable=SC2086
check 'nothing but PATH' plain env -i $homeless "$@" PATH="$PATH"
check 'a damaged environment' \
  plain env '=x' 'LC_NUMERIC==' 'TZ=:/nonexistent' 'IFS=x' "LD_PRELOAD= ${LD_PRELOAD-}"
check 'a large environment' plain env X="$(printf '%100000s' '' | tr ' ' x)"

check 'PFFT3D_TEST_MAX_COUNT=abc' refused 64 'expected a whole number' env PFFT3D_TEST_MAX_COUNT=abc
check 'PFFT3D_TEST_MAX_COUNT=0' refused 64 'expected a whole number' env PFFT3D_TEST_MAX_COUNT=0
set_to PFFT3D_TEST_MAX_COUNT=7

# ---- files that are open, or not ----
# lost: the report goes nowhere, which is an error; the file is whole
lost() {
  start "$@"
  status=$?
  test $status = 74 || { echo "status $status instead of 74"; return 1; }
  cmp out.h5 reference.h5
}
lost_aloud() {
  lost "$@" && test "$(cat err.txt)" = 'pfft3d: error: cannot write to stdout: Bad file descriptor'
}
check 'stdin closed' plain sh -c 'exec "$@" <&-' sh
check 'stdin from a folder' plain sh -c 'exec "$@" </' sh
check 'stderr closed' plain sh -c 'exec "$@" 2>&-' sh
check 'stdin and stderr closed' plain sh -c 'exec "$@" <&- 2>&-' sh
check 'stdout closed' lost_aloud sh -c 'exec "$@" >&-' sh
check 'stdin and stdout closed' lost_aloud sh -c 'exec "$@" <&- >&-' sh
check 'all three closed' lost sh -c 'exec "$@" <&- >&- 2>&-' sh
quiet() { start sh -c 'exec "$@" --quiet <&- >&- 2>&-' sh && cmp out.h5 reference.h5; }
check 'all three closed, and quiet' quiet
check 'few files' plain sh -c 'ulimit -n 64; exec "$@"' sh
check 'a small stack' plain sh -c 'ulimit -s 512; exec "$@"' sh
check 'no core files' plain sh -c 'ulimit -c 0; exec "$@"' sh
check 'signals ignored' plain sh -c 'trap "" HUP PIPE ALRM USR2; exec "$@"' sh
removed() {
  mkdir gone && (cd gone && rmdir ../gone && PWD=/ && start_there)
}
start_there() {
  limited 60 "$PFFT3D" transform --input "$work/in.h5" --output "$work/out.h5" --force --quiet \
    >"$work/out.txt" 2>"$work/err.txt" && cmp "$work/out.h5" "$work/reference.h5"
}
check 'the current folder is gone' removed

# ---- rights ----
# mode_after UMASK MODE: the mode of an output file
mode_after() {
  (umask "$1" && plain env) || return 1
  set -- "$2" "$(stat -c %a out.h5)"
  test "$1" = "$2" || { echo "mode $2 instead of $1"; return 1; }
}
check 'umask 000' mode_after 000 666
check 'umask 022' mode_after 022 644
check 'umask 077' mode_after 077 600
wisdom_modes() {
  (umask 000 && XDG_CACHE_HOME=$work/cache "$PFFT3D" tune --grid 4 --reps 1 --plan-budget 0.1 -q) || return 1
  test "$(stat -c %a cache/pfft3d)$(stat -c %a cache/pfft3d/wisdom)" = 700600 || { ls -lR cache; return 1; }
}
check 'umask 000, wisdom' wisdom_modes

# as_nobody COMMAND...: without any rights; what a build for coverage counts goes where it may write
as_nobody() { GCOV_PREFIX=$work/open setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
if test "$root" = 0 && as_nobody test -x "$PFFT3D" 2>/dev/null; then
  mkdir open && chmod 777 open
  nobody() {
    rm -f open/out.h5
    (cd open && as_nobody env $homeless "$PFFT3D" transform --input "$work/in.h5" --output out.h5 --quiet) >out.txt 2>err.txt &&
      cmp open/out.h5 reference.h5
  }
  check 'nobody' nobody
  nobody_there() {
    as_nobody env "$PFFT3D" transform --input in.h5 --output out2.h5 >out.txt 2>err.txt
    test $? = 73 && test "$(grep -c '^pfft3d: error: ' err.txt)" = 1 && grep -q 'Permission' err.txt
  }
  check 'nobody, in a folder of root' nobody_there
  nobody_home() {
    (cd open && as_nobody env -u XDG_CACHE_HOME HOME=/root "$PFFT3D" --grid 4 --quiet) >out.txt 2>err.txt || return
    own err.txt
    ! test -s err.txt
  }
  check 'nobody, with the home of root' nobody_home
fi

# ---- the name of the program ----
named() {
  start "$PYTHON" -c 'import os, sys; os.execv(sys.argv[2], [sys.argv[1]] + sys.argv[3:])' "$1" &&
    cmp out.h5 reference.h5
}
check 'a name of two lines' named "$(printf 'x\ny')"
check 'a name like an option' named --grid
check 'a long name' named "$(printf '%5000s' '' | tr ' ' x)"

# ---- several ranks ----
# ranks NAME=VALUE...: three of them
ranks() {
  # shellcheck disable=SC2086  # a command with options
  plain env "$@" $MPIRUN -n 3
}
check '3 ranks' ranks -u XDG_CACHE_HOME
check '3 ranks, OMPI_MCA_btl=tcp,self' ranks OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo
for one in $(there io romio321 romio341); do
  check "3 ranks, OMPI_MCA_io=$one" ranks OMPI_MCA_io="$one" HDF5_USE_FILE_LOCKING=FALSE
done
check '3 ranks, OMP_NUM_THREADS=7' ranks OMP_NUM_THREADS=7 OMP_THREAD_LIMIT=2 LC_ALL=no_SUCH
echo "1..$number"
exit $bad
