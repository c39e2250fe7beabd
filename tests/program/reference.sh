#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Help, man pages and documents say the same: options come from one table, functions from the
# headers, and no document names an option or a function that does not exist.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${builddir:?}"

: "${builddir:?run by make check}"
LC_ALL=C
export LC_ALL
man1=$builddir/doc/pfft3d.1 man3=$builddir/doc/pfft3d.3
"$PFFT3D" reference markdown >reference.md || exit 99
# "--name FORM" of every option of the reference, and its first sentence.
sed -n 's/^\(`-[a-zA-Z]`, \)*`\(--[^`]*\)`$/\2/p' reference.md >options.txt
sed -n 's/^\(--[a-z-]*\).*/\1/p' options.txt | sort >known.txt
commands=$("$PFFT3D" info | sed -n '/^commands$/,$s/^  \([a-z0-9]*\) .*/\1/p')

"$PFFT3D" reference nothing >nothing.md
check 'there is none in other formats' test $? = 64 -a ! -s nothing.md
check 'the reference has options' test "$(wc -l <known.txt)" -gt 40
check 'and each of them once' sh -c 'test "$(sort -u known.txt | wc -l)" = "$(wc -l <known.txt)"'

# help COMMAND: "--name FORM" of all options in its help
help() { "$PFFT3D" "$1" --help | sed -n 's/^  \(-[a-zA-Z],\|   \) \(--.*\)/\2/p' | sed 's/   *.*//; s/ $//'; }
# known FILE: whether each line is an option of the reference, or the beginning of one where a command
# takes less, such as NAME for NAME,...
known() {
  awk 'NR == FNR { form[$1] = $0; next }
       !($1 in form) || index(form[$1], $0) != 1 { print; bad = 1 } END { exit bad }' options.txt "$1"
}
for command in $commands; do
  help "$command" | sort >help.txt
  check "$command --help has options" test -s help.txt
  check "$command --help has options of the reference only" known help.txt
  cat help.txt >>all.txt
done
check 'each option is one of some command' \
  sh -c 'sed "s/ .*//" all.txt | sort -u | comm -13 - known.txt | { ! grep .; }'
"$PFFT3D" reference man >items.txt
if test -f "$man1"; then
  check 'the man page has the items of the table, and no others' \
    sh -c 'sed -n "/^\.Sh OPTIONS/,/^\.Sh ENVIRONMENT/p" "$1" | grep "^\.It" >a; grep "^\.It" items.txt >b
           test -s a && cmp a b' sh "$man1"
fi
# commands_of OPTION: which commands take it, by the reference
commands_of() { sed -n "/^\`--$1[ \`]/,/Commands:/s/^ *Commands: //p" reference.md; }
check 'it says which commands take an option' test "$(commands_of class)" = nas.
check 'or all but which' eval 'commands_of wisdom | grep -q "^all but .*fftw"'
check 'another format is refused' sh -c '"$1" reference html; test $? = 64' sh "$PFFT3D"

# Command lines in the documents: whatever follows `pfft3d` in a line of code.
documents=$(cd "$srcdir" && ls README.md SECURITY.md doc/*.md doc/*/*.md jobs/README.md doc/pfft3d.1.in)
(cd "$srcdir" && grep -hoE '(^|[ `"$])pfft3d( [a-z0-9]+)? .*--[a-z-]+[^|`]*' $documents /dev/null) |
  sed 's/.* pfft3d //; s/ [|;#].*//' | grep -oE -e '(^|[ (])--[a-z][a-z-]*' | tr -d ' (' | sort -u >used.txt
check 'documents name options' test "$(wc -l <used.txt)" -gt 15
check 'and only those of the table' sh -c 'comm -23 used.txt known.txt | { ! grep .; }'

# Functions: of the man page and of the documents.  A build without HDF5 has one header less.
# functions_of HEADER...
functions_of() {
  cat "$@" | grep -oE '^[a-z].*\bpfft3d_[a-z0-9_]+\(' | grep -oE 'pfft3d_[a-z0-9_]+\($' | tr -d '(' | sort -u
}
functions_of "$srcdir"/include/*.h >declared.txt
functions_of "$srcdir"/include/pfft3d_hdf5.h >hdf5.txt
check 'the headers declare functions' test "$(wc -l <declared.txt)" -gt 20
if "$PFFT3D" info | grep -q '^hdf5 *no'; then grep -vxFf hdf5.txt declared.txt; else cat declared.txt; fi >here.txt
check 'the man page has each of them, and no others' \
  sh -c 'sed -n "s/^\.Nm \([a-z0-9_]*\).*/\1/p" "$1" | sort | cmp - here.txt' sh "$man3"
# Fortran has subroutines of its own.
(cd "$srcdir" && cat $documents) | sed 's/call pfft3d_//g' | grep -oE '\bpfft3d_[a-z0-9_]+\(' | tr -d '(' | sort -u >named.txt
check 'documents name functions of the headers only' sh -c 'comm -23 named.txt declared.txt | { ! grep .; }'
if command -v mandoc >/dev/null; then
  check 'the man pages are well-formed' \
    sh -c 'for page; do test -f "$page" || continue; mandoc -W error "$page" || exit 1; done >/dev/null' sh "$man1" "$man3"
else
  skip 'the man pages are well-formed' 'no mandoc (Debian: mandoc)'
fi
echo "1..$number"
exit $bad
