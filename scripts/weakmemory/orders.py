#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Weakens each memory order of the C core by one step, one at a time, and lets the memory-model checker look for what breaks.
# An order that can be weaker without a finding is either written weaker, or has its reason in orders.kept.
#
#   scripts/weakmemory.sh --orders [SECONDS [WORD...]]   SECONDS of processor time for each (default 180); only files or
#                                                        functions with a WORD
#   scripts/weakmemory/orders.py --check                 only whether C11 allows the orders; takes no time
#
# The exit status is 0 if each of them is found or has a reason, and each reason belongs to an order of the core.
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parents[2]
core = root / "CSources/CMillrace"
builder = root / "scripts/weakmemory/build.sh"
reasons = root / "scripts/weakmemory/orders.kept"
AT_A_TIME = 2
SEED = "1"

# The scenarios for the files of the queue. For the other files: all.
QUEUE = "queue,segments,reuse,doorbell,baton,closing,depth,depth_hint,cuts,room,window,window_baton"
FOR_QUEUE = ("millrace_queue.h", "queue.c", "segment.c", "window.c", "window.h")

# For each kind of operation: what each order becomes.
WEAKER = {
    "load": {"seq_cst": ["acquire"], "acquire": ["relaxed"]},
    "store": {"seq_cst": ["release"], "release": ["relaxed"]},
    "update": {
        "seq_cst": ["acq_rel"],
        "acq_rel": ["acquire", "release"],
        "acquire": ["relaxed"],
        "release": ["relaxed"],
    },
}


def without_comments(text):
    """The text with blanks for its comments, so that places stay the same."""
    return re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.S)


def enclosing_call(text, place):
    """The name of the call around `place`, where it begins, and the number of arguments before `place`."""
    depth = arguments = 0
    while place > 0:
        place -= 1
        if text[place] == ")":
            depth += 1
        elif text[place] == "," and depth == 0:
            arguments += 1
        elif text[place] == "(":
            if depth == 0:
                name = re.search(r"(\w+)\s*$", text[:place])
                return name[1], name.start(1), arguments
            depth -= 1
    raise ValueError("no call")


# By strength, as far as a compare_exchange needs it.
STRENGTH = {"relaxed": 0, "release": 1, "acquire": 1, "acq_rel": 2, "seq_cst": 3}


def failure_order(text, place):
    """The order on failure of a compare_exchange, from the place after its order on success."""
    return re.match(r"\s*,\s*memory_order_(\w+)", text[place:])[1]


def allows(success, failure):
    """Whether C11 (7.17.7.4) allows these orders of a compare_exchange: the failure may not be the stronger one."""
    if failure in ("release", "acq_rel"):
        return False
    return STRENGTH[failure] <= STRENGTH[success] and not (failure == "acquire" and success == "release")


def forbidden():
    """What C11 does not allow in the core, though a compiler may accept it."""
    for path in sorted([*core.glob("include/*.h"), *core.glob("src/*.[ch]")]):
        text = without_comments(path.read_text())
        for match in re.finditer(r"\bmemory_order_(\w+)", text):
            call, _, argument = enclosing_call(text, match.start())
            if "compare_exchange" in call and argument == 3 and not allows(match[1], failure_order(text, match.end())):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{line}: C11 allows no order on failure that is stronger than on success"


def kind_of(call, argument):
    if "compare_exchange" in call:
        return "update" if argument == 3 else "load"
    if "_load_" in call:
        return "load"
    return "store" if "_store_" in call else "update"


