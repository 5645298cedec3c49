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
runs=0

say() { printf '\n== %s\n' "$*"; }

# counts JSON : some counts of a report, one a line.
counts() {
    sed -nE 's/^  "(lines|events|malformed|bytes|distinctHosts|distinctPaths)": ([0-9]+),$/  \1 \2/p' "$1" | column -t | sed 's/^/  /'
}

# all JSON : all counts of a report, without what depends on time and threads.
all() { sed -e '/"seconds"/d' -e '/PerSecond"/d' -e '/"engine"/,$d' "$1"; }

say "A run of $events generated lines that nobody stops:"
plain=("$millrace" run --events "$events" --json --top 1000000 --producers 2 --quiet)
# A kill -9 needs no higher level than this one, which every disk has.
level=(--durability process --snapshot-every 500000)
"${plain[@]}" >"$folder/whole.json"
counts "$folder/whole.json"

# until_killed PAUSES COMMAND... : starts the command and kills it after each pause.
until_killed() {
    local pauses=$1 process pause actions
    shift
    for pause in $pauses; do
        "$@" >"$folder/part.json" 2>"$folder/messages" &
        process=$!
        sleep "$pause"
        if kill -9 "$process" 2>/dev/null; then
            wait "$process" 2>/dev/null || true
            # The first start makes the files of the journal, which may take longer than this one lived.
            actions=$("$millrace" journal stat "$journal" 2>/dev/null | awk '/^actions/ { print $NF }' || true)
            printf '  killed after %s s%s\n' "$pause" "${actions:+; the journal has the actions 1 to $actions}"
        else
            wait "$process" || { cat "$folder/messages" >&2; exit 1; }
            echo "  it was faster than the kill"
        fi
    done
}

# to_its_end COMMAND... : runs the command, and shows what it says if it fails.
to_its_end() {
    "$@" >"$folder/survived.json" 2>"$folder/messages" || { cat "$folder/messages" >&2; exit 1; }
}

# compare WHOLE SURVIVED : the counts of two reports.
compare() {
    cmp -s <(all "$1") <(all "$2") || { say "NOT EQUAL"; exit 1; }
    echo "  equal, as are all other counts of the two reports ($(all "$1" | wc -l) lines)"
}

say "The same run with a journal, killed five times (kill -9):"
until_killed "1.0 1.4 1.2 1.6 1.3" "${plain[@]}" --journal "$journal" "${level[@]}"

say "The same command once more, to its end:"
to_its_end "${plain[@]}" --journal "$journal" "${level[@]}"
sed 's/^millrace: /  /' "$folder/messages"
counts "$folder/survived.json"
compare "$folder/whole.json" "$folder/survived.json"

say "The journal:"
"$millrace" journal verify "$journal" | sed 's/^/  /'

# The options that keep more than counts. The page must be the same, byte for byte. All keys must have room: otherwise the order
# of the two producers decides which visitors are counted.
page=$folder/page.html
for more in "--alert 0.01 --report $page" "--shards 2 --report $page"; do
    journal=$folder/journal-$((++runs))
    say "With $(echo "$more" | sed "s|$folder/||"): without a journal, then killed three times, and once more:"
    # shellcheck disable=SC2086 # several options
    command=("${plain[@]}" $more --max-keys 2000000 --disable instrumentation)
    "${command[@]}" >"$folder/whole.json" 2>/dev/null
    cp "$page" "$folder/whole.html"
    until_killed "1.0 1.5 2.0" "${command[@]}" --journal "$journal" "${level[@]}"
    to_its_end "${command[@]}" --journal "$journal" "${level[@]}"
    compare "$folder/whole.json" "$folder/survived.json"
    cmp "$page" "$folder/whole.html" || { say "NOT EQUAL"; exit 1; }
    echo "  and the pages are equal"
done
