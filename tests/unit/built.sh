#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The built libraries and the program as files: what they export is what the headers declare, their
# binary interface is that of the last release, they are hardened, and all say the same version.
: "${srcdir:?run by make check}" "${builddir:?}"
. "$srcdir/tests/lib/verdict.sh"
. "$srcdir/tests/lib/functions.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
# value NAME: of a variable of configure
value() { sed -n "s/^$1 = //p" "$builddir/Makefile" | head -n 1; }
if ! test -f "$builddir/.libs/libpfft3d.so"; then echo '1..0 # SKIP no shared library of ELF'; exit 0; fi
if ! command -v readelf >/dev/null; then echo '1..0 # SKIP no readelf (Debian: binutils)'; exit 0; fi
LC_ALL=C
export LC_ALL

# ---- symbols ----
library() { echo "$builddir/.libs/lib$1.so"; }
# exports LIBRARY: "name version"
exports() { nm -D --defined-only "$(library "$1")" | awk '$2 != "A" {sub(/@+/, " ", $3); print $3}' | sort; }
# differ WANTED FOUND: what is in one list only
differ() {
  echo "$1" | sort -u >"$work/wanted"
  echo "$2" | sort -u >"$work/found"
  diff "$work/wanted" "$work/found"
}
declared=$(of_library pfft3d)
private=$(sed -n 's/; *//g; s/^  global: \(pfft3d_internal_.*\)/\1/p' pfft3d.map | sed 's/pfft3d_/\npfft3d_/g' | tr -d ' ' | grep .)
# versioned: names with the version that they came with, the first one for all that the map does not name
versioned() {
  awk 'NR == FNR { if (/^PFFT3D_/) version = $1
                   for (k = 1; k <= NF; k++) if ($k ~ /^pfft3d_[a-z0-9_]+;$/) named[$k] = version
                   next }
       { print $0, $0 ";" in named ? named[$0 ";"] : "PFFT3D_0" }' pfft3d.map -
}
verdict 'libpfft3d exports what its headers declare, and three functions for libpfft3d_hdf5' \
  "$(differ "$({ echo "$declared"; echo "$private"; } | versioned)" "$(exports pfft3d)")"
if test -f "$(library pfft3d_hdf5)"; then
  verdict 'libpfft3d_hdf5 exports what its header declares' \
    "$(differ "$(of_library pfft3d_hdf5 | versioned)" "$(exports pfft3d_hdf5)")"
else
  skip 'libpfft3d_hdf5' 'no HDF5 in this build'
fi
if test -f "$(library pfft3d_fortran)"; then
  verdict 'libpfft3d_fortran exports names of the module only, all with a version' \
    "$(exports pfft3d_fortran | grep -iv '^_[_a-z]*pfft3d.* PFFT3D_0$')"
  verdict 'and some' "$(exports pfft3d_fortran | grep -q . || echo none)"
else
  skip 'libpfft3d_fortran' 'no Fortran in this build'
fi
originals=$(for name in fftw3 fftw3f fftw3_mpi fftw3f_mpi; do
  for folder in $(ld --verbose 2>/dev/null | grep -o 'SEARCH_DIR("[^"]*' | sed 's/.*"=*//'); do
    test ! -e "$folder/lib$name.so" || { echo "$folder/lib$name.so" && break; }
  done
done)
if test "$(echo "$originals" | grep -c .)" = 4; then
  # shellcheck disable=SC2086  # a list of files
  verdict "the drop-in exports nothing but names of FFTW's" \
    "$(nm -D --defined-only $originals | awk '{print $3}' | sort -u >"$work/original"
       exports pfft3d_fftw3_mpi | sort -u | comm -23 - "$work/original" | grep -v '_copy_plan$')" # FFTW after 3.3.10
else
  skip "the drop-in exports nothing but names of FFTW's" 'no FFTW-MPI in both precisions'
fi

# ---- the last release ----
# abi LIBRARY: whether programs that were linked with the last release find all they need
abi() {
  if ! test -f "$(library "$1")"; then
    skip "the interface of $1" 'not in this build'
    return
  fi
  sh "$srcdir/tests/abi/write.sh" "$builddir" "$work" "$1" >"$work/why" 2>&1
  if test -f "$srcdir/tests/abi/$1.symbols"; then
    verdict "$1 has all names of the last release" "$(comm -23 "$srcdir/tests/abi/$1.symbols" "$work/$1.symbols" 2>&1)"
  elif test -n "$abi_why"; then
    skip "the interface of $1" "$abi_why"
  else
    gzip -dc "$srcdir/tests/abi/$1.abi.gz" >"$work/last.abi" 2>>"$work/why"
    gzip -dc "$work/$1.abi.gz" >"$work/now.abi" 2>>"$work/why"
    abidiff --no-added-syms --suppressions "$srcdir/tests/abi/allowed" "$work/last.abi" "$work/now.abi" \
      >"$work/differences" 2>&1
    status=$?
    if grep -q 'incompatible format version' "$work/differences"; then
      skip "the interface of $1" 'recorded by an abidw whose format this abidiff does not compare'
    else
      verdict "the interface of $1 is that of the last release" \
        "$(cat "$work/why"
           if test $status != 0; then echo "abidiff: status $status" && cat "$work/differences"; fi)"
    fi
    sed -n "s/^<elf-symbol name='\([^']*\)' version='\([^']*\)'.*/\1 \2/p" "$work/last.abi" | sort >"$work/names"
    verdict "functions of $1 since then are in a version of their own" \
      "$(exports "$1" | grep ' PFFT3D_0$' | comm -13 "$work/names" -)"
  fi
}
abi_why=
case $(uname -m):$(value mpi_vendor) in x86_64:openmpi) ;; *) abi_why='recorded with Open MPI on x86_64' ;; esac
case " $(value CFLAGS) " in *" -g0 "*) abi_why='debugging information is off' ;; *" -g"*) ;; *) abi_why='no debugging information in this build' ;; esac
case $(value CFLAGS) in *-fsanitize*) abi_why='sanitizers' ;; esac
command -v abidw >/dev/null && command -v abidiff >/dev/null || abi_why='no abidiff (Debian: abigail-tools)'
command -v gzip >/dev/null || abi_why='no gzip'
for name in pfft3d pfft3d_hdf5 pfft3d_fortran pfft3d_fftw3_mpi; do abi $name; done

