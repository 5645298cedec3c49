#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Uses the library as others will: from another package, by path (Swift 6 mode, debug) and by a git tag (Swift 5 mode,
# release), without traits, and as an app that came from SwiftRex with nothing Sendable, in Swift 5 and in Swift 6 mode
# (Tests/Clients). No build may have a warning, except for the last one's own sources. The first two may not compile what only other products need: the command-line tool, the observable
# store, the effects, the gates, the logger, the instrumentation, the bridges to Combine, service-lifecycle and metrics,
# and the packages of these. The one without traits may not even resolve a package. None of them finds zlib or libzstd, which
# only the tool needs.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

fail() {
    echo "consumer-test: $1" >&2
    exit 1
}

# SwiftPM refuses a dependency by version that has unsafe flags.
if grep -n 'unsafeFlags' Package.swift; then fail "Package.swift has unsafeFlags"; fi

# The tree as it stands, uncommitted files included, as a repository with a tag.
mkdir "$temporary/millrace"
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -z |
        while IFS= read -r -d '' file; do if [[ -e $file ]]; then printf '%s\0' "$file"; fi; done |
        xargs -0 cp --no-dereference --parents -t "$temporary/millrace"
else
    tar -c --exclude='.build*' . | tar -x -C "$temporary/millrace"
fi
as_nobody=(-c user.name=test -c user.email=test@example.invalid -c commit.gpgsign=false -c core.hooksPath=/dev/null)
git -C "$temporary/millrace" init --quiet --initial-branch=main
git -C "$temporary/millrace" add --all
git -C "$temporary/millrace" "${as_nobody[@]}" commit --quiet -m "the tree under test"
git -C "$temporary/millrace" "${as_nobody[@]}" tag 1.0.0

# consumer NAME TOOLS DEPENDENCY [PRODUCT…] : a package with one program of twenty lines that uses the products, by
# default Millrace.
consumer() {
    local product products='' imports=''
    for product in "${@:4}"; do
        products+=".product(name: \"$product\", package: \"millrace\"), "
        imports+="import $product"$'\n'
    done
    : "${products:=.product(name: \"Millrace\", package: \"millrace\")}" "${imports:=import Millrace$'\n'}"
    mkdir -p "$temporary/$1/Sources/consumer"
    cat >"$temporary/$1/Package.swift" <<MANIFEST
// swift-tools-version: $2
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.macOS("15.0")],
    dependencies: [$3],
    targets: [
        .executableTarget(name: "consumer", dependencies: [$products])
    ]
)
MANIFEST
    printf '%s' "$imports" >"$temporary/$1/Sources/consumer/main.swift"
    cat >>"$temporary/$1/Sources/consumer/main.swift" <<'PROGRAM'

enum AccountAction: Sendable {
    case deposit(Int)
    case withdraw(Int)
}

struct Account: Sendable {
    var balance = 0
    var moves = 0
}

let reducer = Reducer<AccountAction, Account>.reduce { action, account in
    account.moves += 1
    switch action {
    case .deposit(let amount): account.balance += amount
    case .withdraw(let amount): account.balance -= amount
    }
}

let store = ReduxStoreBase(initialState: Account(), reducer: reducer)
for amount in 1...1000 { store.dispatch(.deposit(amount)) }
store.dispatch(.withdraw(500))
await store.drain()
print("balance", store.state.balance, "after", store.state.moves, "moves")
PROGRAM
}

# quiet NAME LOG [PATTERN] : the log of a build has no warning, and no note about our headers. With PATTERN, warnings in
# lines that match it are the client's own.
quiet() {
    local found
    found=$(grep -E 'warning:|note: built-in type' <<<"$2" | grep -v -E "${3:-^$}" || true)
    if [[ -n $found ]]; then fail "$1: the build says: $found"; fi
}
# A machine without zlib's and libzstd's development packages, as far as pkg-config says.
mkdir "$temporary/pkgconfig"
IFS=: read -r -a folders <<<"$(pkg-config --variable pc_path pkg-config)"
for folder in "${folders[@]}"; do
    find "$folder" -name '*urcu*.pc' -exec ln -sf -t "$temporary/pkgconfig" {} + 2>/dev/null || true
done
export PKG_CONFIG_LIBDIR=$temporary/pkgconfig PKG_CONFIG_PATH=
pkg-config --exists liburcu-bp || fail "liburcu is not found"
if pkg-config --exists zlib || pkg-config --exists libzstd; then fail "zlib and libzstd are found"; fi

