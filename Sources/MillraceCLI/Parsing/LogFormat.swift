// SPDX-License-Identifier: Apache-2.0

/// The grammar of docs/access-log.md that a line must follow.
enum LogFormat: String, CaseIterable, Sendable {
    /// Each line may have either format. The bytes after the size decide.
    case auto
    /// `host ident user [time] "request" status size`
    case common
    /// The fields of `common`, followed by `"referer" "agent"`.
    case combined
}
