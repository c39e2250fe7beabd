#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Arrows point down only: checks who includes whom in src/, that nobody below the program reads the
# environment, and what the shared library exports.  Rings of files: check_rings.sh.
# By hand: sh tests/unit/check_layers.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/verdict.sh"
. "$srcdir/tests/lib/functions.sh"

# includes LAYER: its #include "..." lines as "file: folder/header", headers of the same folder too
includes() {
  find "$1" -name '*.[ch]' -exec grep -H '^ *# *include *"' {} + |
    sed 's/: *# *include *"\([^"]*\)".*/: \1/' |
    sed "s|: \([^/]*\)\$|: $1/\1|" |
    sed "s#: $1/\(pfft3d[a-z0-9_]*\.h\|config\.h\|nas_checksums\.h\)\$#: \1#"
}

# layer NAME ALLOWED...: nothing but these folders, public headers and config.h
layers=
layer() {
  name=$1
  layers="$layers
$name"
  allowed=$(echo "$*" | sed 's/ /|/g')
  verdict "$name includes only: $* (and public headers)" \
    "$(includes "$name" | grep -vE ": (($allowed)/[^/]*|pfft3d[a-z0-9_]*\.h|config\.h|nas_checksums\.h)\$")"
}

layer base
layer timeline base
layer layout base
layer device base
layer kernels device base
layer local kernels device layout base
layer local/without_mpi
layer app/report/without_jansson
layer exchange layout base
layer request local exchange layout base
layer geometry request local exchange layout base
layer pipeline geometry request local device exchange layout base
layer redist geometry request local exchange layout base
layer plan redist pipeline geometry request local device exchange layout base
layer line plan redist pipeline geometry request local exchange layout base
layer planner line plan redist pipeline geometry request local exchange layout base
layer nd plan request local exchange layout base
layer hdf5 base
layer fftw3_mpi
# The rooms of the program, from the bottom up.
layer app/common
layer app/report app/report/without_jansson app/common
layer app/run device app/report app/common
layer app/check app/run app/report app/common
layer app/compare app/report app/common
layer app/explain app/run app/report app/common
layer app/files app/check app/run app/report app/common
layer app/bench app/files app/check app/run app/report app/common
layer app/cli device app/report app/common
# The applications, which know the program, but not each other.
layer apps/compress app/check app/run app/report app/common
layer apps/filter app/run app/report app/common
layer apps/kernels kernels device app/run app/report app/common
layer apps/nas app/run app/report app/common
layer apps/poisson app/run app/report app/common
layer apps/spectrum app/check app/run app/report app/common
layer apps/turbulence app/run app/report app/common
verdict 'every folder has its layer' "$(find . -name '*.[ch]' | sed 's|^\./||; s|/[^/]*$||' | sort -u | grep -vxF "$layers")"

# objects FOLDER: the objects of its sources; a build folder may hold those of sources that are gone
objects() {
  find "${builddir:?}/src/$1" -name '*.o' 2>/dev/null | while read -r object; do
    name=$(basename "$object" .o)
    folder=$(dirname "${object#"$builddir/src/"}")
    test ! -f "$folder/${name#*-}.c" || echo "$object"
  done
}

# cycles FOLDERS: source files below them that call each other in a circle, by the symbols of objects
cycles() {
  # shellcheck disable=SC2046  # object names without spaces
  nm -A $(for folder; do objects "$folder"; done) | awk '
    { file = $1; sub(/:[^:]*$/, "", file); type = $(NF - 1); symbol = $NF }
    type ~ /^[TDRB]$/ { owner[symbol] = file }
    type == "U" { used[file " " symbol] = 1 }
    END {
      for (pair in used) {
        split(pair, part, " ")
        if (part[2] in owner && owner[part[2]] != part[1]) print part[1], owner[part[2]]
      }
    }' | { tsort >/dev/null; } 2>&1
}
if objects app | grep -q . && command -v nm >/dev/null; then
  verdict 'no files of the program that call each other in a circle' "$(cycles app apps)"
else
  skip 'no files of the program that call each other in a circle' 'no objects, or no nm'
fi

verdict 'the headers of HDF5 in src/hdf5 only' \
  "$(grep -nE '^ *# *include *<(hdf5|H5[a-zA-Z]*)\.h>' -r . | grep -v '^\./hdf5/')"

below=$(find base device kernels layout local exchange plan line planner nd hdf5 -name '*.[ch]')
# shellcheck disable=SC2086  # a list of file names without spaces
verdict 'getenv only in the program, and where the user has wisdom' \
  "$(grep -nE '\b(secure_)?getenv *\(' $below /dev/null | grep -v '^planner/wisdom_user\.c:')"
verdict 'no MPI calls in layout' "$(grep -nE '\bMPI_[A-Z][a-z_]+ *\(' layout/*.[ch] /dev/null)"

# exports NAME: what a shared library exports
exports() { nm -D --defined-only "$builddir/.libs/$1.so" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}'; }
if ! command -v nm >/dev/null || ! command -v readelf >/dev/null; then
  skip 'libraries' 'no nm or no readelf (Debian: binutils)'
elif ! test -f "$builddir/.libs/libpfft3d.so"; then
  skip 'libraries' "no shared library in $builddir/.libs"
else
  verdict 'libpfft3d: exported symbols start with pfft3d_' "$(exports libpfft3d | grep -v '^pfft3d_')"
  if grep -q '^[^#]*export_flags = .*version-script' "$builddir/Makefile"; then
    verdict 'exported symbols have versions' \
      "$(nm -D --defined-only --with-symbol-versions "$builddir/.libs/libpfft3d.so" |
         awk '$2 != "A" && $3 !~ /@@PFFT3D_[0-9]/ && $3 !~ /^pfft3d_internal_.*@@PFFT3D_PRIVATE$/ {print $3}')"
  fi
  verdict 'libpfft3d: exports something' "$(exports libpfft3d | grep -q . || echo nothing)"
  verdict 'libpfft3d needs no HDF5' "$(readelf -d "$builddir/.libs/libpfft3d.so" | grep -i hdf5;
    grep -i hdf5 "$builddir/pfft3d.pc")"
  if test -f "$builddir/.libs/libpfft3d_hdf5.so"; then
    verdict 'libpfft3d_hdf5 exports what its header declares' \
      "$({ of_library pfft3d_hdf5; exports libpfft3d_hdf5; } | sort | uniq -u)"
    verdict 'libpfft3d_hdf5 needs libpfft3d' \
      "$(readelf -d "$builddir/.libs/libpfft3d_hdf5.so" | grep -q 'NEEDED.*libpfft3d\.so' || echo no;
         grep -q '^Requires: pfft3d\b' "$builddir/pfft3d_hdf5.pc" || echo 'not in pfft3d_hdf5.pc')"
    # one list of temporary files and one listener in a process
    verdict 'no state is in both libraries' \
      "$(for name in temporary progress; do
           nm "$builddir/.libs/libpfft3d_hdf5.so" | grep " [TtBbDd] pfft3d_internal_$name"
         done)"
  else
    skip 'libpfft3d_hdf5' 'a build without HDF5'
  fi
fi
echo "1..$number"
