#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests scripts/links.sh: what it lets pass, and that it finds each kind of dead link.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
    echo "FAIL  $1" >&2
    failures=$((failures + 1))
}

# passes NAME TEXT, finds NAME TEXT COMPLAINT : what links.sh says about a page with this text.
passes() {
    local output
    printf '%s\n' "$2" >"$folder/page.md"
    output=$(scripts/links.sh "$folder" 2>&1) || fail "$1: $output"
}
finds() {
    local output
    printf '%s\n' "$2" >"$folder/page.md"
    if output=$(scripts/links.sh "$folder" 2>&1); then fail "$1: found nothing"; fi
    [[ $output == *"page.md:1: $3"* ]] || fail "$1: $output"
}

mkdir "$folder/below"
printf '# A title\n\n## Two `words`, and more\n\n```\n# No heading\n```\n' >"$folder/below/other.md"

passes "a file" '[text](below/other.md)'
passes "a folder" '[text](below)'
passes "a heading" '[text](below/other.md#two-words-and-more)'
passes "a heading of the same page" $'[text](#here)\n\n## Here'
passes "other sites" '[a](https://example.com/x.md) [b](mailto:a@example.com)'
passes "code" $'`[a](no.md)` and ``<doc:No>``\n\n```\n[a](no.md)\n```'
finds "a missing file" 'see [text](below/no.md).' "no file 'below/no.md'"
finds "the second link of a line" '[a](below) and [b](no.md)' "no file 'no.md'"
finds "a missing heading" '[text](below/other.md#three)' "no heading '#three'"
finds "a heading in code" '[text](below/other.md#no-heading)' "no heading '#no-heading'"
finds "a missing picture" '<img alt="x" src="no.svg">' "no file 'no.svg'"
finds "a missing picture in Markdown" '![x](no.svg)' "no file 'no.svg'"
finds "a reference" '[x]: no.md' "no file 'no.md'"
finds "a link of docc" 'See <doc:Other>.' "'doc:Other' works in docc only"
finds "a link of docc with a text" 'See [it](doc:Other).' "'doc:Other' works in docc only"

if ((failures > 0)); then exit 1; fi
echo "links-test: ok"
