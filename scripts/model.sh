#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Searches all states of the models of Tests/Models with spin, then those of their broken variants, which must be found.
#
#   scripts/model.sh [--short] [model]      (default: all models; --short: only the first configuration of each)
#
# Fails if a model has an error, if a search did not see all states, if a statement is never reached and its line does
# not say why ("unreached: …"), or if a variant is not found. The first lines of a model say how it is searched:
#   config: NAME FLAGS…               one search; the first one is part of --short
#   broken: NAME CONFIG what is wrong a mistake, which that configuration with -DNAME finds
# MODEL_KEEP=folder keeps the trails: look at one by 'spin -p -t -k FILE.trail model.pml' there.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in spin cc; do
    if ! command -v $tool >/dev/null; then
        echo "model: no '$tool' on PATH; install it (Debian, Ubuntu: apt-get install -y spin gcc; macOS: brew install spin)" >&2
        exit 1
    fi
done

short='' failures=0 total=0
if [[ ${1:-} == --short ]]; then
    short=yes
    shift
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# whole FILE : the model with its parts in place, as spin gets the lines of an included file wrong.
whole() {
    awk '/^#include "/ { part = folder "/" substr($2, 2, length($2) - 2); while ((getline line < part) > 0) print line; next }
        { print }' folder="$(dirname "$1")" "$1"
}

# search FILE FOLDER FLAGS… : makes the verifier in the folder and runs it; `log` is its output.
search() {
    local file=$1 folder=$2
    shift 2
    mkdir -p "$folder"
    whole "$file" >"$folder/model.pml"
    if ! (cd "$folder" && spin "$@" -a model.pml && cc -O2 -w -DSAFETY -DCOLLAPSE -DNOFAIR -DVECTORSZ=2048 -DMEMLIM=6000 \
        -o pan pan.c) >"$folder/build" 2>&1; then
        cat "$folder/build" >&2
        echo "model: $file does not build with: $*" >&2
        exit 1
    fi
    (cd "$folder" && ./pan -m1000000 -w24 >log 2>&1) || true
}

field() { sed -nE "$1" "$2/log" | tail -1; }

# trouble FOLDER : what is wrong with a finished search; empty: nothing.
trouble() {
    local log=$1/log
    if ! grep -q 'errors: 0$' "$log"; then
        grep -m 1 '^pan:1:' "$log" | sed 's/^pan:1: //' || echo "no result: $(tail -1 "$log")"
    elif grep -qE 'max search depth too small|out of memory|Search not completed|hash table too small' "$log"; then
        echo "not all states were searched"
    fi
}

# statements FOLDER : "line, statement" of all statements that the verifier has (not those inside a d_step), and a 1 if
# the search has reached it. Numbers become N, as they differ between configurations.
statements() {
    (cd "$1" && ./pan -d) >"$1/states"
    awk -v OFS='\t' '
        FNR == NR && /^unreached in/ { type = $3 == "init" ? "init" : $4 }
        FNR == NR && /^\t.*, state [0-9]+, / { match($0, /, state [0-9]+/); never[type, substr($0, RSTART + 8, RLENGTH - 8)] }
        FNR == NR { next }
        /^(proctype|init)/ { type = $1 == "init" ? "init" : $2 }
        /^\tstate/ && match($0, /model\.pml:[0-9]+ => /) {
            text = substr($0, RSTART + RLENGTH)
            gsub(/[0-9]+/, "N", text)
            print substr($0, RSTART + 10, RLENGTH - 14), text, !((type, $2) in never)
        }' "$1/log" "$1/states"
}

# unreached : reads the statements of all configurations, and prints those that none of them reached.
unreached() {
    awk -F '\t' '{ found[$1 "\t" $2] += $3 } END { for (one in found) if (!found[one]) print one }' "$1" | sort -n
}

printf '%-12s %-16s %10s %7s %8s  %s\n' model configuration states depth seconds errors
models=(Tests/Models/*.pml)
if (($# > 0)); then models=("Tests/Models/$1.pml"); fi
for file in "${models[@]}"; do
    name=$(basename "$file" .pml)
    : >"$work/statements"
    searched=0
    while read -r config flags; do
        if [[ $short && $searched -gt 0 ]]; then break; fi
        searched=$((searched + 1))
        folder=$work/$name-$config
        # shellcheck disable=SC2086  # the flags are several words
        search "$file" "$folder" $flags
        wrong=$(trouble "$folder")
        printf '%-12s %-16s %10s %7s %8s  %s\n' "$name" "$config" "$(field 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$folder")" \
            "$(field 's/.*depth reached ([0-9]+),.*/\1/p' "$folder")" \
            "$(field 's/^pan: elapsed time ([0-9.]+) .*/\1/p' "$folder")" "${wrong:-0}"
        if [[ $wrong ]]; then
            failures=$((failures + 1))
            if [[ ${MODEL_KEEP:-} ]]; then
                mkdir -p "$MODEL_KEEP"
                cp -r "$folder" "$MODEL_KEEP/"
            fi
        fi
        statements "$folder" >>"$work/statements"
    done < <(sed -nE 's/^ \* config: +//p' "$file")
    if [[ ! $short ]]; then
        while IFS=$'\t' read -r line statement; do
            text=$(sed -n "${line}p" "$folder/model.pml")
            if [[ $text == *"unreached: "* ]]; then continue; fi
            echo "$name: never reached: '$statement' in: ${text#"${text%%[! ]*}"}"
            failures=$((failures + 1))
        done < <(unreached "$work/statements")
    fi
    rm -rf "$work/$name"-*
done

printf '\n%-12s %-26s %-58s %8s  %s\n' model variant "what is wrong" seconds "found by"
for file in "${models[@]}"; do
    name=$(basename "$file" .pml)
    while read -r broken config text; do
        total=$((total + 1))
        flags=$(sed -nE "s/^ \* config: +$config +//p" "$file")
        folder=$work/$name-$broken
        # shellcheck disable=SC2086
        search "$file" "$folder" $flags "-D$broken"
        found=$(trouble "$folder")
        if [[ ! $found || $found == "no result"* || $found == "not all"* ]]; then
            found="NOT FOUND ${found:-}"
            failures=$((failures + 1))
        fi
        printf '%-12s %-26s %-58.58s %8s  %.70s\n' "$name" "$broken" "$text" \
            "$(field 's/^pan: elapsed time ([0-9.e-]+) .*/\1/p' "$folder")" "$found"
        if [[ ${MODEL_KEEP:-} ]]; then
            mkdir -p "$MODEL_KEEP"
            cp -r "$folder" "$MODEL_KEEP/"
        fi
        rm -rf "$folder"
    done < <(sed -nE 's/^ \* broken: +//p' "$file")
done
echo
if ((failures > 0)); then
    echo "model: $failures failures, see above"
    exit 1
fi
echo "model: no errors in ${#models[@]} models; all $total broken variants were found"
