#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the commands of the README and of every article, or of those that are named, each article in a folder of its own with
# small inputs. A command that takes minutes or hours is run with arguments that make it short: see `shortened`. Of a script that
# is named without arguments, it only checks that it exists. The tests have to be built before (swift build --build-tests).
#
#   scripts/commands-test.sh [ARTICLE...]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die() {
    echo "commands-test: $1" >&2
    exit 1
}

articles=(README.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md .github/*.md docs/*.md Benchmarks/README.md
    Examples/Sources/*/README.md Sources/*/*.docc/*.md)
least=60
if (($# > 0)); then articles=("$@") least=1; fi

# shortened COMMAND : what runs in its place, because it would take minutes or hours, or change the project or the machine.
shortened() {
    local command=$1
    case $command in
        'make bench') command+=' ARGS="--smoke --only loop"' ;; # a step of .ci/run runs all sections with --smoke
        'make bench ARGS='*) command=$(sed -E 's/ARGS="([^"]*)"/ARGS="\1 --smoke"/; s| > .*| >HERE/figures.json|' <<<"$command") ;;
        'make bench-check ARGS='*) command='make bench-check ARGS="--row order"' ;; # --record would change the recorded counts
        'make bench-cli'*) command="PAIRS=1 GOACCESS_PAIRS=1 LINES_WANTED=10000 make bench-cli LOG=HERE/access.log" ;;
        'make bench-journal'*) command='make bench-journal ARGS="HERE 1 files"' ;;
        'make coverage') command='make --dry-run coverage' ;; # builds and runs all tests once more
        'make format') command='make lint' ;;
        'make fuzz ARGS="--run '*) command='make fuzz ARGS="--run journal $(ls Tests/Fuzzing/Corpus/journal/* | head -n 1)"' ;;
        'make fuzz' | 'make fuzz ARGS="journal '*) command='make fuzz ARGS="journal 1"' ;;
        'sudo apt-get install '*) command="${command#sudo } --simulate" ;; # needs no root, and changes nothing
        'scripts/fuzz.sh --seeds') command+=' HERE/seeds' ;;
        'make model'* | *' make model '*) command=$(sed -E 's/make model.*/make model ARGS="--short doorbell"/; s/=trails/=HERE\/trails/' <<<"$command") ;;
        'make mutate ARGS=--status') command+=' || true' ;; # its exit code says whether all mutants were run
        'make mutate' | 'make mutate ARGS="'*) command='make mutate ARGS=--check' ;;
        'make articles') command='make --dry-run articles' ;; # it would run itself
        'make simulate') command='scripts/simulate.sh explore 100' ;;
        'make weakmemory') command='scripts/weakmemory.sh 1' ;;
        'make test ARGS='*) command=${command/%\"/ --skip-build\"} ;; # a step has built them
        'make trust' | 'make trust ARGS='*) command='TRUST_SECONDS=1 make trust ARGS=delays' ;;
        'make trust-once') command+=' ARGS=--status' ;;
        'millrace run --journal') command+=' access.journal --events 1000' ;;
    esac
    echo "$command"
}

# found ARTICLE : its commands, one a line: those of its blocks without a language, then those in its sentences.
found() {
    awk -v first='^((make|millrace|swift|ssh|mkdir|sudo) |scripts/|[.]ci/|[A-Z_]+=[^ ]+ [a-z])' '
        /^ *```/ { inside = !inside; fresh = commands = /^ *```$/; next }
        inside && fresh { fresh = 0; commands = commands && $0 ~ first }
        inside && commands && NF { sub(/  +#.*/, ""); print }' "$1"
    awk '/^ *```/ { inside = !inside; next } !inside' "$1" | tr '\n' ' ' | grep -oP '(?<!`)`(?!`)[^`]+`' | tr -d '`' |
        grep -E '^((make|millrace) [a-z]|swift (run|build|test|package) |sudo |scripts/[a-z-]+[.](sh|py)|[.]ci/run)' || true
}

# is_step COMMAND : whether it is a step of .ci/run.
is_step() {
    [[ $1 == .ci/run || $1 == '.ci/run --full' ]] || { [[ $1 =~ ^make\ [a-z-]+$ && $(shortened "$1") == "$1" ]] && grep -qE " $1( |$)" .ci/run; }
}

# known COMMAND : checks that the target, section or test that it names exists, because a shorter command may run in its place.
known() {
    local word words
    read -r -a words <<<"${1//\"/ }"
    for word in "${!words[@]}"; do
        case ${words[word]} in
            make) make --dry-run "${words[word + 1]}" >/dev/null 2>&1 || die "make knows no target ${words[word + 1]}" ;;
            --only) grep -q "^| \`${words[word + 1]}\`" Benchmarks/README.md || die "no such section: $1" ;;
            --filter) grep -rqE "(struct|class|func) ${words[word + 1]}\b|\"${words[word + 1]}\"" Tests Package.swift ||
                die "no such tests: $1" ;;
        esac
    done
}

# le NUMBER BYTES : the number, the lowest byte first.
le() {
    local byte
    for ((byte = 0; byte < $2; byte++)); do printf "\\x$(printf %02x $(($1 >> 8 * byte & 255)))"; done
}

# stored FILE : a zstd frame with one block that is not compressed, because the command zstd may be missing.
stored() {
    local size
    size=$(stat --format %s "$1")
    printf '\x28\xb5\x2f\xfd\xa0'
    le "$size" 4
    le $((size << 3 | 1)) 3
    cat "$1"
}

