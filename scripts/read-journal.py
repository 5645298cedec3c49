#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a file of records, or the segments of a journal's folder, as JSON lines: the headers, each record, and how it ends.
docs/journal-format.md is the format. Exit status: 0 for what is whole or has a torn tail, 1 for damage, 2 for what is no
file of records."""

import json
import os
import re
import struct
import sys

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def pad(position):
    return position + 7 & ~7


def say(**line):
    print(json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def read_header(data, quiet=False):
    if len(data) < 72 or data[:8] != b"MRJ\r\n\x1a\n\0":
        sys.exit("no file of records")
    version, length = struct.unpack_from("<II", data, 8)
    if version != 1 or length < 72 or length % 8 or length > len(data):
        sys.exit("another version, or a header that is cut off")
    checksum = struct.unpack_from("<I", data, length - 4)[0]
    if crc32c(data[: length - 4]) != checksum:
        sys.exit("the checksum of the header is wrong")
    epoch, first, created, purpose, type_count, kind_count = struct.unpack_from("<QQqIHH", data, 32)
    types, kinds, at = [], [], 64
    for _ in range(type_count):
        version, encoding, _, name, layout, fingerprint = struct.unpack_from("<IHHIIQ", data, at)
        at += 24
        types.append({"name": data[at : at + name].decode(), "version": version, "encoding": encoding,
                      "fingerprint": f"{fingerprint:016x}"})
        at = pad(at + name + layout)
    for _ in range(kind_count):
        kind_type, role, name = struct.unpack_from("<HHI", data, at)
        kinds.append({"name": data[at + 8 : at + 8 + name].decode(), "type": kind_type, "role": role})
        at = pad(at + 8 + name)
    if not quiet:
        say(journal=data[16:32].hex(), epoch=epoch, firstSequence=first, created=created, purpose=purpose, types=types,
            kinds=kinds)
    return length, checksum, kinds, first, purpose


def read_frame(data, at, seed, predecessor, epoch, sequence, strict):
    """The header of a whole frame that follows, or why there is none."""
    if at + 64 > len(data):
        return None, f"a frame header of {len(data) - at} bytes"
    frame = struct.unpack_from("<IIQIIQQIIQII", data, at)
    if frame[0] != 0x3146524D or crc32c(data[at : at + 60], seed) != frame[11]:
        return None, "there is no frame header"
    if frame[8] != predecessor or frame[6] < epoch or frame[2] < sequence or strict and frame[2] > sequence:
        return None, "the frame is none that follows the one before it"
    if frame[1] > len(data) - at - 64:
        return None, f"the frame has {len(data) - at - 64} of {frame[1]} bytes"
    if crc32c(data[at + 64 : at + 64 + frame[1]]) != frame[7]:
        return None, "the checksum of the frame's records is wrong"
    return frame, None


def read_records(data, at, end, sequence, kinds, sources):
    while at < end:
        length, kind, flags, source, _, time = struct.unpack_from("<IHHIIq", data, at)
        start = at + 24
        line = {"offset": at, "time": time}
        if flags & 1:
            parent, root, parent_shard, root_shard = struct.unpack_from("<QQHH", data, start)
            line["cause"] = {"parent": parent, "root": root, "parentShard": parent_shard, "rootShard": root_shard}
            start += 24
        body = data[start : start + length]
        at = pad(start + length)
        if kind == 0xFFFF:
            number, file, function, info, has_info = struct.unpack_from("<QIIII", body)
            texts = body[32 : 32 + file], body[32 + file : 32 + file + function], body[32 + file + function :]
            sources.append({"line": number, "file": texts[0].decode(), "function": texts[1].decode(),
                            "info": texts[2].decode() if has_info else None})
            continue
        if source:
            line["source"] = sources[source - 1]
        if kind == 0xFFFE:
            last, actions = struct.unpack("<QQ", body)
            say(**line, hash=f"{last:016x}", actions=actions)
            continue
        if 0xFF00 <= kind <= 0xFF02:
            say(**line, **reserved(kind, body))
            continue
        line |= {"kind": kinds[kind]["name"], "bytes": body.hex()}
        if kinds[kind]["role"] == 0:
            line["sequence"] = sequence
            sequence += 1
        say(**line)
    return sequence


def reserved(kind, body):
    """What a journal says besides actions."""
    if kind == 0xFF00:
        return {"kind": "mark", "producer": body[8:].decode(), "number": struct.unpack_from("<Q", body)[0]}
    if kind == 0xFF01:
        return dict(zip(("of", "index", "reason"), struct.unpack("<QII", body)), kind="effectEnd")
    first, epoch, end, checksum, _ = struct.unpack("<QQQII", body)
    return {"kind": "link", "segment": f"segment-{first:020}-{epoch:020}.mrj" if first else None, "end": end,
            "checksum": checksum}


def print_file(data, known=None):
    """Prints a file. Its end may be known: from the link of the segment that follows."""
    at, seed, kinds, sequence, purpose = read_header(data)
    predecessor, epoch, last, sources = seed, 0, 0, []
    while at < (known["end"] if known else len(data)):
        frame, reason = read_frame(data, at, seed, predecessor, epoch, sequence, purpose == 2)
        if last and not any(data[at:]):
            break
        if frame is None:
            for place in range(at, len(data) - 63, 8):
                later = struct.unpack_from("<IIQIIQQIIQII", data, place)
                if known or (later[0] == 0x3146524D and later[5] >= sequence and later[6] >= epoch
                             and crc32c(data[place : place + 60], seed) == later[11]):
                    say(end="damaged", offset=at, reason=reason)
                    return 1
            say(end="damaged" if known else "torn" if any(data[at:]) else "open", offset=at, lastSequence=sequence - 1)
            return 1 if known else 0
        predecessor, epoch, last = frame[11], frame[6], frame[4] & 1
        sequence = read_records(data, at + 64, at + 64 + frame[1], frame[2], kinds, sources)
        at += 64 + frame[1]
    if known:
        if (at, predecessor) == (known["end"], known["checksum"]):
            return 0
        say(end="damaged", offset=at, reason="the segment that follows names another end")
        return 1
    say(end="ended" if last else "open", offset=at, lastSequence=sequence - 1)
    return 0


def read(path):
    with open(path, "rb") as file:
        return file.read()


def print_folder(path):
    """Prints the segments of a journal, which are found from the newest one backwards."""
    names = [name for name in os.listdir(path) if re.fullmatch(r"segment-\d{20}-\d{20}\.mrj", name)]
    name, known, chain = max(names, key=lambda name: (name[29:], name), default=None), None, []
    while name in names:
        data = read(os.path.join(path, name))
        chain.append((data, known))
        at = read_header(data, quiet=True)[0]
        known = reserved(0xFF02, data[at + 88 : at + 120])
        name = known["segment"]
    if name:
        say(missing=name)
    return next((1 for data, known in reversed(chain) if print_file(data, known)), 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read-journal.py FILE-OR-FOLDER")
    sys.exit(print_folder(sys.argv[1]) if os.path.isdir(sys.argv[1]) else print_file(read(sys.argv[1])))
