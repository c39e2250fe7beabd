#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which strategy is best for which grid and number of ranks, as a picture and a table:
#   sh jobs/map.sh --out DIR --machines data/machines/dragonfly.machine
# --grids and --rank-counts are those of `pfft3d explain --map`.
exec sh "$(dirname "$0")/scaling.sh" --maps-only "$@"
