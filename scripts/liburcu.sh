#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Links the C core and its stress driver with the liburcu of another Debian release, statically, and runs them with delays
# between the steps of the protocols.
#
#   scripts/liburcu.sh [RELEASE [SECONDS [SEED] | --rules]]      (default: trixie, which has liburcu 0.15; then as stress.sh)
#
# The library is unpacked here, not installed. Its headers are used, too: read sections are inline functions in them.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh build
release=${1:-trixie}
folder=.build-liburcu/$release
shift || true

if [[ ! -e $folder/root/usr/include/urcu ]]; then
    # apt reads lists of its own, so that the system's stay as they are.
    apt=$PWD/$folder/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
    echo "deb http://deb.debian.org/debian $release main" >"$apt/sources.list"
    options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o "Dir::Etc::sourceparts=$apt/parts"
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o Acquire::Languages=none -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$folder" && apt-get "${options[@]}" download liburcu-dev)
    dpkg-deb -x "$folder"/liburcu-dev_*.deb "$folder/root"
    # Only the static libraries, so that the linker takes them.
    find "$folder/root" -name '*.so' -delete
fi

libraries=$(dirname "$(find "$folder/root" -name liburcu-bp.a)")
# The glibc of newer releases has other names for two functions.
cat >"$folder/strtol.c" <<'C'
#include <stdlib.h>
long __isoc23_strtol(const char *text, char **end, int base);
unsigned long __isoc23_strtoul(const char *text, char **end, int base);
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
C
scripts/stress/build.sh CSources/CMillrace "$folder/stress" -O2 -DMILLRACE_INTERNAL_CHECKS -Wall -Wextra -Werror \
    -I"$folder/root/usr/include" -I"$libraries/../../include/$(basename "$libraries")" -L"$libraries" "$folder/strtol.c"
echo "liburcu $(sed -nE 's/.*liburcu-dev_(.*)_.*/\1/p' <<<"$(echo "$folder"/liburcu-dev_*.deb)") of $release"
"$folder/stress" "$@"
