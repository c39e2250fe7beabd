#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pages can be read: no sentence of the first pages has more than 40 words, none of the others more than
# 48; each link and picture leads to a file, each #word to a heading of it; and the reference has an example
# of each function.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:=/usr/bin/python3}"
"$PYTHON" -c '' 2>/dev/null || { echo '1..0 # SKIP no Python' && exit 0; }
first='README.md doc/quickstart.md doc/tutorial.md'
pages=$(cd "$srcdir" && ls ./*.md doc/*.md doc/*/*.md data/*.md jobs/*.md tests/*.md tests/*/*.md)
# silent COMMAND...: it prints nothing
silent() {
  (cd "$srcdir" && "$@") >out.txt 2>err.txt && ! test -s out.txt
}
# shellcheck disable=SC2086  # lists of pages
check 'sentences of the first pages have 40 words or less' silent "$PYTHON" tests/lib/sentences.py --list 40 $first
# shellcheck disable=SC2086
check 'sentences of all pages have 48 words or less' silent "$PYTHON" tests/lib/sentences.py --list 48 $pages
# shellcheck disable=SC2086
check 'links lead to files and headings' silent "$PYTHON" tests/lib/links.py $pages
check 'each function of the library has an example' silent sh -c \
  'awk -f doc/reference.awk -v format=missing -v examples="$(echo doc/examples/calls*.c)" include/*.h'
# What is wrong is seen.
printf '# A page\n\nOne two three. Four `a b` six\n[here](#a-page) [there](#b) ![not](c.png) [gone](d.md).\n' >page.md
check 'a sentence that is too long' sh -c \
  'test "$("$PYTHON" "$srcdir/tests/lib/sentences.py" --list 7 page.md | cut -d " " -f 1-3)" = "page.md:3: 8 words:"'
check 'and links that lead nowhere' sh -c 'test "$("$PYTHON" "$srcdir/tests/lib/links.py" page.md)" = "page.md: #b
page.md: c.png
page.md: d.md"'
check 'and functions without an example' sh -c \
  'awk -f "$srcdir/doc/reference.awk" -v format=missing "$srcdir"/include/*.h | grep -qx pfft3d_plan_create'
echo "1..$number"
exit $bad
