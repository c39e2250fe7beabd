#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whose code spoils memory first, when a program looks at a damaged file:  sh tests/fuzz/whose.sh COMMAND...
# By valgrind: the innermost functions, neither the C library's nor valgrind's, that do the first invalid
# access and that have asked for the memory there.  Prints the objects they belong to.
# 0: all of them others than the program itself; 1: the program, or memory was not spoiled; 77: no
# valgrind, or a program with a sanitizer of its own.
set -u
. "$(dirname "$0")/../lib/limited.sh"
command -v valgrind >/dev/null && ! grep -q __asan_init "$1" || exit 77
xml=$(mktemp) || exit 99
trap 'rm -f "$xml"' EXIT
trap 'exit 130' HUP INT TERM
limited 300 valgrind --quiet --xml=yes --xml-file="$xml" "$@" >/dev/null 2>&1
objects=$(awk '
  /<kind>Invalid/ { first = 1 }
  /<stack>/ { looking = first }
  looking && /<obj>/ {
    gsub(/^ *<obj>|<\/obj>.*$/, "")
    if (!/\/vgpreload|\/libc[-.]|\/libpthread/) { print; looking = 0 }
  }
  /<\/error>/ && first { exit }' "$xml")
echo "${objects:-memory is not spoiled}"
test -n "$objects" && ! echo "$objects" | grep -q "/$(basename "$1")\$"
