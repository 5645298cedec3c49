// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// An independent count of a log: the grammar of docs/access-log.md as awk regular expressions.
///
/// Bytes that awk cannot hold are replaced first: NUL by 0x01, which the logs of the tests do not contain.
func awkCounts(_ path: String) throws -> [String: UInt64] {
    let command = "tr '\\000' '\\001' < \"$1\" | awk \"$2\""
    let result = try Tool(["-c", command, "sh", path, script], at: "/bin/sh").finish()
    try #require(result.code == 0, "\(result.errors)")
    var counts: [String: UInt64] = [:]
    for line in result.output.split(separator: Byte.newline) {
        let parts = line.split(separator: Byte.space, maxSplits: 1)
        let count = try #require(UInt64(String(decoding: parts[0], as: UTF8.self)))
        counts[KeyText(bytes: Array(parts[1])).repaired] = count
    }
    return counts
}

/// Whether there is an awk to ask.
let hasAwk = (try? Tool(["-c", "command -v awk"], at: "/bin/sh").finish().code) == 0

/// Repetition counts are spelled out: not every awk has {2}.
private let script = #"""
    BEGIN {
        split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", names, " ")
        split("31 28 31 30 31 30 31 31 30 31 30 31", lengths, " ")
        for (i = 1; i <= 12; i++) month[names[i]] = i
        d = "[0-9]"; n = 0
        front = "^[^ ]+ [^ ]+ [^ ]+ \\[" d d "/[A-Z][a-z][a-z]/" d d d d ":" d d ":" d d ":" d d " [-+]" d d d d "\\] "
        token = "[-A-Za-z0-9!#$%&'*+.^_`|~]+"
        target = "(([^ \"\\\\]|\\\\[^ ])+\\\\?|\\\\)"
        request = "\"(-|" token " " target " [A-Za-z]+/[0-9][0-9.]*)\" "
        rest = "[1-5]" d d " (-|" d "+)"
        quoted = "\"([^\"\\\\]|\\\\.)*\""
        open = "\"([^\"\\\\]|\\\\.)*\\\\?"
        line = front request rest "( " quoted " (" quoted "|" open "))?$"
    }
    {
        lines++
        text = $0
        sub(/\r$/, "", text); sub(/[ \t]+$/, "", text)
        if (length($0) > 1048576 || index(text, "\001") || text !~ line) { malformed++; next }
        # Fields: the shape is known, so simple cuts are enough.
        space = index(text, " "); host = substr(text, 1, space - 1)
        open_at = match(text, / \[[0-9][0-9]\/[A-Z][a-z][a-z]\//); stamp = substr(text, open_at + 2, 26)
        day = substr(stamp, 1, 2) + 0; m = month[substr(stamp, 4, 3)]; year = substr(stamp, 8, 4) + 0
        hour = substr(stamp, 13, 2) + 0; minute = substr(stamp, 16, 2) + 0; second = substr(stamp, 19, 2) + 0
        zh = substr(stamp, 23, 2) + 0; zm = substr(stamp, 25, 2) + 0; sign = substr(stamp, 22, 1) == "-" ? -1 : 1
        leap = (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
        longest = m == 2 && leap ? 29 : lengths[m]
        if (!m || year < 1 || day < 1 || day > longest || hour > 23 || minute > 59 || second > 60 || zh > 23 || zm > 59) {
            malformed++; next
        }
        after = substr(text, open_at + 30)
        if (substr(after, 1, 3) == "\"-\"") { method = "-"; path = "-"; after = substr(after, 5) }
        else {
            split(after, words, "[ ]"); method = substr(words[1], 2); path = words[2]
            match(after, "^\"" token " " target " [A-Za-z]+/[0-9][0-9.]*\" "); after = substr(after, RLENGTH + 1)
        }
        status = substr(after, 1, 3); size = substr(after, 5); sub(/ .*/, "", size)
        if (length(size) > 18) { malformed++; next }
        days = (year - 1) * 365 + int((year - 1) / 4) - int((year - 1) / 100) + int((year - 1) / 400) - 719162
        for (i = 1; i < m; i++) days += lengths[i]
        days += day - 1 + (m > 2 && leap)
        minutes = days * 1440 + hour * 60 + minute - sign * (zh * 60 + zm)
        events++; bytes += size; statuses[status]++; hosts[host]++; paths[path]++; methods[method]++; at[sprintf("%.0f", minutes)]++
    }
    END {
        printf "%.0f lines\n%.0f events\n%.0f malformed\n%.0f bytes\n", lines, events, malformed, bytes
        for (k in statuses) printf "%.0f status %s\n", statuses[k], k
        for (k in hosts) printf "%.0f host %s\n", hosts[k], k
        for (k in paths) printf "%.0f path %s\n", paths[k], k
        for (k in methods) printf "%.0f method %s\n", methods[k], k
        for (k in at) printf "%.0f minute %s\n", at[k], k
    }
    """#

extension Dictionary<String, UInt64> {
    /// The same counts with the minutes as awk has them: since 1970, by the system's calendar.
    var withMinutesSince1970: [String: UInt64] {
        var result: [String: UInt64] = [:]
        for (key, count) in self {
            var name = key
            if key.hasPrefix("minute ") {
                var parts = tm()
                // yyyy-mm-ddTHH:MMZ
                let numbers = key.dropFirst(7).split { !$0.isNumber }.map { Int32($0) ?? 0 }
                (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
                (parts.tm_hour, parts.tm_min) = (numbers[3], numbers[4])
                name = "minute \(timegm(&parts) / 60)"
            }
            result[name] = count
        }
        return result
    }
}
