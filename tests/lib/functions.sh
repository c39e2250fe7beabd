# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What a header declares, for tests that compare something with it; they source this.

# functions FILE: the names of its functions
functions() {
  awk '{ while (match($0, /\/\*[^*]*\*+([^\/*][^*]*\*+)*\//)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH) }
    { print }' RS='\001' "$1" | grep -v '^ *#' | grep -oE '\<pfft3d_[a-z0-9_]+\(' | tr -d '(' | sort -u
}
