#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the links of all Markdown files: a relative link names a file that exists and, after '#', one of its headings.
# The form <doc:Name> is not allowed, as it is dead on a code host; scripts/docs.sh translates links to files for docc.
#
#   scripts/links.sh [FOLDER]        (default: the project)
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# anchors FILE : the anchors of its headings, as code hosts make them.
anchors() {
    awk '/^ *(```|~~~)/ { fenced = !fenced; next }
        !fenced && /^#+ / {
            sub(/^#+ +/, "")
            gsub(/\]\([^)]*\)/, "")
            $0 = tolower($0)
            gsub(/[^a-z0-9_ -]/, "")
            gsub(/ /, "-")
            print
        }' "$1"
}

# links FILE : "line target" of each link and picture that is not in code.
links() {
    awk '/^ *(```|~~~)/ { fenced = !fenced; next }
        fenced { next }
        {
            gsub(/``[^`]*``/, "")
            gsub(/`[^`]*`/, "")
            rest = $0
            while (match(rest, /\]\([^()]*\)|<doc:[^>]*>|(src|srcset|href)="[^"]*"|^ *\[[^]]*\]: +[^ ]+/)) {
                link = substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
                sub(/^\]\(|^<|^(src|srcset|href)="|^ *\[[^]]*\]: +/, "", link)
                sub(/[ )>"].*$/, "", link)
                print FNR, link
            }
        }' "$1"
}

status=0 count=0
complain() {
    echo "links: $1" >&2
    status=1
}
while IFS= read -r -d '' file; do
    while read -r line target; do
        count=$((count + 1))
        path=${target%%#*}
        case $target in
        doc:*) complain "$file:$line: '$target' works in docc only; write [title](${target#doc:}.md)" ;;
        *://* | mailto:*) ;;
        *)
            if [[ -n $path ]]; then path=$(dirname "$file")/$path; else path=$file; fi
            if [[ ! -e $path ]]; then
                complain "$file:$line: no file '$target'"
            elif [[ $target == *'#'* ]] && ! anchors "$path" | grep -qxF -- "${target#*#}"; then
                complain "$file:$line: no heading '#${target#*#}' in ${path#./}"
            fi
            ;;
        esac
    done < <(links "$file")
done < <(find . \( -name '.build*' -o -name .git \) -prune -o -name '*.md' -print0)

if ((status == 0)); then echo "links: $count, none dead"; fi
exit "$status"
