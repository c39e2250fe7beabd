# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Limits of time for what campaigns start; they source it.

# limited SECONDS COMMAND...: for that long at most.  In the foreground: else it would be in a group of
# processes of its own, and go on when the campaign is stopped.
limited() { timeout --foreground --kill-after=10 "$@"; }
