// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Foundation
import MillraceRuntime

/// A folder that goes when the test does.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/millrace-ring-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String = "flight.ring") -> String { path + "/" + name }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

/// What word `index` of an entry must be: a torn entry does not fit its own sequence number.
func word(_ index: Int, of sequence: UInt64) -> UInt64 {
    var z = (sequence &+ UInt64(index) << 32) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return z ^ (z >> 31)
}

extension EventRing {
    /// Appends the next entry of six such words.
    func appendNext(_ sequence: UInt64) {
        append(
            word(0, of: sequence),
            word(1, of: sequence),
            word(2, of: sequence),
            word(3, of: sequence),
            word(4, of: sequence),
            word(5, of: sequence)
        )
    }
}

extension EventRingSnapshot {
    /// The first thing that is wrong with entries of `appendNext`; nil when nothing is.
    var fault: String? {
        for (older, newer) in zip(entries, entries.dropFirst()) where newer.sequence != older.sequence + 1 {
            return "\(newer.sequence) after \(older.sequence)"
        }
        for entry in entries {
            for index in 0..<entry.count where entry[index] != word(index, of: entry.sequence) {
                return "entry \(entry.sequence) is torn: \(entry.words)"
            }
        }
        return nil
    }
}

/// Reads a file whole, and writes it.
enum Bytes {
    /// The bytes of a ring with the checksum made right.
    static func summed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var header = bytes.withUnsafeBytes { $0.loadUnaligned(as: millrace_ring_header.self) }
        header.checksum = millrace_ring_checksum(&header)
        withUnsafeBytes(of: header.checksum) {
            let place = Int(MILLRACE_RING_CHECKSUM_AT)
            bytes.replaceSubrange(place..<place + 8, with: $0)
        }
        return bytes
    }

    static func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func write(_ bytes: some Sequence<UInt8>, _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
