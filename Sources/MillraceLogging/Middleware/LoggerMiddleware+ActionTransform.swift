// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension LoggerMiddleware {
    /// The text that is logged for an action.
    public enum ActionTransform: Sendable {
        /// The action as `print` writes it, with its payload, then the file, the line and the function that dispatched
        /// it. A type that describes itself is printed by its description.
        case `default`(actionPrefix: String = "🕹 ", sourcePrefix: String = " 🎪 ")
        /// The names of the cases, such as `counter.increment`, without any payload. A type that is not an enumeration
        /// is printed by its name. If an enumeration in the payload describes itself, the names end before it.
        case actionNameOnly
        /// The text that a closure returns. The closure is called later, on the formatting queue.
        @preconcurrency case custom(@Sendable (Action, ActionSource) -> String)

        func text(_ action: Action, _ source: ActionSource, isRedacted: Bool) -> LogText {
            switch self {
            case .default(let actionPrefix, let sourcePrefix):
                let file = source.file.split(separator: "/").last ?? ""
                let place = "\(sourcePrefix)\(file):\(source.line) \(source.function)"
                let text = "\(action)"
                guard isRedacted else { return LogText(escaping: actionPrefix + text + place) }
                return LogText(escaping: actionPrefix) + LogText(described: text) + LogText(escaping: place)
            case .actionNameOnly: return LogText(escaping: pathOfAction(action))
            case .custom(let text):
                let text = text(action, source)
                return isRedacted ? LogText(described: text) : LogText(escaping: text)
            }
        }
    }
}
