# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the tests that look at the source share; they source it, and are in src/ then.
set -u
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
cd "$srcdir/src" || exit 99

number=0
# verdict WHAT FOUND: one line of TAP; whatever was found is a violation
verdict() {
  number=$((number + 1))
  if test -z "$2"; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    echo "$2" | sed 's/^/# /'
  fi
}
skip() {
  number=$((number + 1))
  echo "ok $number - $1 # SKIP $2"
}
