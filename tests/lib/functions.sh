# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What a header declares, for tests that compare something with it; they source this.
: "${srcdir:?run by make check}"

# functions FILE: the names of its functions
functions() {
  awk '{ while (match($0, /\/\*[^*]*\*+([^\/*][^*]*\*+)*\//)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH) }
    { print }' RS='\001' "$1" | grep -v '^ *#' | grep -oE '\<pfft3d_[a-z0-9_]+\(' | tr -d '(' | sort -u
}

# of_library NAME: the functions of libpfft3d, or libpfft3d_hdf5, that the headers declare
of_library() {
  case $1 in *_hdf5) kept= ;; *) kept=-v ;; esac
  for header in "$srcdir"/include/*.h; do functions "$header"; done | sort -u |
    grep $kept -E '^pfft3d_(hdf5|dataset|output)_'
}
