#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a release hands out: the tarball has the same bytes in another folder, with another umask and
# later; the Autotools warn of nothing in it; packages of Debian are built from it, and lintian has nothing to say.  The build that is recorded
# is the sum of the tarball.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
work=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
tarball() { (cd "$1" && ls "$PWD"/pfft3d-*.tar.xz); }

# again FOLDER UMASK: configured anew in a folder of its own
again() (
  umask "$2"
  mkdir "$1" && cd "$1" && "$srcdir/configure" -q && make -s dist
)
# The builds here are their own: with what the outer make was told they would start this campaign again.
unset SOURCE_DATE_EPOCH MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TEST_LOGS
again one 022 >dist.txt 2>&1
first=$(tarball one)
build=$(cat "$first" | cksum | cut -d' ' -f1)
made() { cat dist.txt && test -f "$first"; }
same() { again an-other 077 && cmp "$first" "$(tarball an-other)"; }
inside() {
  tar -xf "$first" && (cd pfft3d-*/ && ./configure -q && make -s dist) && cmp "$first" "$(tarball pfft3d-*/)"
}
packages() {
  make -s -C one deb || return
  if ! command -v lintian >/dev/null; then return; fi
  lintian --allow-root one/deb/*.changes >err.txt && ! grep . err.txt
}
part 'make dist' made
part 'make dist again: the same bytes' same
part 'make dist of what is in it: the same bytes' inside
part 'the Autotools have no warnings' sh -c 'cd pfft3d-*/ && autoreconf -fi -Wall,error'
if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null; then
  part 'packages of Debian and lintian' packages
else
  echo '# packages of Debian: skipped, no dpkg-buildpackage or dh (dpkg-dev, debhelper, dh-python)'
fi
campaign_end
