// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension LoggerMiddleware {
    /// What is told of an action.
    public enum ActionTransform: Sendable {
        /// The action as `print` writes it, with its payload, then the file, the line and the function of who
        /// dispatched.
        case `default`(actionPrefix: String = "🕹 ", sourcePrefix: String = " 🎪 ")
        /// The names of the cases, `counter.increment` say, and nothing of the payload; of what is no enumeration the
        /// type.
        case actionNameOnly
        /// What a closure says. It is called on the formatting queue, later.
        @preconcurrency case custom(@Sendable (Action, ActionSource) -> String)

        func text(_ action: Action, _ source: ActionSource) -> String {
            switch self {
            case .default(let actionPrefix, let sourcePrefix):
                let file = source.file.split(separator: "/").last ?? ""
                return "\(actionPrefix)\(action)\(sourcePrefix)\(file):\(source.line) \(source.function)"
            case .actionNameOnly: return pathOfAction(action)
            case .custom(let text): return text(action, source)
            }
        }
    }
}
