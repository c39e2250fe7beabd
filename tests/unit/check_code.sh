#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What may not stand in src/, because it hangs or overflows sooner or later, and how the program and
# the library are linked.  By hand: sh tests/unit/check_code.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/verdict.sh"

# All code, comments left out, as "file:line: code".
code=$(mktemp) || exit 99
trap 'rm -f "$code"' EXIT
trap 'exit 130' HUP INT TERM
# shellcheck disable=SC2046  # names without blanks
awk '
  FNR == 1 { inside = 0; file = substr(FILENAME, 3) }
  { code = $0
    while (1) {
      if (inside) {
        if (!(at = index(code, "*/"))) { code = ""; break }
        code = substr(code, at + 2); inside = 0
      } else if (at = index(code, "/*")) {
        rest = substr(code, at + 2); code = substr(code, 1, at - 1) " "
        if (end = index(rest, "*/")) code = code substr(rest, end + 2)
        else { inside = 1; break }
      } else break
    }
    if (code !~ /^[ \t]*$/) print file ":" FNR ":" code }' $(find . -name '*.[ch]' | sort) >"$code"

# uses PATTERN: the lines of code that match it
uses() {
  awk -v pattern="$1" '{ code = $0; sub(/^[^:]*:[^:]*:/, "", code) }
    code ~ "(^|[^A-Za-z0-9_])(" pattern ")"' "$code"
}

# ---- who receives what does not depend on who is first ----
# One run shows which messages meet, for all runs: nobody receives from anybody.  A look for messages
# that only makes MPI move them is no such thing: what it finds is not used.
verdict 'MPI_ANY_SOURCE only in looks whose answer is ignored' \
  "$(uses MPI_ANY_SOURCE | grep -v 'MPI_Iprobe(MPI_ANY_SOURCE, .*&ignored, MPI_STATUS_IGNORE)')"
verdict 'nothing reads what is ignored' \
  "$(uses MPI_ANY_SOURCE | cut -d: -f1 | sort -u | while read -r file; do
       grep -Hn '\<ignored\>' "$file" | grep -vE 'int ignored;|&ignored, MPI_STATUS_IGNORE'
     done)"
verdict 'no MPI_ANY_TAG' "$(uses MPI_ANY_TAG)"
verdict 'no other probes' "$(uses 'MPI_(Probe|M[Pp]robe|Improbe|Mrecv|Imrecv) *[(]')"
verdict 'no waiting for any one of several' "$(uses 'MPI_(Wait|Test)(any|some) *[(]')"
# rows.c keeps a number of messages on their way.  Its tests tell when the next ones leave; each goes
# to the one request that was posted for it, by rank and tag, whenever that is.  puts.c tells whether
# a window is open.
verdict 'MPI_Test only where it says when to go on' "$(uses 'MPI_Test(all)? *[(]' | grep -v '^exchange/\(rows\|puts\)\.c:')"

# ---- what overflows, or guesses ----
verdict 'no copies without a limit' "$(uses '(strcpy|strcat|stpcpy|sprintf|vsprintf|gets|strncat) *[(]')"
# Sizes are known here; and what asprintf loses could not be seen (tests/sanitize/lsan.supp).
verdict 'no text of unknown length' "$(uses 'v?asprintf *[(]')"
verdict 'no numbers without a verdict' "$(uses '(atoi|atol|atoll|atof) *[(]')"
verdict 'no memory on the stack whose size is not known' "$(uses 'alloca *[(]')"
verdict 'no shell, no names that others can guess' "$(uses '(system|popen|tmpnam|tempnam|mktemp|tmpfile) *[(]')"
verdict 'no hidden state of the C library' \
  "$(uses '(strtok|localtime|gmtime|asctime|ctime|rand|srand|setlocale|strerror_l|getlogin) *[(]')"
verdict 'no jumps out of functions' "$(uses '(setjmp|sigsetjmp|longjmp|siglongjmp) *[(]')"

# ---- plain English ----
# Words of the dialect (tests/lib/words.py) in comments of src/ and include/.  This number may only fall.
dialect=45
if ! "${PYTHON:=/usr/bin/python3}" -c '' 2>/dev/null; then
  skip 'plain English' 'no Python 3'
else
  found=$(cd "$srcdir" && "$PYTHON" tests/lib/words.py --dialect)
  verdict "no more than $dialect words of the dialect in comments (now ${found%% *}; lower the number when they fall)" \
    "$(test "${found%% *}" -le "$dialect" ||
       echo "$found: subject, verb, the usual technical term; the recorded number falls with these words")"
  verdict 'nouns of many names are in the glossary' "$(cd "$srcdir" && "$PYTHON" tests/lib/words.py --nouns 2>&1)"
fi

