# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# One Python for a whole test: scripts that compare a lot source it behind program.sh, once $PYTHON has h5py.
# $PYTHON becomes a function of the shell, which neither env nor mpirun can start.  What it is asked for is done
# by a copy (fork) of one process that has loaded h5py and numpy: 20 ms of a processor in place of 110.  One at
# a time; variables that are exported later are not seen.
served=$PWD/.served
mkdir "$served" && mkfifo "$served/ask" "$served/answer" || exit 99
"$PYTHON" "${srcdir:?}/tests/lib/served.py" "$served" </dev/null >/dev/null 2>&1 &
server=$!
PYTHON=served_python
# Its time counts, for which this shell waits.
end_served() {
  kill "$server"
  wait "$server" 2>/dev/null
  cleanup
}
trap end_served EXIT

# served_python ARGUMENTS...: -c CODE, a file, or - for the standard input, and what follows
served_python() {
  if test "$1" = -; then cat >"$served/in"; fi
  printf '%s\0' $(($# + 1)) "$PWD" "$@" >"$served/ask"
  read -r served_status <"$served/answer"
  cat "$served/out"
  cat "$served/err" >&2
  return "$served_status"
}
