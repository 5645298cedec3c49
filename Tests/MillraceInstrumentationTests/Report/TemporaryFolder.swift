// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for a test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func files(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// The object in a file.
    func json(_ name: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(read(name).utf8)) as? [String: Any] ?? [:]
    }
}