# run NAME CONFIGURATION : builds and runs it.
run() {
    local output
    output=$(swift build --disable-dependency-cache --package-path "$temporary/$1" -c "$2" 2>&1) ||
        { printf '%s\n' "$output" >&2; fail "$1: swift build failed"; }
    quiet "$1" "$output"
    if grep -Ei 'zlib|zstd' <<<"$output" >&2; then fail "$1: the build asks for what only the tool needs"; fi
    if ldd "$temporary/$1/.build/$2/consumer" | grep -E 'libzstd|libz\.' >&2; then fail "$1: links what only the tool needs"; fi
    output=$(timeout 60 "$temporary/$1/.build/$2/consumer") || fail "$1: the program ended with $?"
    [[ $output == "balance 500000 after 1001 moves" ]] || fail "$1: the program printed: $output"
}

# check NAME CONFIGURATION : builds and runs it, and looks at what was compiled.
check() {
    local began=$SECONDS module compiled
    run "$1" "$2"
    for module in ArgumentParser CDecompress MillraceCLI MillraceObservation MillraceEffects MillraceFeedback MillraceCombine MillraceGated \
        MillraceRecords CMillraceRecords MillraceTesting MillraceSubstates MillraceJournal CMillraceJournal MillraceJournalCommand \
        MillraceLogging MillraceInstrumentation MillraceService MillraceMetrics Histogram Numerics \
        OpenCombine OpenCombineDispatch COpenCombineHelpers \
        ServiceLifecycle UnixSignals AsyncAlgorithms Logging CoreMetrics Metrics; do
        compiled=$(find "$temporary/$1/.build/$2/" -path "*/$module.build/*.o" -o -name "$module.swiftmodule")
        if [[ -n $compiled ]]; then fail "$1: compiled $module, which the library does not need: $compiled"; fi
    done
    echo "consumer-test: $1 ($2): ok, $((SECONDS - began)) s"
}

consumer by-path 6.1 ".package(name: \"millrace\", path: \"$root\")"
check by-path debug
consumer by-tag 5.9 ".package(url: \"file://$temporary/millrace\", from: \"1.0.0\")"
check by-tag release

# Without traits: the products that need no package, while git may not fetch anything.
without_packages() {
    local began=$SECONDS found
    local -x GIT_ALLOW_PROTOCOL=none
    consumer no-traits 6.1 ".package(name: \"millrace\", path: \"$root\", traits: [])" \
        Millrace MillraceCore MillraceRuntime MillraceObservation MillraceEffects MillraceFeedback MillraceGated MillraceRecords \
        MillraceSubstates MillraceJournal MillraceTesting MillraceJournalTesting
    run no-traits debug
    [[ ! -e $temporary/no-traits/Package.resolved ]] ||
        fail "no-traits: there is a Package.resolved: $(<"$temporary/no-traits/Package.resolved")"
    found=$(cd "$temporary/no-traits/.build" && find checkouts repositories -mindepth 1 -maxdepth 1)
    [[ -z $found ]] || fail "no-traits: SwiftPM fetched $found"
    found=$(swift package --package-path "$temporary/no-traits" show-dependencies --format flatlist)
    [[ $found == "$(basename "$root")" || $found == millrace ]] || fail "no-traits: it depends on $found"
    # A product whose trait is off says how to switch it on.
    sed -i 's/name: "Millrace"/name: "MillraceLogging"/' "$temporary/no-traits/Package.swift"
    found=$(swift build --package-path "$temporary/no-traits" 2>&1) && fail "no-traits: MillraceLogging compiled"
    found=$(grep -m 1 '\.swift:.* error: ' <<<"$found" || true)
    [[ $found == *'error: MillraceLogging is off: add "Logging" to the traits of the dependency on millrace' ]] ||
        fail "no-traits: the first error of MillraceLogging is: $found"
    echo "consumer-test: no-traits (debug): ok, $((SECONDS - began)) s"
}
without_packages

# shaped NAME : builds an app of SwiftRex's shape without an error, runs it, and looks at what it printed. It may warn.
shaped() {
    local began=$SECONDS output
    output=$(swift build --package-path "Tests/Clients/$1" --scratch-path "$temporary/$1" 2>&1) ||
        { printf '%s\n' "$output" >&2; fail "$1: swift build failed"; }
    # The compiler shows each warning twice: with its file, and under the line of source.
    quiet "$1" "$output" '/Sources/Shop/[A-Za-z]+\.swift:|^ *\|'
    output=$(timeout 60 "$temporary/$1/debug/Shop") || fail "$1: the program ended with $?"
    [[ $output == "$(<Tests/Clients/output.txt)" ]] || fail "$1: the program printed: $output"
    echo "consumer-test: $1 (debug): ok, $((SECONDS - began)) s"
}

shaped SwiftRexShaped5
shaped SwiftRexShaped6

echo "consumer-test: ok"
