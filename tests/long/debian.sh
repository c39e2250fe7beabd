#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The two commands of the README on new Debians, a part each: SUITES ("bookworm trixie testing") as
# debootstrap knows them, each in a folder of its own below SPACE ($TMPDIR or /var/tmp, 8 GB), which goes
# afterwards.  By root, from a clone, with the packages' server in reach; the clone's last commit is
# tried.  Answers in TAP.
set -u
: "${srcdir:?run by make check-long}" "${builddir:?}"
skip() { echo "1..0 # SKIP $1" && exit 0; }
test "$(id -u)" = 0 || skip 'not root'
command -v debootstrap >/dev/null || skip 'no debootstrap'
test -e "$srcdir/.git" || skip 'no clone'
. "$srcdir/tests/lib/campaign.sh"
build=$(git -C "$srcdir" rev-parse --short HEAD)
root=$(mktemp -d -p "${SPACE:-${TMPDIR:-/var/tmp}}") || exit 99
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 130' HUP INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS MPIRUN BUILD CC

new() {
  rm -rf --one-file-system "$root/debian"
  debootstrap --variant=minbase "$1" "$root/debian" >"$root/log" 2>&1 || { tail -n 20 "$root/log" && return 1; }
  git clone -q --no-local "$srcdir" "$root/debian/pfft3d"
}
# inside COMMAND: in the new Debian, with file systems that go when it ends
# shellcheck disable=SC2016  # $1 is the inner shell's
inside() {
  limited 7200 unshare --mount sh -c 'cd "$1" && mount -t proc proc proc && mount --rbind /sys sys &&
    mount --rbind /dev dev && mount -t tmpfs shm dev/shm && exec chroot . sh -c "cd /pfft3d && $2"' sh "$root/debian" "$1"
}
for suite in ${SUITES:-bookworm trixie testing}; do
  part "$suite" new "$suite"
  part "$suite: sh jobs/local.sh" inside 'sh jobs/local.sh'
  part "$suite: sh tests/run.sh" inside 'sh tests/run.sh'
done
campaign_end
