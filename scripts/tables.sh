#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the tables of all Markdown files: a cell has at most two sentences, as a longer one is hard to read. A title in bold
# does not count. What needs more words stands below the table.
#
#   scripts/tables.sh [FILE…]        (default: the project's files)
set -euo pipefail

if (($# == 0)); then
    cd "$(dirname "$0")/.."
    mapfile -t files < <(find . -name '.build*' -prune -o -name '*.md' -print | sort)
    set -- "${files[@]}"
fi
awk '/^ *(```|~~~)/ { fenced = !fenced }
    !fenced && /^\|/ {
        gsub(/`[^`]*`/, "x")
        gsub(/\*\*[^*]*\.\*\*/, "")
        count = split($0, cells, / *\| */)
        for (cell = 1; cell <= count; cell++) {
            text = cells[cell]
            if (gsub(/[.!?] +[A-Z]|[.!?] *$/, "", text) > 2) {
                printf "tables: %s:%d: more than two sentences: %.60s…\n", FILENAME, FNR, cells[cell] > "/dev/stderr"
                found = 1
            }
        }
    }
    END { if (!found) print "tables: every cell is short"; exit found }' "$@"
