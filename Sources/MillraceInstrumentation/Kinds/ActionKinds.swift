// SPDX-License-Identifier: Apache-2.0

/// The rule by which an ``Instrumentation`` tells the kinds of actions apart.
///
/// ```swift
/// Instrumentation(store)                                          // the cases of the action's enumeration
/// Instrumentation(store, kinds: .named(["cheap", "dear"]) { $0.price > 100 ? 1 : 0 })
/// ```
///
/// **Threads.** The closures are called on the consumer, once for each measured action; with a ``FlightRecorder``, once
/// for every action.
public struct ActionKinds<Action>: Sendable {
    /// The reader of an action's tag. Actions of one kind have equal tags.
    enum Tag: Sendable {
        case enumeration(EnumTag)
        case dynamicType
        case one
        case closure(@Sendable (Action) -> Int)
    }

    let tag: Tag
    let names: [String]

    /// Kinds by the type of the action. For an enum, each case is a kind, with the case's name. For a protocol type
    /// (`any P`, also `any P<Int>`), each type of value is a kind. For any other type, there is one kind, with the
    /// type's name.
    ///
    /// A case is read from the action's enum tag, as compiled code reads it: no reflection, some nanoseconds. Its name
    /// is looked up once. Of nested enums, only the outer case counts.
    public static var cases: ActionKinds {
        if let tag = EnumTag(Action.self) { return ActionKinds(tag: .enumeration(tag), names: []) }
        return ActionKinds(tag: EnumTag.isExistential(Action.self) ? .dynamicType : .one, names: [])
    }

    /// Kinds of your own: the closure returns an index into `names`. An action with any other index is of kind `other`.
    ///
    /// At most 4,095 names can be used; an instrumentation keeps histograms of the first 64 kinds that occur.
    @preconcurrency
    public static func named(_ names: [String], by kind: @escaping @Sendable (Action) -> Int) -> ActionKinds {
        ActionKinds(tag: .closure(kind), names: names)
    }

    /// Returns a table whose closures know the action type; the table itself does not.
    func table() -> KindTable {
        switch tag {
        case .enumeration(let tag):
            return KindTable(witness: tag) { pointer, _ in
                caseName(of: pointer.assumingMemoryBound(to: Action.self).pointee)
            }
        case .one:
            return KindTable(tag: { _ in 0 }, name: { _, _ in "\(Action.self)" })
        case .dynamicType:
            return KindTable(
                typeOf: { pointer in
                    ObjectIdentifier(type(of: pointer.assumingMemoryBound(to: Action.self).pointee as Any))
                },
                name: { pointer, _ in "\(type(of: pointer.assumingMemoryBound(to: Action.self).pointee as Any))" }
            )
        case .closure(let kind):
            let names = names
            return KindTable(
                tag: { kind($0.assumingMemoryBound(to: Action.self).pointee) },
                name: { _, tag in names.indices.contains(tag) ? names[tag] : nil }
            )
        }
    }
}
