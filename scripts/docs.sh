#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds one site of static HTML: the reference of all products, their articles, and the documents in docs/. Uses docc
# alone: no plugin, so no dependency for users. Fails on a warning.
#
#   scripts/docs.sh [OPTION OF SWIFT BUILD…]
#
# Site: .build-docs/site. With DOCS_BASE=millrace it works below that path of a web server. The options select the build
# whose modules are read: with those of an earlier `swift build` or `swift test`, nothing is compiled again.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=.build-docs
site=$scratch/site

# In the order in which they are converted: an article can link to its own archive and to those before it.
modules=(MillraceCore MillraceRuntime Millrace MillraceObservation MillraceEffects MillraceFeedback MillraceGated MillraceRecords
    MillraceCombine MillraceLogging MillraceInstrumentation MillraceService MillraceMetrics MillraceTesting
    MillraceSubstates MillraceJournal MillraceJournalCommand MillraceJournalTesting MillraceCombineTesting)
documents=(access-log scaling performance invariants journal-format journal-operations order-book trust)

die() {
    echo "docs: $1" >&2
    exit 1
}

# swift is often a link to a launcher elsewhere; docc lies beside the toolchain's own.
docc=$(command -v docc || true)
if [[ -z $docc ]]; then docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc; fi
[[ -x $docc ]] || die "no 'docc' beside swift; install a complete toolchain"

for file in Sources/*/*.docc docs/*.md; do
    name=$(basename "${file%.*}")
    [[ " ${modules[*]} ${documents[*]} " == *" $name "* ]] || die "$file is not in the site: name it in $0"
done

# --- The symbols, from the modules of a build.
rm -rf "$scratch" .build/*/symbolgraph
mkdir -p "$scratch"/{catalogs,graphs,archives}
# It fails for the modules of tests that are not built. Whether it succeeded for ours, the loop sees.
swift package "$@" dump-symbol-graph --minimum-access-level public --skip-inherited-docs \
    --emit-extension-block-symbols >"$scratch/symbols.log" 2>&1 || true
written=$(sed -n 's/^Files written to //p' "$scratch/symbols.log")
for module in "${modules[@]}"; do
    [[ -s $written/$module.symbols.json ]] ||
        { grep -v '^[A-Za-z_]*$' "$scratch/symbols.log" >&2; die "SwiftPM wrote no symbol graph of $module"; }
    mkdir "$scratch/graphs/$module"
    find "$written" \( -name "$module.symbols.json" -o -name "$module@*.symbols.json" \) \
        -exec cp -t "$scratch/graphs/$module" {} +
done

