#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a release hands out: the tarball has the same bytes in another folder, with another umask and
# later; packages of Debian are built from it, and lintian has nothing to say.  Answers in TAP.
set -u
: "${srcdir:?run by make check-long}" "${builddir:?}"
work=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
. "$srcdir/tests/lib/check.sh"
tarball() { (cd "$1" && ls "$PWD"/pfft3d-*.tar.xz); }

# again FOLDER UMASK: configured anew in a folder of its own
again() (
  umask "$2"
  mkdir "$1" && cd "$1" && "$srcdir/configure" -q && make -s dist
)
# The builds here are their own: with what the outer make was told they would start this campaign again.
unset SOURCE_DATE_EPOCH MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TEST_LOGS
check 'make dist' again one 022
check 'make dist, again' again an-other 077
check 'the same bytes' cmp "$(tarball one)" "$(tarball an-other)"
check 'make dist of what is in it' sh -c 'tar -xf "$1" && cd pfft3d-* && ./configure -q && make -s dist' sh "$(tarball one)"
check 'the same bytes' cmp "$(tarball one)" "$(tarball pfft3d-*)"
if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null; then
  check 'make deb' make -s -C one deb
  if command -v lintian >/dev/null; then
    check 'lintian' sh -c 'lintian --allow-root one/deb/*.changes >err.txt && ! test -s err.txt'
  fi
else
  echo '# packages of Debian: skipped, no dpkg-buildpackage or dh (dpkg-dev, debhelper, dh-python)'
fi
echo "1..$number"
exit $bad
