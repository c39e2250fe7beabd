#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzing with libFuzzer and UBSan in bulk, and with ASan too for a hundredth of it:
#   RUNS  executions of the command line, wisdom, texts and calls of FFTW-MPI each (100000000); others get a part of them
# What was found interesting is kept in $builddir/fuzz/corpus; what is wrong in $builddir/fuzz.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
: "${RUNS:=100000000}" "${PARTS:=20}" "${FUZZ_CC:=clang-14}"
if ! command -v "$FUZZ_CC" >/dev/null; then echo "1..0 # SKIP no $FUZZ_CC"; exit 0; fi
folder=$builddir/fuzz
mkdir -p "$folder/corpus"
trap 'exit 130' HUP INT TERM
for kind in undefined undefined,address; do
  sh "$srcdir/tests/fuzz/build.sh" "$folder/$kind" $kind >"$folder/build.log" 2>&1 || {
    sed 's/^/# /' "$folder/build.log"
    echo '1..1'
    echo "not ok 1 - building with -fsanitize=$kind"
    exit 1
  }
done

# Words for libFuzzer: the options and what the program says they take, and the names of info.
words() {
  for command in $("$PFFT3D" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    echo $command
    "$PFFT3D" $command --help | sed -n 's/^  .*\(--[a-z-]*\) \([^ ]*\).*/\1\n\2/p' | tr '|,' '\n\n'
  done
  "$PFFT3D" info | tr ' ,' '\n\n'
  printf '%s\n' problem= asked= decision= nanoseconds= date= check= algo= engine= order= grid= \
    split= chunk= c2c:d: r2c:s: auto transposed natural
}
: "${PFFT3D:=$builddir/pfft3d}"
words 2>/dev/null | grep -E '^[]A-Za-z0-9=:.^*x-]{2,}$' | sort -u | sed 's/.*/"&"/' >"$folder/words"

# fuzz KIND TARGET SEED RUNS: one part; what it found stays for the next ones
fuzz() {
  kind=$1 target=$2 seed=$3 runs=$4
  shift 4
  mkdir -p "$folder/corpus/$target" "$folder/here"
  cd "$folder/here" || return 1
  LSAN_OPTIONS=detect_leaks=${LEAKS:-1} "$folder/$kind/tests/fuzz/fuzz_$target" -seed="$seed" -runs="$runs" \
    -max_len=512 -timeout=10 -rss_limit_mb=2048 -use_cmp=0 -entropic=0 -print_final_stats=1 \
    -dict="$folder/words" -artifact_prefix="$folder/$target-" \
    "$folder/corpus/$target" "$srcdir/tests/fuzz/corpus/$target" >"$folder/log" 2>&1 </dev/null
  status=$?
  tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log")
  if test $status != 0; then
    grep -vE '^#[0-9]+[^0-9]*(NEW|REDUCE|pulse)' "$folder/log" | tail -n 40
    echo "again: $folder/$kind/tests/fuzz/fuzz_$target $folder/$target-*"
  fi
  echo "tried ${tried:-1} wrong $((status != 0))"
}

# bulk TARGET RUNS: RUNS executions in parts, and a hundredth of them with ASan
bulk() {
  echo "# $1: seeds 1 to $PARTS"
  for seed in $(seq 1 "$PARTS"); do
    part "$1 undefined seed $seed runs $(($2 / PARTS))" fuzz undefined "$1" "$seed" $(($2 / PARTS))
  done
  part "$1 address runs $(($2 / 100))" fuzz undefined,address "$1" 1 $(($2 / 100))
}
bulk options "$RUNS"
bulk wisdom "$RUNS"
bulk text "$RUNS"
bulk fftw "$RUNS"
bulk layout $((RUNS / 100))
bulk arrays $((RUNS / 50))
bulk files $((RUNS / 50))
bulk timeline $((RUNS / 500))
bulk attributes $((RUNS / 5000))
campaign_end
