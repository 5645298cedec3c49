// SPDX-License-Identifier: Apache-2.0

/// Which of the two grammars of docs/access-log.md a line must follow.
enum LogFormat: String, CaseIterable, Sendable {
    /// Each line may be either; the bytes after the size decide.
    case auto
    /// `host ident user [time] "request" status size`
    case common
    /// The same, followed by `"referer" "agent"`.
    case combined
}
