#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Packed and missing values of netCDF-4 files, as netCDF4 reads them; results that netCDF4 can open.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"
if ! "$PYTHON" -c 'import netCDF4' 2>/dev/null; then echo '1..0 # SKIP no python3-netcdf4'; exit 0; fi
netcdf() { "$PYTHON" "$srcdir/tests/files/netcdf.py" "$@"; }
make_list() { netcdf make >list; }
check 'variables' make_list

# The DFT, or how many elements are missing.
one() {
  rm -f out.h5
  run "$1" transform -i "packed.nc:/$2" -o out.h5 -q || return 1
  if test "$3" = 0; then
    ! grep . err.txt && netcdf check "$2" out.h5
  else
    grep -q "warning: 'packed.nc:/$2' has values that are not finite: $3 of them ($3 marked as missing)" err.txt
  fi
}
while read -r variable missing; do
  count=1
  case $variable in *_gzip) count=3 ;; esac
  check "$variable on $count, $missing missing" one $count "$variable" "$missing"
done <list

filtered() {
  run 2 filter -i packed.nc:/packed -o out.nc --gaussian 1 --force -q &&
    "$PYTHON" -c 'import netCDF4; v = netCDF4.Dataset("out.nc")["packed"]; assert v.shape == (7, 6, 5) and 250 < v[:].mean() < 251'
}
check 'netCDF4 opens a filtered variable' filtered
# named RANKS LENGTHS COMMAND...: of a result, out.nc
named() {
  count=$1 lengths=$2
  shift 2
  rm -f out.nc
  # shellcheck disable=SC2086  # numbers
  run "$count" "$@" -o out.nc -q && netcdf named out.nc plain $lengths
}
check 'its dimensions are those of the input' named 3 '7 6 5' filter -i packed.nc:/plain --gaussian 1
check 'of a part' named 2 '3 6 5' filter -i 'packed.nc:/plain[:6:2]' --gaussian 1
check 'of a plane' named 2 '6 5' filter -i 'packed.nc:/plain[3]' --gaussian 1
back() {
  rm -f k.nc out.nc
  run 2 transform -i packed.nc:/plain -o k.nc -q &&
    run 3 transform -i k.nc -o out.nc --direction backward -q && netcdf names out.nc plain
}
check 'of a spectrum that came back' back

# Other readers: named dimensions, coordinates and units.
with_xarray() {
  "$PYTHON" -c 'import numpy as np, xarray
v = xarray.open_dataset("out.nc", engine="netcdf4")["plain"]
assert v.dims == ("z", "y", "x") and v.shape == (7, 6, 5), v.dims
assert np.array_equal(v["z"], 10 + 0.5 * np.arange(7)) and v["z"].units == "m"'
}
run 2 filter -i packed.nc:/plain -o out.nc --gaussian 1 -f -q
if "$PYTHON" -c 'import xarray' 2>/dev/null; then
  check 'xarray opens it' with_xarray
else
  skip 'xarray opens it' 'no python3-xarray'
fi
if command -v ncdump >/dev/null; then
  ncdump -h out.nc >header.txt 2>&1
  check 'ncdump names its dimensions' grep -q 'double plain(z, y, x)' header.txt
else
  skip 'ncdump names its dimensions' 'no ncdump'
fi

# units WANT OPTIONS...: of a filtered variable, "" for none
units() {
  want=$1
  shift
  rm -f out.nc
  run 2 filter -i packed.nc:/plain -o out.nc "$@" -q &&
    "$PYTHON" -c 'import netCDF4, sys
d = netCDF4.Dataset("out.nc")
v = [v for v in d.variables.values() if v.ndim == 3]
assert all(getattr(x, "units", "") == sys.argv[1] for x in v), [getattr(x, "units", "") for x in v]' "$want"
}
check 'units of a derivative along an axis with units' units 'K m-1' --derivative 1,0,0 --length 3.5,1,1
check 'of a second one' units 'K m-2' --derivative 2,0,0 --length 3.5,1,1
check 'none along axes without units' units '' --derivative 0,1,0 --length 3.5,1,1
check 'none where lengths are not known' units '' --derivative 1,0,0
check 'none of a gradient, whose axes differ' units '' --gradient --length 3.5,1,1
check 'those of the input of other filters' units K --gaussian 1

# refused COMMANDS: of Python for variable v; one line, status 65, nothing is written
refused() {
  "$PYTHON" -c "import h5py; f = h5py.File('bad.h5', 'w'); v = f.create_dataset('v', data=[1, 2, 3]); $1" || return 1
  run 1 transform -i bad.h5 -o no.h5 -q
  test $? = 65 && test "$(grep -c error err.txt)" = 1 && grep -q "$2 is no number" err.txt && ! test -e no.h5
}
check 'a text for scale_factor' refused 'v.attrs["scale_factor"] = "metres"' scale_factor
check 'an empty text for it' refused 'v.attrs["scale_factor"] = ""' scale_factor
check 'three factors' refused 'v.attrs["scale_factor"] = [1., 2., 3.]' scale_factor
check 'an infinite offset' refused 'v.attrs["add_offset"] = float("inf")' add_offset
check 'NaN for a factor' refused 'v.attrs["scale_factor"] = float("nan")' scale_factor
echo "1..$number"
exit $bad
