// SPDX-License-Identifier: Apache-2.0

/// Encrypts what is written about a subject, such as a person or a device, with a key of that subject. If you delete
/// the key, nobody can read the subject's data in any file, backups included.
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
/// You provide the encryption: this package has none. Store the keys apart from the files, and delete old backups of
/// the keys.
///
/// **What is not encrypted.** The name of the subject is in the file as it is, so use an identifier that says nothing
/// about the subject. Kinds, times and sources of actions are not encrypted. A snapshot holds the whole state, with the
/// data of all subjects. If you forget a subject, its data stays in the existing snapshots until newer ones have
/// replaced them.
public struct SubjectSeal<Action>: Sendable {
    let subject: @Sendable (Action) -> String?
    let seal: @Sendable (UnsafeRawBufferPointer, String) throws -> [UInt8]
    let open: @Sendable (UnsafeRawBufferPointer, String) throws -> [UInt8]?
    let forgotten: @Sendable (String) -> Action

    /// Creates a seal. The closures are called on the thread that writes or reads a file; in a journal, on the
    /// journal's thread.
    ///
    /// - Parameters:
    ///   - subject: Returns the subject of an action, in at most 65,535 bytes of UTF-8. If nil, the action is not
    ///     encrypted.
    ///   - seal: Encrypts bytes with the key of a subject, and creates the key if there is none.
    ///   - open: Decrypts such bytes. It returns nil if the key was deleted, and throws if the bytes are damaged.
    ///   - forgotten: Returns the action that replaces an action whose key was deleted. The reducers must keep the
    ///     state consistent when they handle it; they may ignore it.
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
