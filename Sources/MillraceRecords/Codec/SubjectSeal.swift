// SPDX-License-Identifier: Apache-2.0

/// Encrypts what is written about a person (or a customer, a device: a subject) with a key of that subject. Who deletes the
/// key has deleted the subject from all files, backups included.
///
/// ```swift
/// let seal = SubjectSeal<AppAction>(
///     subject: { action in action.customer },
///     seal: { bytes, customer in try Array(AES.GCM.seal(bytes, using: keys.key(of: customer)).combined!) },
///     open: { bytes, customer in
///         guard let key = try keys.existingKey(of: customer) else { return nil }
///         return try Array(AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key))
///     },
///     forgotten: { customer in .customerForgotten }
/// )
/// let codec = try CodableCodec<AppAction>(version: 1).sealing(by: seal)
/// ```
///
/// The encryption is yours: this package has none. Keep the keys in a place of their own, with backups that are deleted
/// in time.
///
/// **What stays.** The name of the subject stands in the file as it is: use an identifier that says nothing by itself. Kinds,
/// times and sources of actions are not encrypted. Snapshots hold the state: their codec can be sealed only as a whole, so
/// after forgetting somebody wait for as many new snapshots as are kept.
public struct SubjectSeal<Action>: Sendable {
    let subject: @Sendable (Action) -> String?
    let seal: @Sendable (UnsafeRawBufferPointer, String) throws -> [UInt8]
    let open: @Sendable (UnsafeRawBufferPointer, String) throws -> [UInt8]?
    let forgotten: @Sendable (String) -> Action

    /// Creates a seal. The closures are called on the thread that writes or reads a file, in a journal on the journal's.
    ///
    /// - Parameters:
    ///   - subject: Returns whom an action is about, in at most 65,535 bytes of UTF-8; nil: it is written as it is.
    ///   - seal: Encrypts bytes with the key of a subject, which it makes if there is none.
    ///   - open: Decrypts such bytes; nil: the key was deleted. It throws if the bytes are damaged.
    ///   - forgotten: Returns the action that stands for one whose key was deleted. Its reducer should do what keeps the
    ///     state consistent, at least nothing.
    public init(
        subject: @escaping @Sendable (Action) -> String?,
        seal: @escaping @Sendable (_ bytes: UnsafeRawBufferPointer, _ subject: String) throws -> [UInt8],
        open: @escaping @Sendable (_ bytes: UnsafeRawBufferPointer, _ subject: String) throws -> [UInt8]?,
        forgotten: @escaping @Sendable (_ subject: String) -> Action
    ) {
        self.subject = subject
        self.seal = seal
        self.open = open
        self.forgotten = forgotten
    }
}
