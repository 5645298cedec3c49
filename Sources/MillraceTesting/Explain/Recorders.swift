// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Finds the recorder of a store.
enum Recorders {
    private struct Entry {
        weak var recorder: CauseRecorder?
    }

    private static let all = Locked<[ObjectIdentifier: Entry]>([:])

    static func add(_ recorder: CauseRecorder, for keys: [ObjectIdentifier]) {
        all.withLock { all in
            for key in keys { all[key] = Entry(recorder: recorder) }
        }
    }

    static func remove(_ keys: [ObjectIdentifier]) {
        all.withLock { all in
            // A newer recorder of the same store stays.
            for key in keys where all[key]?.recorder == nil { all[key] = nil }
        }
    }

    static func find(_ key: ObjectIdentifier) -> CauseRecorder? {
        all.withLock { $0[key]?.recorder }
    }
}

extension ReduxStoreBase {
    /// Returns the chain of causes of an action, from the ``CauseRecorder`` of this store. Nil if the store has no
    /// recorder, or if the recorder has no record of the action.
    ///
    /// ```swift
    /// let recorder = CauseRecorder(store)
    /// …
    /// print(store.explain(12) ?? "not recorded")
    /// // 7 login, Login.swift:12
    /// // └ 9 load, Session.swift:40
    /// //   ├ 11 progress, Loader.swift:18
    /// //   └ 12 loaded, Loader.swift:25   ◀ asked for
    /// withExtendedLifetime(recorder) {}
    /// ```
    ///
    /// - Parameter number: The number of the action: 1 is the first that the store handled.
    public final func explain(_ number: UInt64) -> Explanation? {
        Recorders.find(ObjectIdentifier(probed))?.explain(number)
    }
}
