// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceRecords

/// What ``JournalCommand`` has to know of your journals: how actions are read, and how they change the state.
///
/// ```swift
/// enum Orders: JournalModel {
///     static func codec() throws -> any ActionCodec<Order> { try BitwiseCodec<Order>(version: 1) }
///     static var initialState: Book { Book() }
///     static var reducer: Reducer<Order, Book> { orders }
/// }
/// ```
///
/// Use the codecs, the state and the reducer of your store. Nothing here starts a store or runs a middleware.
public protocol JournalModel {
    /// The actions of the journal.
    associatedtype Action
    /// The state that the reducer changes.
    associatedtype State

    /// Returns the codec of the store's journal, with its upcasters.
    static func codec() throws -> any ActionCodec<Action>
    /// The state before the first action.
    static var initialState: State { get }
    /// The state before the first action of a shard, by the shard's number, if the journal is a sharded one. By default
    /// ``initialState``.
    static func initialState(ofShard shard: Int) -> State
    /// What the commands do with actions of kinds that the codec does not know: give the policy of the store's journal.
    /// Commands that only read leave such actions out with `.park`, too, and write no file. A command that has decoded
    /// actions tells on standard error how many it left out. By default `.fail`.
    static var unknownKinds: UnknownKinds { get }
    /// The reducer of the store.
    static var reducer: Reducer<Action, State> { get }
    /// Returns the codec of the store's snapshots; nil: there are none, or they are not read. By default nil.
    static func stateCodec() throws -> (any ActionCodec<State>)?
    /// Returns an action as a text for people. By default Swift's own description.
    static func describe(_ action: Action) -> String
    /// The rules that every state must obey: `journal bisect` finds the first action that breaks one. By default none.
    static var invariants: [JournalInvariant<State>] { get }
}

extension JournalModel {
    /// The same state as without shards.
    public static func initialState(ofShard shard: Int) -> State { initialState }
    /// An action of an unknown kind is an error.
    public static var unknownKinds: UnknownKinds { .fail }
    /// No snapshots.
    public static func stateCodec() throws -> (any ActionCodec<State>)? { nil }
    /// Swift's own description.
    public static func describe(_ action: Action) -> String { String(describing: action) }
    /// No rules.
    public static var invariants: [JournalInvariant<State>] { [] }
}