def mutants():
    """(key, path, line, place, weaker) of each order and each step; the place is its range in the text."""
    for path in sorted([*core.glob("include/*.h"), *core.glob("src/*.[ch]")]):
        text = without_comments(path.read_text())
        counts = {}
        for match in re.finditer(r"\bmemory_order_(seq_cst|acq_rel|acquire|release)\b", text):
            call, begin, argument = enclosing_call(text, match.start())
            if call.endswith("signal_fence"):
                continue  # it orders nothing between threads; the model does not see what it keeps the compiler from
            heads = re.findall(r"^[a-zA-Z][^;{}()]*?\b(\w+)\([^;{}]*\)\s*\{", text[: match.start()], flags=re.M)
            function = heads[-1] if heads else "?"
            kind = kind_of(call, argument)
            target = re.sub(r"\s+", "", text[text.index("(", begin) + 1 : match.start()]).split(",")[0].lstrip("&")
            role = {3: " on success", 4: " on failure"}.get(argument, "") if "compare" in call else ""
            name = f"{function}: {call.replace('atomic_', '').replace('_explicit', '')}({target}){role}"
            counts[name] = counts.get(name, 0) + 1
            if counts[name] > 1:
                name += f" #{counts[name]}"
            for weaker in WEAKER[kind].get(match[1], []):
                if "compare" in call and argument == 3 and weaker == "relaxed":
                    if failure_order(text, match.end()) != "relaxed":
                        continue  # C11 asks for it: see allows
                key = f"{path.name}: {name}, {match[1]} -> {weaker}"
                line = text.count("\n", 0, match.start()) + 1
                yield key, path.relative_to(core), line, (match.start(), match.end()), weaker


def look(mutant, folder, whole, seconds):
    """Builds one and runs it: (found, what the checker says)."""
    _, path, _, (start, end), weaker = mutant
    copy, kept = folder / "core", folder / "kept"
    for old in (copy, kept):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(core, copy)
    shutil.copytree(whole, kept)
    file = copy / path
    text = file.read_text()
    file.write_text(text[:start] + "memory_order_" + weaker + text[end:])
    program = folder / "checker"
    environment = {**os.environ, "MILLRACE_CHECKER_FLAGS": "-w", "MILLRACE_NO_TRACE": "1"}
    subprocess.run([builder, copy, program, kept, str(path)], check=True, env=environment)
    scenarios = [QUEUE] if path.name in FOR_QUEUE else []
    arguments = [program, str(seconds), SEED, *scenarios]
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment, timeout=10 * seconds + 300)
    found = re.search(r"^FOUND after ([\d.]+) s, execution (\d+) of scenario (\w+): (.*)", done.stdout, flags=re.M)
    if found:
        return True, f"{found[3]:11} {found[2]:>7} {found[1]:>6} s  {found[4][:60]}"
    if done.returncode != 0:
        raise RuntimeError(f"the checker ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return False, f"NOT FOUND within {seconds} s"


def main():
    wrong = list(forbidden())
    if wrong or sys.argv[1:] == ["--check"]:
        print("\n".join(wrong) if wrong else "orders: C11 allows the memory orders of the C core")
        return len(wrong) > 0
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 180
    words = sys.argv[2:]
    kept = {}
    for line in reasons.read_text().splitlines():
        if not line.startswith("#"):
            key, _, reason = line.partition(" | ")
            kept[key] = reason
    everything = list(mutants())
    chosen = [mutant for mutant in everything if not words or any(word in mutant[0] for word in words)]
    failures = reasoned = caught = 0
    with tempfile.TemporaryDirectory() as work:
        whole = Path(work) / "whole"
        subprocess.run([builder, core, Path(work) / "checker", whole], check=True)
        free = [Path(work) / str(number) for number in range(AT_A_TIME)]

        def do(mutant):
            folder = free.pop()
            folder.mkdir(exist_ok=True)
            try:
                return mutant, look(mutant, folder, whole, seconds)
            finally:
                free.append(folder)

        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            for mutant, (found, words_of_it) in pool.map(do, chosen):
                key, _, line, _, _ = mutant
                if found:
                    caught += 1
                elif key in kept:
                    reasoned += 1
                    words_of_it = f"kept: {kept[key]}"
                else:
                    failures += 1
                print(f"{key:100} {line:4}  {words_of_it}", flush=True)
    for key in kept.keys() - {mutant[0] for mutant in everything}:
        failures += 1
        print(f"orders.kept: there is no such order: {key}")
    print(f"weakmemory: {caught} of {len(chosen)} weaker orders found, {reasoned} kept with a reason, {failures} problems")
    return failures > 0


sys.exit(main())
