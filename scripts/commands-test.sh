#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the commands of the README as they stand there, on a small log. Fails if the README has a command that is neither run here
# nor known as a part of another check.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die() {
    echo "commands-test: $1" >&2
    exit 1
}

# The commands in the README's blocks, and those in its sentences.
commands() {
    awk '/^```/ { on = !on; next } on && /^make / { sub(/ +#.*/, ""); print }' README.md
    grep -oE '`make [^`]*`' README.md | tr -d '`'
}

for ((line = 0; line < 1000; line++)); do
    printf '192.0.2.%d - - [17/May/2015:10:%02d:03 +0000] "GET /%d HTTP/1.1" 200 7 "-" "Agent"\n' \
        $((line % 256)) $((line % 60)) $((line % 10))
done >"$folder/access.log"
gzip --keep "$folder/access.log"

ran=0
while read -r command; do
    case $command in
        'make test' | 'make bench' | 'make bench-plot') continue ;; # other steps of .ci/run
        'make bench-cli LOG=access.log') continue ;;                # needs GoAccess and a large log
        'make run' | 'make demo' | 'make run ARGS="access.log.gz --report log.html"' | \
            'make run ARGS="access.log --journal access.journal"') ;;
        *) die "the README has a command that is not tested: $command" ;;
    esac
    echo "== $command"
    # The files are in the folder.
    command=${command//access./$folder/access.}
    command=${command//log.html/$folder/log.html}
    eval "$command" >"$folder/output" || { tail -n 40 "$folder/output" >&2; die "it failed: $command"; }
    ran=$((ran + 1))
    case $command in
        *access.log*) grep -q '^  events  *1,000 ' "$folder/output" || die "it did not count the lines: $command" ;;
        'make run') grep -q '^  events  *4,995,019 ' "$folder/output" || die "it did not count the lines: $command" ;;
    esac
done < <(commands | sort -u)

[[ -s $folder/log.html && -s $folder/log.pipeline.html ]] || die "the page was not written"
[[ $ran -eq 4 ]] || die "$ran commands ran, not 4"
echo "The README's commands work."