# ---- tests end when they are stopped, and not for the load of a machine ----
verdict 'limits of time in tests by limited, or scaled (tests/lib/limited.sh, launcher.py)' \
  "$(find "$srcdir/tests" '(' -name '*.sh' -o -name '*.py' ')' ! -name limited.sh -exec \
    grep -nE '^[^#]*((^|[ (])timeout |[ (]timeout=)' {} + | grep -v 'scaled[ (]')"

# ---- what a tarball has ----
# absent: files of the source that are in no list of automake's, nor in a folder of one
absent() {
  (cd "$srcdir" && { git ls-files 2>/dev/null || find src include -name '*.[ch]'; }) |
    awk -v listed="$(env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory -C "$builddir" \
      --eval='print-dist:;@printf "%s " $(patsubst $(srcdir)/%,%,$(DISTFILES))' print-dist)" '
      BEGIN { count = split(listed, list, " "); for (k = 1; k <= count; k++) has[list[k]] = 1 }
      { found = $0 ~ /^[.]/
        for (name = $0; !found && name != ""; ) {
          found = name in has
          if (!sub("/[^/]*$", "", name)) name = ""
        }
        if (!found) print }'
}
verdict 'a tarball has all files' "$(absent)"

# stale: reasons why no test sees a change of a line that is there no longer
stale() {
  grep -v '^#' "$srcdir/tests/lib/mutation.txt" | awk -F ' [|] ' '{ print $1; print $3 }' |
    while IFS= read -r file && IFS= read -r line; do
      grep -qF -- "$line" "$srcdir/$file" || echo "$file: $line"
    done
}
verdict 'reasons for mutants are those of lines that are there' "$(stale)"

# ---- how it is linked ----
libdir=$(env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory -C "$builddir" \
  --eval='print-libdir:;@echo $(libdir)' print-libdir)
# hardened NAME FILE: what readelf misses in a file
hardened() {
  dynamic=$(LC_ALL=C readelf -W -d "$2")
  program=$(LC_ALL=C readelf -W -l "$2")
  verdict "$1: addresses resolved at the start, then read-only" \
    "$(echo "$program" | grep -q GNU_RELRO || echo 'no RELRO'
       echo "$dynamic" | grep -qE 'BIND_NOW|FLAGS_1.*NOW' || echo 'no BIND_NOW')"
  verdict "$1: no executable stack" "$(echo "$program" | grep -E 'GNU_STACK.* RWE |LOAD .* RWE ')"
  # libpfft3d_hdf5 finds libpfft3d here until libtool links it again to install it, then where that is
  # installed, if the system does not search there
  verdict "$1: no folders of this build to search" \
    "$(echo "$dynamic" | grep -E 'RPATH|RUNPATH|TEXTREL' |
       if test "$1" = libpfft3d_hdf5; then
         grep -vF -e "[$builddir/.libs]" -e "[$builddir/.libs:$libdir]"
       else cat; fi)"
  symbols=$(LC_ALL=C readelf -W --dyn-syms "$2")
  case $symbols in
    *__asan_*) skip "$1: functions with checks" 'built with sanitizers, which do more' ;;
    *)
      verdict "$1: functions with checks" \
        "$(for symbol in __stack_chk_fail __snprintf_chk; do
             echo "$symbols" | grep -q " $symbol" || echo "no $symbol"
           done)"
      ;;
  esac
}
# One and the same file is the program and what libtool links: there is no shared core library.
if ! command -v readelf >/dev/null; then
  skip 'hardening' 'no readelf (Debian: binutils)'
elif grep -q '^#define PF_SIMULATE' "$builddir/config.h" 2>/dev/null; then
  skip 'hardening' 'ranks of a simulation are libraries'
else
  if test -x "$builddir/pfft3d"; then
    verdict 'program: at any address' \
      "$(LC_ALL=C readelf -h "$builddir/pfft3d" | grep -q 'Type:.*DYN' || echo 'not a PIE')"
    hardened program "$builddir/pfft3d"
  else
    skip 'program' 'none in this build'
  fi
  for name in libpfft3d libpfft3d_hdf5; do
    library=$builddir/.libs/$name.so
    if test -f "$library"; then hardened $name "$library"; else skip $name "none in $builddir/.libs"; fi
  done
fi

# ---- build files ----
cd "$srcdir" || exit 99
verdict 'lists of sources are in order' \
  "$(LC_ALL=C awk '/^\t[^ \t]+( \\)?$/ {name = $1; if (last != "" && name < last) print FILENAME ": " name " after " last
       last = $2 == "\\" ? name : ""; next} {last = ""}' src/local.mk src/apps/local.mk | LC_ALL=C sort -u)"

# ---- scripts ----
if ! command -v shellcheck >/dev/null; then
  skip 'scripts' 'no shellcheck (Debian: shellcheck)'
else
  # Warnings; its notes dislike lists of words, and programs of awk in single quotes, both meant so.
  verdict 'scripts: shellcheck warns of nothing' \
    "$(find jobs tests doc -name '*.sh' -exec shellcheck -S warning -f gcc {} + 2>&1)"
fi
echo "1..$number"
