#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests scripts/setup.sh against stand-ins of apt-get, sudo, id, pkg-config and swift: what it says and does on machines that
# we do not have here. Installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
bin=$temporary/bin
failures=0

# stub NAME SCRIPT : a command of the make-believe machine; `tell` writes to its log, `installed` is its state.
stub() {
    printf '#!/bin/bash\ntell() { echo "$*" >>"%s/log"; }\ninstalled=%s/installed\n%s\n' \
        "$temporary" "$temporary" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# A machine with a toolchain, as root, with apt-get, without liburcu and pkg-config, with empty package lists.
fresh_machine() {
    rm -rf "$bin" "$temporary/log" "$temporary/installed"
    mkdir "$bin"
    : >"$temporary/log"
    local tool
    for tool in bash env grep mktemp rm uname cat touch chmod; do ln -s "$(command -v "$tool")" "$bin/$tool"; done
    stub swift ''
    stub id 'echo 0'
    # shellcheck disable=SC2016  # expanded when the stand-in runs
    stub apt-get 'tell "apt-get: ${!#} root=${AS_ROOT:-no}"
case "$*" in
*update) touch "$installed.lists" ;;
*install*) [[ -e $installed.lists ]] || { echo "E: Unable to locate package liburcu-dev" >&2; exit 100; }
    printf "#!/bin/bash\n[[ -e %s ]]\n" "$installed" >"${0%/*}/pkg-config"; chmod +x "${0%/*}/pkg-config"; touch "$installed" ;;
esac'
    rm -f "$temporary/installed.lists"
}

# setup : runs the script there; its output in $output, its exit code in $status.
setup() {
    status=0
    output=$(PATH=$bin bash scripts/setup.sh "$@" 2>&1 </dev/null) || status=$?
}

expect() { # expect NAME CONDITION…
    local name=$1
    shift
    if "$@"; then
        echo "ok    $name"
    else
        failures=$((failures + 1))
        printf 'FAIL  %s\n      status %s, output: %s\n      log: %s\n' "$name" "$status" "$output" "$(cat "$temporary/log")"
    fi
}
succeeded() { [[ $status -eq 0 ]]; }
said_nothing() { [[ $status -eq 0 && -z $output && ! -s $temporary/log ]]; }
one_line_with() { [[ $status -eq 1 && $output != *$'\n'* && $output == *"$1"* ]]; }
last_line_with() { [[ $status -eq 1 && ${output##*$'\n'} == *"$1"* ]]; }
logged() { grep -q -- "$1" "$temporary/log"; }
never() { ! "$@"; }

fresh_machine
setup
expect "installs on a fresh machine" succeeded
expect "updates the lists when the first install fails" logged 'apt-get: update'
: >"$temporary/log"
setup
expect "a second call prints nothing and does nothing" said_nothing

fresh_machine
touch "$temporary/installed.lists"
setup
expect "leaves the lists alone when the first install works" never logged 'apt-get: update'

fresh_machine
rm "$bin/swift"
setup
expect "no toolchain: one line" one_line_with "no 'swift' on PATH"

fresh_machine
rm "$bin/apt-get"
setup
expect "no apt-get: one line that names the packages" one_line_with "pkg-config liburcu-dev"

fresh_machine
stub id 'echo 1000'
setup
expect "no sudo: one line with the command" one_line_with "sudo apt-get install -y pkg-config liburcu-dev"
stub sudo 'exit 1'
setup
expect "sudo wants a password and nobody is there: one line with the command" one_line_with "sudo apt-get install -y"
# shellcheck disable=SC2016
stub sudo 'if [[ $1 == -n ]]; then exit 0; fi; AS_ROOT=yes exec "$@"'
setup
expect "sudo without a password: installs" succeeded
expect "sudo is used for apt-get" logged 'root=yes'

fresh_machine
stub apt-get 'echo "E: Failed to fetch http://deb.example/ Temporary failure resolving" >&2; exit 100'
setup
expect "no network: the last line has the command" last_line_with "apt-get install -y pkg-config liburcu-dev"
expect "no network: and the reason" last_line_with "Temporary failure resolving"

fresh_machine
stub apt-get 'exit 0'
setup
expect "apt-get succeeds without effect: says so" last_line_with "still missing"

setup nonsense
expect "an unknown purpose is refused" one_line_with "unknown purpose"

if ((failures > 0)); then
    echo "setup-test: $failures failed" >&2
    exit 1
fi
echo "setup-test: ok"
