#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares `millrace run` with one pass of mawk that counts the same things, and with GoAccess, on a million lines of a
# real access log (Combined Log Format), in pairs: a run of ours, a run of theirs, by turns. First it checks that the
# three count the same.
#
#   scripts/bench-cli.sh MILLRACE LOG       (or: make bench-cli LOG=path)
#
# The log is repeated to a million lines: ours by --repeat and, in a second row, as one concatenated file, as the others
# read it. Environment: PAIRS (default 7) with mawk, GOACCESS_PAIRS (default 3), LINES_WANTED (default 1000000).
set -euo pipefail

die() {
    echo "bench-cli: $1" >&2
    exit 1
}

[[ $# -eq 2 && -x $1 ]] || die "usage: scripts/bench-cli.sh MILLRACE LOG (or: make bench-cli LOG=path)"
[[ -f $2 && -s $2 ]] || die "no access log at '$2'; name one: make bench-cli LOG=path"
millrace=$1
log=$2
pairs=${PAIRS:-7}
goaccess_pairs=${GOACCESS_PAIRS:-3}
lines=$(wc -l <"$log")
repeat=$(((${LINES_WANTED:-1000000} + lines - 1) / lines))

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
big=$temporary/access.log
for ((i = 0; i < repeat; i++)); do cat "$log"; done >"$big"
total=$(wc -l <"$big")

# One pass, associative arrays, no output but the sums: what a practised user would write.
cat >"$temporary/count.awk" <<'AWK'
{ status[$9]++; paths[$7]++; hosts[$1]++; bytes += $10 }
END {
    for (key in paths) distinct_paths++
    for (key in hosts) distinct_hosts++
    printf "lines %d\nbytes %.0f\npaths %d\nhosts %d\n", NR, bytes, distinct_paths, distinct_hosts
    for (key in status) printf "status %s %d\n", key, status[key] | "sort"
}
AWK

run_repeat() { "$millrace" run --repeat "$repeat" --producers 2 --json --quiet "$log" >"$temporary/repeat.json"; }
run_file() { "$millrace" run --producers 2 --json --quiet "$big" >"$temporary/file.json"; }
run_mawk() { LC_ALL=C mawk -f "$temporary/count.awk" "$big" >"$temporary/mawk.txt"; }
run_goaccess() {
    goaccess "$big" --log-format=COMBINED --no-progress --no-global-config -o "$temporary/goaccess.json" \
        >/dev/null 2>"$temporary/goaccess.err" </dev/null ||
        { cat "$temporary/goaccess.err" >&2; die "goaccess failed"; }
}

# timed COMMAND : seconds of wall time, in $seconds.
timed() {
    local began=$EPOCHREALTIME
    "$1"
    local ended=$EPOCHREALTIME
    seconds=$(awk -v a="$began" -v b="$ended" 'BEGIN { printf "%.4f", b - a }')
}

# compare OURS THEIRS PAIRS : writes a line "ours theirs" a pair, and changes sides after each.
compare() {
    local ours theirs pair
    : >"$temporary/times"
    for ((pair = 1; pair <= $3; pair++)); do
        if [[ -t 2 ]]; then printf '\r\033[2K%s against %s: %d/%d' "$1" "$2" "$pair" "$3" >&2; fi
        if ((pair % 2)); then
            timed "$1"; ours=$seconds
            timed "$2"; theirs=$seconds
        else
            timed "$2"; theirs=$seconds
            timed "$1"; ours=$seconds
        fi
        echo "$ours $theirs" >>"$temporary/times"
    done
    if [[ -t 2 ]]; then printf '\r\033[2K' >&2; fi
}

# column EXPRESSION : min, median and max over the pairs of the last comparison.
column() {
    awk "{ print $1 }" "$temporary/times" | sort -g |
        awk '{ v[NR] = $1 } END { m = int((NR + 1) / 2); printf "%9.3f%9.3f%9.3f", v[1], NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2, v[NR] }'
}

# shellcheck disable=SC2016  # the expressions are awk's
# row NAME RIVAL WANTED : prints the last comparison; WANTED is the least speed of ours in units of the rival's.
row() {
    local speed verdict
    speed=$(column '$2 / $1')
    verdict=$(awk -v found="$(awk '{ print $2 }' <<<"$speed")" -v wanted="$3" \
        'BEGIN { printf "%s  >= %s times", (found >= wanted) ? "PASS" : "MISS", wanted }')
    printf '%-30s%s\n' "$1" "$(column '$1')"
    printf '%-30s%s   speed of ours to it:%s   %s\n' "  against $2" "$(column '$2')" "$speed" "$verdict"
}

run_repeat
run_file
run_mawk
run_goaccess

counts() { # counts JSON : as mawk prints them
    jq -r '"lines \(.events)", "bytes \(.bytes)", "paths \(.distinctPaths)", "hosts \(.distinctHosts)",
        (.status | sort_by(.key)[] | "status \(.key) \(.count)")' "$1"
}
for form in repeat file; do
    diff <(counts "$temporary/$form.json") "$temporary/mawk.txt" >"$temporary/difference" ||
        { cat "$temporary/difference" >&2; die "millrace ($form, <) and mawk (>) count differently"; }
done
theirs=$(jq -r '"\(.general.valid_requests) \(.general.bandwidth)"' "$temporary/goaccess.json")
ours=$(jq -r '"\(.events) \(.bytes)"' "$temporary/file.json")
[[ $ours == "$theirs" ]] || die "events and bytes: millrace counts $ours, GoAccess $theirs"

printf 'millrace run on %d lines, %.0f MB, 2 producers; %s, %d cores, load %s\n' "$total" "$(($(stat -c %s "$big") / 1000000))" \
    "$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)" "$(nproc)" "$(cut -d ' ' -f 1 /proc/loadavg)"
printf 'counts: equal to mawk (lines, bytes, status, paths, hosts) and GoAccess (lines, bytes)\n\n'
printf '%-30s%9s%9s%9s   seconds; %d pairs with mawk, %d with GoAccess\n' "" min median max "$pairs" "$goaccess_pairs"
compare run_repeat run_mawk "$pairs"
row "millrace --repeat $repeat" mawk 1
compare run_file run_mawk "$pairs"
row "millrace, one file" mawk 1
compare run_repeat run_goaccess "$goaccess_pairs"
row "millrace --repeat $repeat" GoAccess 16
