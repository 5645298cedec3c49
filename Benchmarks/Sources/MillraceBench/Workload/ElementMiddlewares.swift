// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

/// Middlewares of one element, which differ in how they use the state getter.
enum ElementMiddleware {
    /// Does not use the getter.
    struct Ignoring: MiddlewareProtocol {
        func handle(action: UInt32, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<UInt32> {
            .pure()
        }
    }

    /// Reads the state in `handle`.
    struct Reading: MiddlewareProtocol {
        let sum = Sum()

        func handle(action: UInt32, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<UInt32> {
            sum.value &+= state().id
            return .pure()
        }
    }

    /// Reads the state in its IO.
    struct Working: MiddlewareProtocol {
        let sum = Sum()

        func handle(action: UInt32, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<UInt32> {
            IO { _ in sum.value &+= state().id }
        }
    }

    final class Sum: @unchecked Sendable {
        // Unchecked because one thread at a time uses it.
        var value: UInt32 = 0
    }

    /// Returns a contender that calls `handle` and runs the IO in a loop, without a store. The middleware is bound, as
    /// in a store.
    @MainActor
    static func contender<Part: MiddlewareProtocol>(_ name: String, _ part: Part) -> Contender
    where Part.InputActionType == UInt32, Part.OutputActionType == UInt32, Part.StateType == Item {
        let count = 10_000
        let state = CollectionState(elements: KeyedArray((0..<count).map { Item(id: Item.id($0)) }))
        let getter = StoredGetter { state }
        let lifted = part.liftToCollection(
            inputAction: \CollectionAction.item,
            outputAction: CollectionAction.item,
            state: \CollectionState<KeyedArray<Item>>.elements
        ).bound(to: getter.read)
        return Contender(name) { operations in
            let start = DispatchTime.now().uptimeNanoseconds
            run(lifted, getter.read, count, operations)
            return DispatchTime.now().uptimeNanoseconds - start
        }
    }

    @inline(never)
    private static func run<State>(
        _ middleware: some MiddlewareProtocol<CollectionAction, CollectionAction, State>,
        _ state: @escaping GetState<State>,
        _ count: Int,
        _ operations: Int
    ) {
        let output = AnyActionHandler<CollectionAction> { _ in }
        let source = ActionSource.here()
        for operation in 0..<operations {
            let id = Item.id(operation &* 7919 % count)
            let action = CollectionAction.item(ElementIDAction(id: id, action: 1))
            middleware.handle(action: action, from: source, state: state).run(output)
        }
    }
}

/// A getter as a store has it: in an object, so that the compiler does not know which closure it is. If it knew, it
/// would make a copy of `handle` for this closure, which allocates the closure in each call.
final class StoredGetter<State>: Sendable {
    let read: GetState<State>

    init(_ read: @escaping GetState<State>) {
        self.read = read
    }
}
