#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the checker. usage: build.sh CORE OUT [KEEP [CHANGED]]
#   CORE     the folder of the C core, with include/ and src/
#   OUT      the program to write
#   KEEP     a folder for what was compiled, which the next build with it uses again: the model always,
#   CHANGED  and all but this file of the core if it is a .c file of src/
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
core=$(cd "$1" && pwd)
out=$2
keep=${3:-}
changed=${4:-}
if [[ -z $keep ]]; then
    keep=$(mktemp -d)
    trap 'rm -rf "$keep"' EXIT
fi
mkdir -p "$keep/model" "$keep/core"

# The toolchain's clang, then any clang, then gcc, which does not know the annotations of nullability.
annotations=()
if command -v swift >/dev/null && [[ -x $(dirname "$(readlink -f "$(command -v swift)")")/clang++ ]]; then
    bin=$(dirname "$(readlink -f "$(command -v swift)")")
    cc=$bin/clang cxx=$bin/clang++
elif command -v clang++ >/dev/null; then
    cc=clang cxx=clang++
else
    cc=gcc cxx=g++ annotations=(-D_Nonnull= -D_Nullable=)
fi

# For copies with mistakes in them: MILLRACE_CHECKER_FLAGS=-w.
common=(-g -U_FORTIFY_SOURCE -Wall -Wextra -Werror -I"$here/include")
# As ThreadSanitizer would have it, but the model's functions are linked instead of its library; and system calls,
# memory, and the clock are the model's.
instrumented=(-std=c11 -O1 -fsanitize=thread -D_GNU_SOURCE -DMILLRACE_TINY "${annotations[@]}" -I"$core/include"
    -Dsyscall=model_syscall -Dsched_yield=model_sched_yield -Dmmap=model_mmap -Dmunmap=model_munmap
    -Dcalloc=model_calloc -Daligned_alloc=model_aligned_alloc -Dfree=model_free -DMILLRACE_CLOCK_TICKS=model_ticks
    '-DMILLRACE_INTERLEAVE()=model_interleave()'
    '-DMILLRACE_REUSE_EVENT(event,address)=model_reuse_##event(address)'
    -include "$here/include/replaced.h")

for file in "$here"/model/*.cpp "$here"/driver.cpp; do
    object=$keep/model/$(basename "$file").o
    if [[ ! -e $object ]]; then "$cxx" -std=c++17 -O2 "${common[@]}" -c "$file" -o "$object"; fi
done

# compile NAME FLAG…: a file of the core, or a scenario, which includes its headers.
compile() {
    local name=$1 object
    object=$keep/core/$(basename "$(dirname "$name")")-$(basename "$name").o
    if [[ $changed == src/*.c && $name != */$changed && -e $object ]] && ! grep -q "../$changed" "$name"; then return; fi
    "$cc" "${common[@]}" "${@:2}" ${MILLRACE_CHECKER_FLAGS:-} -c "$name" -o "$object"
}
for file in "$core"/src/{queue,window,segment,doorbell,gate,stage,snapshot,readers,ring,membarrier,read_section}.c "$here"/scenarios/*.c; do
    compile "$file" "${instrumented[@]}"
done
# The rest of the core has no part in what is checked.
for file in "$core"/src/{clock,platform,process,thread}.c; do
    compile "$file" -std=c11 -O1 -D_GNU_SOURCE "${annotations[@]}" -I"$core/include"
done
"$cxx" -no-pie "$keep"/model/*.o "$keep"/core/*.o -lpthread -o "$out" 2> >(grep -v 'ld.gold\|dwarf' >&2)