# ---- hardening ----
program=
if test -x "$builddir/pfft3d"; then program=$builddir/pfft3d; fi
files="$(find "$builddir/.libs" -name 'libpfft3d*.so') $program"
# lacking OPTION PATTERN: the files of which readelf says no line like this; !PATTERN: says one
lacking() {
  for file in $files; do
    # shellcheck disable=SC2086  # options
    readelf -W $1 "$file" >"$work/elf" 2>"$work/why" || cp /dev/null "$work/elf"
    { test -s "$work/elf" && ! test -s "$work/why" && has_line "$2"; } || basename "$file"
  done
}
has_line() { case $1 in !*) ! grep -qE "${1#!}" "$work/elf" ;; *) grep -qE "$1" "$work/elf" ;; esac; }
# flag NAME: whether configure found that the compiler takes it
flag() { value "$1" | grep -q -e "$2"; }
if flag PF_LINK_FLAGS '-z,relro' && flag PF_LINK_FLAGS '-z,now'; then
  verdict 'tables of addresses are read-only' "$(lacking -l GNU_RELRO)"
  verdict 'and filled at the start' "$(lacking -d 'FLAGS.*NOW|BIND_NOW')"
else
  skip 'tables of addresses are read-only' 'the linker cannot'
fi
verdict 'no stack is executable' "$(lacking -l 'GNU_STACK .* RW ')"
verdict 'no memory is writable and executable' "$(lacking -l '!LOAD .* RWE ')"
verdict 'no code is changed when it is loaded' "$(lacking -d '!TEXTREL')"
fortran=$(library pfft3d_fortran)
files=$(echo "$files" | tr ' ' '\n' | grep -v "$fortran" | tr '\n' ' ') # gfortran has its own flags
if flag PF_CODE_CFLAGS -fstack-protector-strong; then
  verdict 'stacks are guarded' "$(lacking --dyn-syms '__stack_chk_fail')"
else
  skip 'stacks are guarded' 'the compiler cannot'
fi
if flag PF_CODE_CFLAGS _FORTIFY_SOURCE && ! value CFLAGS | grep -q -e '-O0'; then
  verdict 'functions of the C library check sizes' "$(lacking --dyn-syms '__[a-z]*printf_chk')"
else
  skip 'functions of the C library check sizes' 'sanitizers, or no optimisation'
fi
files=$program
if test -n "$program" && flag PF_PIE_LDFLAGS -pie; then
  verdict 'the program is loaded anywhere' "$(lacking -h 'Type: +DYN')"
else
  skip 'the program is loaded anywhere' 'no program, or the compiler cannot'
fi

# ---- one version ----
version=$(value PACKAGE_VERSION)
cat >"$work/version.c" <<'END'
#include <pfft3d.h>
#include <stdio.h>
int main(void) {
  printf("%s\n%s\n%d.%d.%d\n", pfft3d_version(), PFFT3D_VERSION, PFFT3D_VERSION_MAJOR,
         PFFT3D_VERSION_MINOR, PFFT3D_VERSION_PATCH);
  return 0;
}
END
# shellcheck disable=SC2046  # options
sh "$builddir/libtool" --quiet --mode=link --tag=CC $(value CC) $(value MPI_CFLAGS) $(value CPPFLAGS) $(value CFLAGS) -no-install \
  -I"$srcdir/include" "$work/version.c" -o "$work/version" "$builddir/libpfft3d.la" $(value PF_LIBS) $(value LIBS) >"$work/err" 2>&1
verdict 'the library, PFFT3D_VERSION, its three numbers and configure have the same version' \
  "$("$work/version" 2>&1 | awk -v v="$version" '$0 != v {print} END {if (NR != 3) print NR " lines"}')"
says() { grep -qF -e "$2" "$1" || basename "$1"; }
verdict 'so have pfft3d.pc, CITATION.cff, NEWS.md, the packages of Python and Debian' \
  "$(says "$builddir/pfft3d.pc" "Version: $version"
     says "$srcdir/CITATION.cff" "version: $version"
     sed -n '/^## Next$/d; /^## /{p;q;}' "$srcdir/NEWS.md" | grep -qx "## $version" || echo NEWS.md
     says "$srcdir/src/python/pfft3d/__init__.py" "__version__ = \"$version\""
     says "$srcdir/debian/changelog" "pfft3d ($version-")"
if test -n "$program"; then
  verdict 'and the program' "$("$program" --version | grep -qF "$version" || echo no)"
fi

# Where make and libtool cannot build, a line says why.
mkdir -p "$work/a folder/jobs" && cp "$srcdir/jobs/build.sh" "$work/a folder/jobs/"
sh "$work/a folder/jobs/build.sh" >"$work/out" 2>"$work/err"
status=$?
verdict 'a folder with a space in its name is refused with words' \
  "$(test $status = 66 || echo "status $status"; grep -q 'cannot build in a folder with a space.*a folder$' "$work/err" || cat "$work/err")"
echo "1..$number"
