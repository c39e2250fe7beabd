#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# jobs/user.sh from a copy of the source: with all that is there, and without one library after the other; and the
# recipe for EasyBuild, which comes from Python's package index and needs Lmod.  Takes two minutes or more for each.
# Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$work/source" "$work/bin" && (cd "$srcdir" && tar c --exclude=./build --exclude=./.git .) | tar x -C "$work/source" || exit 99
cat >"$work/bin/pkg-config" <<'END'
#!/bin/sh
for hidden in $HIDDEN; do case " $* " in *"$hidden"*) exit 1 ;; esac; done
PATH=${PATH#*:} exec pkg-config "$@"
END
chmod +x "$work/bin/pkg-config"

# files: the installed program transforms a file that needs no library, and its report is text and CSV
files() (
  PATH=$work/here/bin:$PATH
  cd "$work" && head -c 4096 /dev/zero >zeros &&
    pfft3d transform --input zeros --raw f8:8x8x8 --output here/out.npy && test -s here/out.npy &&
    pfft3d --grid 8 --reps 1 --csv - >out.csv && cat out.csv && grep -q '^command,' out.csv
)

# without PACKAGE WORDS: what is said is these words, and the check on two ranks is right
without() {
  rm -rf "$work/here"
  (cd "$work/source" && PATH=$work/bin:$PATH env -u MPIRUN H5PCC=false HIDDEN="$1" BUILD="$work/build" sh jobs/user.sh "$work/here") >"$work/out" 2>&1
  status=$?
  tail -n 25 "$work/out"
  rm -rf "$work/build"
  files || return
  test $status = 0 && grep -q 'a constant field of 32^3: right' "$work/out" && grep -q "^  $2" "$work/out"
}
part 'with all libraries' without '' 'nothing'
part 'without jansson' without jansson 'jansson: the reports of the program are text and CSV'
part 'without HDF5' without hdf5 'parallel HDF5 of this MPI: no HDF5 and netCDF-4 files'
part 'without FFTW' without fftw3 'FFTW (single and double): its engine is left out'

# by_easybuild: the recipe installs, and its module leads to a program that transforms
# shellcheck disable=SC2046,SC1090  # words; Lmod's script
by_easybuild() (
  unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
  "${PYTHON:-python3}" -m venv "$work/eb" && "$work/eb/bin/pip" -q install easybuild && mkdir "$work/dist" && cd "$work/dist" &&
    "$srcdir/configure" -q && make -s dist || return
  . "$lmod"
  PATH=$work/eb/bin:$PATH
  # Root, who may be alone in a container, has to say so.
  eb --prefix="$work/easy" --modules-tool=Lmod --sourcepath=. --allow-use-as-root-and-accept-consequences jobs/pfft3d.eb &&
    module use "$work/easy/modules/all" && module load pfft3d && command -v pfft3d | grep "^$work/easy/" &&
    "$MPIRUN" $(sh "$srcdir/jobs/launcher.sh" options "$MPIRUN" many) -n 2 pfft3d --grid 16 --reps 1
)
lmod=/usr/share/lmod/lmod/init/sh
if test -f $lmod; then part EasyBuild by_easybuild; else echo '# EasyBuild: skipped, no Lmod (Debian: lmod)'; fi
campaign_end