# --- The articles. docc takes a link to a file for one to another site. So a link to an article gets the form that docc
# knows. Of a link to a file that is not in the site, or in a later archive, only the text stays. Pictures stay as they are.
addresses=$(
    for module in "${modules[@]}"; do
        for file in "Sources/$module/$module.docc"/*.md; do
            name=$(basename "$file" .md)
            if [[ $name == "$module" ]]; then name=''; fi
            echo "$file doc://$module/documentation/$module${name:+/$name}"
        done
    done
    for name in "${documents[@]}"; do echo "docs/$name.md doc://Documents/documentation/Documents/$name"; done
)
# translate FILE : the article with the links of docc.
translate() {
    awk -v path="$1" -v addresses="$addresses" '
        function normal(path, parts, kept, n, i, count, joined) {
            n = split(path, parts, "/")
            for (i = 1; i <= n; i++) {
                if (parts[i] == "..") count--
                else if (parts[i] != "." && parts[i] != "") kept[++count] = parts[i]
            }
            for (i = 1; i <= count; i++) joined = joined (i > 1 ? "/" : "") kept[i]
            return joined
        }
        BEGIN {
            folder = path
            sub(/[^\/]*$/, "", folder)
            n = split(addresses, lines, "\n")
            for (i = 1; i <= n; i++) {
                split(lines[i], fields, " ")
                if (index(fields[1], folder) == 1) own = 1
                else if (own) break  # the later archives
                else sub(/^doc:\/\/[^\/]*\/documentation\//, "doc:/", fields[2])  # the form for other archives
                address[fields[1]] = fields[2]
            }
        }
        /^ *```/ { fenced = !fenced }
        fenced { print; next }
        {
            rest = $0
            done = ""
            while (match(rest, /\[[^][]*\]\([^() ]*\)/)) {
                link = substr(rest, RSTART, RLENGTH)
                middle = index(link, "](")
                text = substr(link, 2, middle - 2)
                target = substr(link, middle + 2, length(link) - middle - 2)
                if (substr(rest, RSTART - 1, 1) != "!" && target !~ /^[a-z]+:/) {
                    sub(/#.*/, "", target)  # the anchors of docc are other ones
                    file = target == "" ? "" : normal(folder target)
                    link = file in address ? "[" text "](" address[file] ")" : text
                }
                done = done substr(rest, 1, RSTART - 1) link
                rest = substr(rest, RSTART + RLENGTH)
            }
            print done rest
        }' "$1"
}
for module in "${modules[@]}"; do
    mkdir "$scratch/catalogs/$module.docc"
    for file in "Sources/$module/$module.docc"/*; do
        if [[ $file == *.md ]]; then translate "$file"; else cat "$file"; fi \
            >"$scratch/catalogs/$module.docc/$(basename "$file")"
    done
done
mkdir "$scratch/catalogs/Documents.docc"
for name in "${documents[@]}"; do translate "docs/$name.md" >"$scratch/catalogs/Documents.docc/$name.md"; done
cp docs/*.svg "$scratch/catalogs/Documents.docc"
{
    printf '# Documents\n\nThe command-line tool, scaling, what was measured, what the concurrent core relies on, the format of recorded actions, and how a journal is operated.\n\n'
    printf '@Metadata {\n    @TechnologyRoot\n}\n\n## Topics\n\n'
    printf -- '- <doc:%s>\n' "${documents[@]}"
} >"$scratch/catalogs/Documents.docc/Documents.md"

# --- The archives, and the site of all of them.
archives=()
for name in "${modules[@]}" Documents; do
    options=()
    for archive in "${archives[@]}"; do options+=(--dependency "$archive"); done
    if [[ $name != Documents ]]; then options+=(--additional-symbol-graph-dir "$scratch/graphs/$name"); fi
    "$docc" convert "$scratch/catalogs/$name.docc" "${options[@]}" --output-path "$scratch/archives/$name.doccarchive" \
        --fallback-display-name "$name" --fallback-bundle-identifier "$name" --fallback-default-module-kind Product \
        --enable-experimental-external-link-support --warnings-as-errors >"$scratch/docc.log" 2>&1 ||
        { cat "$scratch/docc.log" >&2; die "docc warns about $name (its catalog is Sources/$name/$name.docc)"; }
    archives+=("$scratch/archives/$name.doccarchive")
done
"$docc" merge "${archives[@]}" --synthesized-landing-page-name Millrace --output-path "$site" >/dev/null
if [[ -n ${DOCS_BASE:-} ]]; then
    "$docc" process-archive transform-for-static-hosting "$site" --hosting-base-path "$DOCS_BASE"
fi
# docc makes no page of the folder itself.
cat >"$site/index.html" <<'HTML'
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Millrace</title><meta http-equiv="refresh" content="0; url=documentation/"></head>
<body><a href="documentation/">Millrace</a></body>
</html>
HTML

# --- What must be there.
while read -r file address; do
    page=documentation/${address#doc://*/documentation/}
    [[ -s $site/data/${page,,}.json && -s $site/${page,,}/index.html ]] || die "no page of $file"
done <<<"$addresses"
for name in "${modules[@]}" Documents; do
    grep -q "doc:[\\/]*$name[\\/]*documentation[\\/]*$name\"" "$site/data/documentation.json" ||
        die "the landing page does not list $name"
done
if grep -rlE '"url":"[^":]*\.md[#"]' "$site/data" >&2; then die "these pages link to a file that is not in the site"; fi
echo "docs: $site/index.html, $(find "$site/data" -name '*.json' | wc -l) pages; python3 -m http.server -d $site"
