#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Other machines, by emulation: pfft3d is built for each by Debian's cross compiler, with a Debian's libraries
# for that machine below $SPACE ($TMPDIR or /var/tmp; 1 GB), and its programs run with qemu-user: "arm64" has
# NEON, "s390x" is big-endian.  What the kernel is told about them holds in a namespace of its own (Linux 6.7).
# SYSTEMS: these only.  SUITE (Debian 12: bookworm).  By root, with the packages' server in reach.  Answers in
# TAP; systems/table.md of the build directory has the sums.
: "${srcdir:?run by make check-long}" "${builddir:?}"
RESULTS=${RESULTS:-$builddir/reliability.csv}
. "$srcdir/tests/lib/campaign.sh"
SYSTEMS=${SYSTEMS:-arm64 s390x}
outer_build=$builddir
# make inside make: without the variables of the outer one.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TEST_LOGS MPI_CFLAGS MPI_LIBS HDF5_CFLAGS HDF5_LIBS CC
unset OMPI_MCA_osc OMPI_MCA_btl OMPI_MCA_pml OMPI_MCA_btl_vader_single_copy_mechanism HYDRA LD_PRELOAD

# Engines and exchanges; files and wisdom, which have an order of bytes.
tests='tests/unit/test_engine tests/unit/test_vectors tests/unit/test_move tests/unit/test_exchange tests/transform/test_random
  tests/files/test_files tests/files/test_swap tests/files/plain.sh tests/files/formats.sh tests/files/files_h5py.sh
  tests/unit/test_wisdom tests/unit/test_wisdom_text tests/program/releases.sh'

# settle SYSTEM: the machine as compilers and emulators call it, as the library does, and its instructions
settle() {
  case $1 in
    arm64) machine=aarch64 isa=aarch64 vectors='fmul.*v[0-9]*\.2d' ;;
    s390x) machine=s390x isa=other vectors='mdbr' ;;
    *) echo "systems.sh: SYSTEMS: $1 is none of arm64 s390x" >&2 && exit 64 ;;
  esac
  there=$outer_build/systems/$1 root=${SPACE:-${TMPDIR:-/var/tmp}}/pfft3d-$1 tools=$machine-linux-gnu
  MPIRUN=$root/usr/bin/mpirun.openmpi PFFT3D=$there/pfft3d
  export MPIRUN PFFT3D
}

# emulated COMMAND...: programs of the machine run like others, and find their libraries
# shellcheck disable=SC2016  # $1 is the inner shell's
emulated() {
  QEMU_LD_PREFIX=$root unshare --user --map-root-user --mount sh -c 'mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&
    cat "$1" >/proc/sys/fs/binfmt_misc/register && shift && exec "$@"' sh "/usr/lib/binfmt.d/qemu-$machine.conf" "$@"
}

# missing: what is, in words
missing() {
  for tool in "$tools-gcc" debootstrap unshare; do command -v "$tool" >/dev/null || echo "no $tool"; done
  test -f "/usr/lib/binfmt.d/qemu-$machine.conf" || echo 'no qemu-user-static'
  test "$(id -u)" = 0 || echo 'not root'
  emulated true 2>/dev/null || echo 'this kernel has no binfmt_misc in namespaces'
}

# libraries: packages are unpacked, none is set up; links begin at the root, which is another here
libraries() {
  test ! -e "$root/done" || return 0
  rm -rf --one-file-system "$root"
  debootstrap --foreign --arch="$1" --variant=minbase \
    --include=libopenmpi-dev,openmpi-bin,libfftw3-dev,libhdf5-openmpi-dev,libjansson-dev "${SUITE:-bookworm}" "$root" &&
    for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root" || return; done &&
    find "$root" -xtype l -lname '/*' | while read -r link; do
      ln -sfr "$root$(readlink "$link")" "$link"
    done && touch "$root/done"
}

# built: by nothing but the names of the machine and of its root, without a warning
built() {
  mkdir -p "$there/sums" && cd "$there" &&
    { test -f Makefile || "$srcdir/configure" --quiet --host="$tools" CC="$tools-gcc --sysroot=$root" \
      PKG_CONFIG_LIBDIR="$root/usr/lib/$tools/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"; } || return
  # shellcheck disable=SC2046,SC2086  # names
  for goals in all "$(echo $tests | tr ' ' '\n' | grep -v '\.sh$')"; do
    make -s -j "$(nproc 2>/dev/null || echo 2)" $goals >>make.log 2>&1 || { tail -n 20 make.log && return 1; }
  done
  ! grep 'warning: .*\[-W' make.log
}

# installed: what programs are linked with names no folder of this machine
installed() {
  make -s -C "$there" install DESTDIR="$there/installed" && ! grep -rlF "$root" "$there"/installed --include='*.pc' --include='*.cmake'
}

# suite RANKS TEST ARGUMENTS...: "" for those that the test names
suite() {
  test=$there/$2
  if test -f "$srcdir/$2"; then test=$srcdir/$2; fi
  ranks=$1 name=$(echo "$2$1" | tr / _)
  shift 2
  RANKS=$ranks TEST_TIMEOUT=3600 tap "$there/sums/$name" emulated sh "$srcdir/tests/mpirun.sh" "$test" "$@"
}

# info: the program tells the machine that it was built for
info() { emulated env OMPI_MCA_ess_singleton_isolated=1 "$PFFT3D" info | grep "^isa  *$isa\$"; }
# instructions: of vectors, where the machine has some, are in the library
instructions() { "$tools-objdump" -d "$there/.libs/libpfft3d.so" | grep -m 1 "$vectors"; }

for system in $SYSTEMS; do
  settle "$system"
  why=$(missing | tr '\n' ' ')
  if test -n "$why"; then
    number=$((number + 1))
    echo "ok $number - $system # SKIP $why"
    continue
  fi
  began=$(date +%s)
  mkdir -p "$there/sums"
  if ! libraries "$system" >"$there.log" 2>&1 || ! built >>"$there.log" 2>&1; then
    number=$((number + 1)) bad=1
    echo "not ok $number - the build for $system"
    tail -n 30 "$there.log" | sed 's/^/# /'
    continue
  fi
  builddir=$there
  identify
  mpi="emulated $system"
  part "$system: what is installed" installed
  part "$system: info" info
  part "$system: instructions" instructions
  part "$system: verify" suite '1 2' pfft3d verify --grid 12x10x8
  for test in $tests; do part "$system: $test" suite "${RANKS-}" "$test"; done
  cat "$there"/sums/* 2>/dev/null | awk -v name="$system" -v seconds=$(($(date +%s) - began)) '
    NF == 3 { right += $1; wrong += $2; skipped += $3 }
    END { printf "| %s | %d | %d | %d | %.0f |\n", name, right, wrong, skipped, seconds / 60 }' >"$there/row"
done
{
  printf '| system | passed | failed | skipped | minutes |\n|---|---:|---:|---:|---:|\n'
  cat "$outer_build"/systems/*/row
} >"$outer_build/systems/table.md" 2>/dev/null && sed 's/^/# /' "$outer_build/systems/table.md"
builddir=$outer_build
campaign_end
