// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceRecords

/// Reads the actions that a store handles again, on the pipeline's thread.
final class ReplayReading<Codec: ActionCodec, Folder: JournalFolder>: Sendable {
    private let folder: Folder
    private let codec: Codec
    private let first: UInt64
    private let last: UInt64
    private let failure = Locked<JournalError?>(nil)

    init(_ folder: Folder, _ codec: Codec, from first: UInt64, to last: UInt64) {
        self.folder = folder
        self.codec = codec
        self.first = first
        self.last = last
    }

    /// Passes the actions in their order. Returns false if that has failed.
    func pass(to handle: (ReplayedAction) -> Void) -> Bool {
        do throws(JournalError) {
            // The recovery has parked or refused the actions of unknown kinds.
            let reader = try FolderReader(folder, codec, .skip, from: first)
            while true {
                let actions = try reader.batch(1_024)
                if actions.isEmpty { return true }
                for recorded in actions {
                    guard recorded.head.sequence <= last else { return true }
                    withUnsafePointer(to: recorded.action) { action in
                        handle(ReplayedAction(UnsafeRawPointer(action), recorded.head))
                    }
                }
            }
        } catch {
            failure.withLock { $0 = error }
            return false
        }
    }

    /// Throws what has prevented it.
    func check() throws(JournalError) {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

extension ReplayedAction {
    fileprivate init(_ action: UnsafeRawPointer, _ head: RecordHead) {
        self.init(
            action,
            sequence: head.sequence,
            cause: head.cause,
            source: head.source ?? ActionSource(file: "", function: "", line: 0, info: nil),
            time: head.time
        )
    }
}
