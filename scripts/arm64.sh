#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the C core and its stress driver for arm64, with Debian's cross compiler and Debian's liburcu for arm64, and runs
# them in qemu's emulation of the processor.
#
#   scripts/arm64.sh [SECONDS [SEED]] | --rules      (the arguments of scripts/stress.sh)
#
# The emulator runs the threads on the processors of the host. On x86-64 it so shows the code that only arm64 compiles, its
# system calls and the sizes of its types, but no reordering of memory that x86-64 does not have: scripts/weakmemory.sh does
# that. A machine that is arm64 needs scripts/stress.sh only.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh arm64
folder=.build-arm64
mkdir -p "$folder"

# liburcu for arm64 is unpacked here, not installed: apt reads lists of its own, so that the system's stay as they are.
if [[ ! -e $folder/root/usr/lib/aarch64-linux-gnu/liburcu-bp.a ]]; then
    apt=$PWD/$folder/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State::lists=$apt/lists"
        -o "Dir::Cache=$apt/cache" -o Acquire::Languages=none -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$folder" && apt-get "${options[@]}" download liburcu-dev:arm64)
    dpkg-deb -x "$folder"/liburcu-dev_*_arm64.deb "$folder/root"
fi

# gcc does not know clang's annotations of nullability.
aarch64-linux-gnu-gcc -std=c11 -O2 -g -static -D_GNU_SOURCE -D_Nonnull= -D_Nullable= -D_Null_unspecified= -Wall -Wextra -Werror \
    -include scripts/stress/interleave.h -ICSources/CMillrace/include -ITests/CMillraceStress/include \
    -I"$folder/root/usr/include" -I"$folder/root/usr/include/aarch64-linux-gnu" \
    scripts/stress/main.c Tests/CMillraceStress/*.c CSources/CMillrace/src/*.c \
    -L"$folder/root/usr/lib/aarch64-linux-gnu" -lurcu-bp -lurcu-common -lpthread -o "$folder/stress"
echo "arm64: $(file -b "$folder/stress" 2>/dev/null | cut -d, -f1-2), liburcu $(ls "$folder" | sed -nE 's/^liburcu-dev_(.*)_arm64.deb$/\1/p'), $(qemu-aarch64 --version | head -n 1)"
qemu-aarch64 "$folder/stress" --rules
if [[ ${1:-} != --rules ]]; then qemu-aarch64 "$folder/stress" "${1:-2}" "${2:-1}"; fi