# inputs : small logs, a journal and a ring, with the names that the articles use, in the current folder.
inputs() {
    local line
    for ((line = 0; line < 1000; line++)); do
        printf '192.0.2.%d - - [17/May/2015:10:%02d:03 +0000] "GET /%d HTTP/1.1" 200 7 "-" "Agent"\n' \
            $((line % 256)) $((line % 60)) $((line % 10))
    done >access.log
    gzip --stdout access.log | tee access.log.gz >access.log.1.gz
    stored access.log >access.log.zst
    {
        printf '#Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes\n'
        printf '2024-05-01 10:00:%02d 192.0.2.1 GET / 200 7\n' {0..59}
    } >u_ex2405.log
    printf '{"time": "2024-05-01T10:00:%02dZ", "remote_addr": "192.0.2.1", "request_uri": "/", "status": 200}\n' {0..59} >app.json
    millrace run --events 200000 --quiet --journal orders.journal --durability process --recorder flight.ring >/dev/null
}

# run COMMAND : in the current folder, or in the project's for what belongs to it. Its files are in the current folder.
run() {
    local command here=$PWD began=$SECONDS
    command=$(shortened "$1")
    case $command in
        make* | swift* | scripts* | [A-Z]*=*)
            [[ $command == *HERE* ]] || command=${command//access./$here/access.}
            command=${command//HERE/$here}
            command=${command//log.html/$here/log.html}
            command=${command//book.folder/$here/book.folder}
            # The step 'examples' has built them, in release.
            command=${command/swift run --package-path/swift run -c release --package-path}
            # With the same PATH as before: SwiftPM looks at the whole package again when it changes.
            command="PATH='$path'; cd '$root' && $command"
            ;;
        'millrace journal' | 'millrace journal verify' | 'millrace breadcrumbs') command+=' --help' ;; # an article only names it
        'millrace journal tail '*) command+=' --no-follow' ;;                                         # it would not end
    esac
    # Placeholders of the articles.
    command=${command/ DIR/ orders.journal}
    command=${command/ FILE/ flight.ring}
    command=${command/ SEQUENCE/ 5}
    command=${command/ NAME/ statuses}
    echo "== $1"
    [[ $1 != *--without-token ]] || command="! ($command)" # it shows a defect, and exits with 1
    (eval "$command") </dev/null >"$folder/output" 2>"$folder/errors" || {
        tail -n 40 "$folder/output" "$folder/errors" >&2
        die "it ended with another code: $command"
    }
    if ! awk -v wanted="$(expected "$1")" '$0 ~ wanted { found = 1 } END { exit wanted != "" && !found }' "$folder/output"; then
        cat "$folder/output" >&2
        die "it printed something else: $command"
    fi
    ran=$((ran + 1))
    printf '   %d s\n' $((SECONDS - began))
}

# expected COMMAND : a pattern that is in its output.
expected() {
    case $1 in
        'make bench'*) echo '' ;;
        'millrace run --journal') echo '^  events ' ;;
        *' --json'*) echo '"events": 1000,' ;;
        *u_ex2405.log*) echo '^  events  *120 ' ;;
        *'access.log '*.gz*) echo '^  events  *2,000 ' ;;
        *access.log*) echo '^  events  *1,000 ' ;;
        'millrace run --events 3000000'*) echo '^  events  *2,9[0-9,]* ' ;;
        'make run' | 'millrace run'*) echo '^  events  *4,995,019 ' ;;
        *) echo '' ;;
    esac
}

mkdir "$folder/bin"
# In place of ssh: runs the command here, without the name of the server.
printf '#!/bin/sh\nshift\nexec "$@"\n' >"$folder/bin/ssh"
chmod +x "$folder/bin/ssh"
# As the Makefile does it, so that nothing is built twice: also 'swift run'.
export SWIFT_DETERMINISTIC_HASHING=1
swift build -c release --product millrace >&2
path=$PATH
PATH=$folder/bin:$root/.build/release:$PATH

ran=0
declare -A seen=()
for article in "${articles[@]}"; do
    [[ -f $article ]] || die "there is no $article"
    mapfile -t commands < <(found "$article")
    for command in "${commands[@]}"; do
        [[ -z ${seen[$command]:-} ]] || continue
        seen[$command]=1
        known "$command"
        if is_step "$command"; then
            continue
        elif [[ $command =~ ^scripts/[^\ ]*$ ]]; then
            [[ -x $command ]] || die "$article names $command, which does not exist"
        else
            # Several long commands have the same short form.
            short=$(shortened "$command")
            [[ $short == "$command" || -z ${seen[$short]:-} ]] || continue
            seen[$short]=1
            here=$folder/${article//\//-}
            [[ -d $here ]] || (mkdir "$here" && cd "$here" && inputs)
            cd "$here"
            # 'a|b DIR' stands for two commands.
            if [[ $command =~ ^(millrace.*\ )([a-z]+(\|[a-z]+)+)(\ .*)$ ]]; then
                before=${BASH_REMATCH[1]} after=${BASH_REMATCH[4]}
                for word in ${BASH_REMATCH[2]//|/ }; do run "$before$word$after"; done
            else
                run "$command"
            fi
            cd "$root"
        fi
    done
done

readme=$folder/README.md
if [[ -d $readme ]]; then
    [[ -s $readme/log.html && -s $readme/log.pipeline.html ]] || die "the page was not written"
fi
((ran >= least)) || die "only $ran commands ran"
echo "The commands work: $ran."
