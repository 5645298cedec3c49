#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The reference documentation of the libraries as static HTML, by docc alone: no plugin, so no dependency for users.
#
#   scripts/docs.sh [OUTPUT]        (default: .build-docs/html)
set -euo pipefail
cd "$(dirname "$0")/.."
output=${1:-.build-docs/html}
scratch=.build-docs

# swift is often a link to a launcher elsewhere; docc lies beside the toolchain's own.
docc=$(command -v docc || true)
if [[ -z $docc ]]; then docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc; fi
[[ -x $docc ]] || { echo "docs: no 'docc' beside swift; install a complete toolchain" >&2; exit 1; }

for module in MillraceCore Millrace MillraceObservation MillraceEffects MillraceCombine MillraceService MillraceMetrics \
    MillraceInstrumentation; do
    graphs=$scratch/graphs/$module
    rm -rf "$graphs" "${output:?}/$module"
    mkdir -p "$graphs" "$output/$module"
    # The compiler writes a graph only when it compiles the module.
    rm -rf "$scratch/swift/debug/$module.build"
    swift build --scratch-path "$scratch/swift" --target "$module" \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$scratch/graphs"
    mv "$scratch/graphs/$module".symbols.json "$scratch/graphs/$module"@*.symbols.json "$graphs" 2>/dev/null || true
    catalog=()
    if [[ -d Sources/$module/$module.docc ]]; then catalog=("Sources/$module/$module.docc"); fi
    "$docc" convert "${catalog[@]}" --additional-symbol-graph-dir "$graphs" \
        --fallback-display-name "$module" --fallback-bundle-identifier "millrace.$module" \
        --output-path "$output/$module" --transform-for-static-hosting
    echo "docs: $output/$module/documentation/${module,,}/index.html"
done
