// SPDX-License-Identifier: Apache-2.0

/// How an ``Instrumentation`` tells the kinds of actions apart.
///
/// ```swift
/// Instrumentation(store)                                          // the cases of the action's enumeration
/// Instrumentation(store, kinds: .named(["cheap", "dear"]) { $0.price > 100 ? 1 : 0 })
/// ```
///
/// **Threads.** Its closures are called on the pipeline's thread, once for each measured action.
public struct ActionKinds<Action>: Sendable {
    /// The tag of an action; equal for those of one kind.
    enum Tag: Sendable {
        case enumeration(EnumTag)
        case dynamicType
        case one
        case closure(@Sendable (Action) -> Int)
    }

    let tag: Tag
    let names: [String]

    /// The case of an enumeration, by its name; of a protocol (`any P`, also `any P<Int>`) the type of the value; else
    /// there is one kind, which is called as the type.
    ///
    /// A case is read from the action's tag, as the compiler reads it: no reflection, some nanoseconds. Its name is
    /// asked for once. Of a nested enumeration it is the outer case that counts.
    public static var cases: ActionKinds {
        if let tag = EnumTag(Action.self) { return ActionKinds(tag: .enumeration(tag), names: []) }
        return ActionKinds(tag: EnumTag.isExistential(Action.self) ? .dynamicType : .one, names: [])
    }

    /// Kinds of your own: the closure returns an index in the names. What is not in them is `other`.
    ///
    /// At most 4,095 names; an instrumentation keeps histograms of the first 64 kinds that occur.
    @preconcurrency
    public static func named(_ names: [String], by kind: @escaping @Sendable (Action) -> Int) -> ActionKinds {
        ActionKinds(tag: .closure(kind), names: names)
    }

    /// A table whose closures know the type that this one forgets.
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
