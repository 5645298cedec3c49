// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension LoggerMiddleware {
    /// What is told of an action.
    public enum ActionTransform: Sendable {
        /// The action as `print` writes it, with its payload, then the file, the line and the function of who
        /// dispatched. Types that describe themselves are printed by their description.
        case `default`(actionPrefix: String = "🕹 ", sourcePrefix: String = " 🎪 ")
        /// The names of the cases, `counter.increment` say, and nothing of the payload; of what is no enumeration the
        /// type. The names end before an enumeration in the payload that describes itself.
        case actionNameOnly
        /// What a closure says. It is called on the formatting queue, later.
        @preconcurrency case custom(@Sendable (Action, ActionSource) -> String)

        func text(_ action: Action, _ source: ActionSource, isRedacted: Bool) -> LogText {
            switch self {
            case .default(let actionPrefix, let sourcePrefix):
                let file = source.file.split(separator: "/").last ?? ""
                let place = "\(sourcePrefix)\(file):\(source.line) \(source.function)"
                let text = "\(action)"
                guard isRedacted else { return LogText(escaping: actionPrefix + text + place) }
                // `print` quotes the strings in a payload: a redaction shall see them as they are, too.
                return LogText(
                    escapedForLog(actionPrefix + text + place),
                    unescaped: actionPrefix + withoutEscapes(text) + place
                )
            case .actionNameOnly: return LogText(escaping: pathOfAction(action))
            case .custom(let text): return LogText(escaping: text(action, source))
            }
        }
    }
}
