#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows what a journal is for: a run is killed with kill -9 again and again, goes on each time, and counts in the end what
# a run counts that nobody has killed. demo.sh MILLRACE [EVENTS]
set -euo pipefail

millrace=$1
events=${2:-3000000}
folder=$(mktemp -d "${TMPDIR:-/tmp}/millrace-demo.XXXXXX")
trap 'rm -rf "$folder"' EXIT
journal=$folder/journal

say() { printf '\n== %s\n' "$*"; }

# counts JSON : some counts of a report, one a line.
counts() {
    sed -nE 's/^  "(lines|events|malformed|bytes|distinctHosts|distinctPaths)": ([0-9]+),$/  \1 \2/p' "$1" | column -t | sed 's/^/  /'
}

# all JSON : all counts of a report, without what depends on time and threads.
all() { sed -e '/"seconds"/d' -e '/PerSecond"/d' -e '/"engine"/,$d' "$1"; }

run() { "$millrace" run --events "$events" --json --top 1000000 --producers 2 --quiet "$@"; }
# The level must go with the disk of the temporary folder; a kill -9 needs no more than this one.
journaled() { run --journal "$journal" --durability process --snapshot-every 500000; }

say "A run of $events generated lines that nobody stops:"
run >"$folder/whole.json"
counts "$folder/whole.json"

say "The same run with a journal, killed five times (kill -9):"
for pause in 0.4 0.7 0.5 0.9 0.6; do
    journaled >"$folder/part.json" 2>"$folder/messages" &
    process=$!
    sleep "$pause"
    if kill -9 "$process" 2>/dev/null; then
        wait "$process" 2>/dev/null || true
        actions=$("$millrace" journal stat "$journal" | awk '/^actions/ { print $NF }')
        printf '  killed after %s s; the journal has the actions 1 to %s\n' "$pause" "$actions"
    else
        wait "$process"
        echo "  it was faster than the kill"
    fi
done

say "The same command once more, to its end:"
journaled >"$folder/survived.json" 2>"$folder/messages"
sed 's/^millrace: /  /' "$folder/messages"
counts "$folder/survived.json"

say "The journal:"
"$millrace" journal verify "$journal" | sed 's/^/  /'

if cmp -s <(all "$folder/whole.json") <(all "$folder/survived.json"); then
    say "Equal, as are all other counts of the two reports ($(all "$folder/whole.json" | wc -l) lines)."
else
    say "NOT EQUAL"
    exit 1
fi
