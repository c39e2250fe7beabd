#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compress: many shares of many fields on 1 2 3 4 6 ranks, and all kinds of wrong files.  Answers in
# TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
if ! test -x "${PFFT3D:?}"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
part 'compress against numpy' env LONG=1 sh "$srcdir/tests/program/compress.sh"
campaign_end
