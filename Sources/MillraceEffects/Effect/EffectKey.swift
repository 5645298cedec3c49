// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Identifies one beginning of an effect in a journal. It is the same when the effect begins again after a crash.
///
/// A store that was made with `effects: .restart` begins effects again that had not ended. So a body may run twice, and
/// give its answers twice. Pass the key to what the body calls, so that the other side recognises the second call:
///
/// ```swift
/// .task { context in
///     let key = EffectKey.current.map(String.init(describing:)) ?? ""
///     return .charged(await context.dependencies.charge(order, idempotencyKey: key))
/// }
/// ```
///
/// All parts of an effect (`merge`, `concat`) have its key: add what tells them apart.
public struct EffectKey: Hashable, Sendable {
    /// The identity of the journal: 32 hexadecimal digits.
    public let journal: String
    /// The action that the effect answers.
    public let sequence: UInt64
    /// Tells the effects of one action apart: 0, 1, … for those of the first effect middleware of the store; those of
    /// the second one begin with 4,194,304, and so on.
    public let index: Int

    /// Makes a key, for a test.
    public init(journal: String, sequence: UInt64, index: Int) {
        self.journal = journal
        self.sequence = sequence
        self.index = index
    }

    /// The key of the effect whose body runs; nil in a store that begins no effects again, and outside of bodies.
    ///
    /// A task that the body makes inherits it, a detached task does not.
    @TaskLocal public static var current: EffectKey?
}

extension EffectKey: CustomStringConvertible {
    /// The three parts with hyphens between them: at most 64 characters.
    public var description: String { "\(journal)-\(sequence)-\(index)" }
}

extension EffectKey {
    init(_ receipt: EffectReceipt) {
        let words = [receipt.journal.low, receipt.journal.high].map(\.bigEndianOfFile)
        let digits = words.map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        self.init(journal: digits.joined(), sequence: receipt.sequence, index: Int(receipt.index))
    }

    /// Returns a closure for a detached task, in which ``current`` is the key.
    static func passing(
        _ key: EffectKey?,
        to body: @escaping @Sendable () async -> Void
    ) -> @Sendable () async -> Void {
        guard let key else { return body }
        return { await $current.withValue(key) { await body() } }
    }
}

extension UInt64 {
    /// The number whose hexadecimal digits are the bytes in the order of a file.
    fileprivate var bigEndianOfFile: UInt64 { byteSwapped }
}
