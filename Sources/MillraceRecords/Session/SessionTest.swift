// SPDX-License-Identifier: Apache-2.0

/// The Swift source of a test that replays a recorded session, written beside the session's file.
///
/// ```swift
/// try await recorder.writeTest(
///     "cartAfterRefund", to: "Tests/ShopTests", actions: actionCodec, states: stateCodec,
///     code: SessionTest(imports: ["Shop"], reducer: "cartReducer", actions: "actionCodec", states: "stateCodec"))
/// ```
///
/// The test reads the session and sends its actions to a `TestStore` without middlewares, each at its recorded time. It
/// fails if the last state differs from that of the recording. So it shows when a change of the reducers changes the
/// result of this session. It also fails if the recording is not complete. Add your own checks of the states in
/// between.
public struct SessionTest: Sendable, Hashable {
    /// The modules of the app, imported with `@testable`.
    public var imports: [String]
    /// The reducer, as an expression in the test.
    public var reducer: String
    /// The codec of the actions, as an expression in the test. It may throw.
    public var actions: String
    /// The codec of the state, as an expression in the test. It may throw.
    public var states: String

    /// Creates the description of a test.
    public init(imports: [String] = [], reducer: String, actions: String, states: String) {
        self.imports = imports
        self.reducer = reducer
        self.actions = actions
        self.states = states
    }

    /// Returns the source of the test.
    ///
    /// - Parameters:
    ///   - name: The name of the test function. Characters other than ASCII letters and digits become `_`. If the
    ///     result is not a name, for example a keyword, it gets the prefix `session`.
    ///   - file: The name of the session's file, which is in the folder of the test.
    public func source(_ name: String, file: String) -> String {
        let function = Self.identifier(name)
        let used = ["Foundation", "MillraceRecords", "MillraceTesting", "Testing"].map { "import \($0)\n" }.joined()
        let own = imports.map { "@testable import \($0)\n" }.joined()
        return """
            \(used)\(own)
            @Test("the recorded session '\(function)' ends in the same state")
            func \(function)() throws {
                let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: \(file.debugDescription))
                let session = try SessionFile.read(file.path, actions: \(actions), states: \(states))
                try #require(session.isComplete, "the recording was cut off")
                let hash = try #require(session.finalHash)
                let store = TestStore(initialState: session.initialState, reducer: \(reducer))
                store.exhaustivity = .off
                for recorded in session.actions { store.send(recorded.action, at: recorded.head.time) }
                store.finish()
                #expect(try CanonicalHash(of: store.state) == hash)
            }

            """
    }

    private static func identifier(_ name: String) -> String {
        let letters = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let text = String(letters)
        let isNoName = text.first?.isNumber ?? true || text.allSatisfy { $0 == "_" }
        return isNoName || keywords.contains(text) ? "session\(text)" : text
    }

    /// The words that cannot be the name of a function.
    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit",
        "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
