#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows what a journal is for: a run is killed with kill -9 again and again, goes on each time, and counts in the end what
# a run counts that nobody has killed. demo.sh MILLRACE [EVENTS]
set -euo pipefail

millrace=$1
events=${2:-5000000}
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

plain=("$millrace" run --events "$events" --json --top 1000000 --producers 2 --quiet)
# A kill -9 needs no higher level than this one, which every disk has.
journaled=("${plain[@]}" --journal "$journal" --durability process --snapshot-every 500000)

say "A run of $events generated lines that nobody stops:"
"${plain[@]}" >"$folder/whole.json"
counts "$folder/whole.json"

say "The same run with a journal, killed five times (kill -9):"
for pause in 1.0 1.4 1.2 1.6 1.3; do
    "${journaled[@]}" >"$folder/part.json" 2>"$folder/messages" &
    process=$!
    sleep "$pause"
    if kill -9 "$process" 2>/dev/null; then
        wait "$process" 2>/dev/null || true
        # The first start makes the files of the journal, which may take longer than this one lived.
        actions=$("$millrace" journal stat "$journal" 2>/dev/null | awk '/^actions/ { print $NF }' || true)
        printf '  killed after %s s; the journal has the actions 1 to %s\n' "$pause" "${actions:-0}"
    else
        wait "$process"
        echo "  it was faster than the kill"
    fi
done

say "The same command once more, to its end:"
"${journaled[@]}" >"$folder/survived.json" 2>"$folder/messages"
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
