// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

// A small app as one writes it for SwiftRex, whose authors have made its services Sendable for Swift 6.

enum LoanAction: Equatable {
    case borrow(Int)
    case borrowed(Int)
    case refused(String)
    case remind
}

struct LoanState: Equatable {
    var books: [Int] = []
    var isClosed = false
}

protocol Desk: AnyObject, Sendable {
    func lend(_ book: Int, completion: @escaping @Sendable (Result<Int, DeskError>) -> Void)
}

struct DeskError: Error {
    let reason: String
}

/// A class with variables and a service.
final class LoanMiddleware: MiddlewareProtocol {
    typealias InputActionType = LoanAction
    typealias OutputActionType = LoanAction
    typealias StateType = LoanState

    private let desk: any Desk
    private(set) var attempts = 0

    init(desk: any Desk) {
        self.desk = desk
    }

    func handle(
        action: LoanAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<LoanState>
    ) -> IO<LoanAction> {
        guard case .borrow(let book) = action, !state().books.contains(book) else { return .pure() }
        attempts += 1
        return IO { [desk] output in
            guard !state().isClosed else { return output.dispatch(.refused("closed"), from: dispatcher) }
            desk.lend(book) { result in
                switch result {
                case .success(let book): output.dispatch(.borrowed(book))
                case .failure(let error): output.dispatch(.refused(error.reason))
                }
            }
        }
    }
}

struct LibraryWorld: Sendable {
    let desk: any Desk
    let today: @Sendable () -> Int
}

let loanReader = MiddlewareReader<LibraryWorld, LoanMiddleware> { world in LoanMiddleware(desk: world.desk) }

let reminderReader = EffectMiddleware<LoanAction, LoanAction, LoanState, LibraryWorld>
    .onAction { action, dispatcher, getState in
        guard case .remind = action else { return .doNothing }
        return .promise(token: "reminder", from: dispatcher) { context, answer in
            let isLate = context.dependencies.today() > getState().books.count
            answer(isLate ? .refused("late") : .borrow(0))
        }
    }

let loanReducer = Reducer<LoanAction, LoanState>.reduce { action, state in
    if case .borrowed(let book) = action { state.books.append(book) }
}
