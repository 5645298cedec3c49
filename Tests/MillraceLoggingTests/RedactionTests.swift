// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceLogging

@Suite("Logger: redaction of descriptions", .timeLimit(.minutes(5)))
struct RedactionTests {
    private let lines = Lines()
    private let log = ActionLog()

    /// Each of its descriptions has a quote of its own, which is no end of a string.
    struct Inches: CustomStringConvertible, Sendable { var description: String { "5\"" } }

    /// Its description quotes strings, as `print` does.
    struct Names: CustomStringConvertible, Sendable {
        var list: [String] = []
        var description: String { "\(list)" }
    }

    struct Sizes: Sendable {
        var one = CollectionOfOne("x")
        var names = Names()
        var mixed = Mixed()
    }

    struct Mixed: CustomStringConvertible, Sendable {
        var inches: Inches?
        var names = Names()
        var description: String { "\(names) \(inches.map { "\($0)" } ?? "") \(names)" }
    }

    enum SizeAction: Sendable { case login(Inches, String), both(String, Inches, String), set(Sizes) }

    private func redactedLines(
        _ actions: [SizeAction],
        _ transform: LoggerMiddleware<SizeAction, Sizes>.StateDiffTransform,
        _ redaction: @escaping @Sendable (String) -> String
    ) async -> [String] {
        let store = ReduxStoreBase<SizeAction, Sizes>(
            initialState: Sizes(),
            reducer: .reduce { action, state in if case .set(let sizes) = action { state = sizes } },
            middleware: IdentityMiddleware<SizeAction, SizeAction, Sizes>().logger(
                actionPrinter: lines.printer,
                stateDiffTransform: transform,
                stateDiffPrinter: lines.printer,
                redaction: redaction,
                log: log
            ),
            engine: .caller
        )
        for action in actions { store.dispatch(action) }
        await log.flush()
        return lines.all
    }

    @Test(
        "redaction sees the strings in a description as they are, whatever quotes are around them",
        arguments: ["hun\"ter\\2", "hun\"ter", "ter\\2", "hun\tter", "plain", "\"\"", "C:\\new"],
        [true, false]
    )
    func inDescriptions(secret: String, isRecursive: Bool) async {
        let names = Names(list: [secret, "x\"y", secret])
        let all = await redactedLines(
            [
                .login(Inches(), secret), .both(secret, Inches(), secret),
                .set(Sizes(one: CollectionOfOne(secret), names: names, mixed: Mixed(inches: Inches(), names: names))),
            ],
            isRecursive ? .recursive(prefixLines: "", stateName: "S", spelling: .indexed) : .diff(prefixLines: "")
        ) { $0.replacingOccurrences(of: secret, with: "***") }
        let escaped = String(secret.debugDescription.dropFirst().dropLast())
        for line in all {
            #expect(!line.contains(secret) && !line.contains(escaped), "\(line)")
        }
        #expect(all.filter { $0.contains("***") }.count >= 6, "\(all)")
    }

    @Test("a redaction that changes each line is applied once")
    func prefixing() async {
        let all = await redactedLines([.login(Inches(), "a\"b\n")], .off) { "> " + $0 }
        #expect(all.first?.hasPrefix("> 🕹 login(5\", ") == true && all.count == 1, "\(all)")
    }

    @Test("a redaction that never leaves its own result alone gets no line out, and ends")
    func unsettled() async {
        // It leaves its own result alone, but not what that is without escapes.
        let all = await redactedLines([.login(Inches(), "a\"b")], .off) { text in
            text.contains("\\\"") ? text : "\"" + String(repeating: "\\\\", count: 200) + "\\\""
        }
        #expect(all.count == 1, "\(all)")
    }

    @Test(
        "a secret in a string is seen, whichever quotes and backslashes stand before it",
        arguments: [
            #"["a\"b"] 5" ["c\"d"]"#, #"5", ["c\"d"]"#, #"["c\"d"] 5" 6" "#, #"5" "x\"y" 6" ["c\"d"]"#,
            #"C:\" ["c\"d"]"#, #"C:\" 5" ["c\"d"]"#, #"say(\"hi) C:\" ["a\"b", "c\"d"]"#,
        ]
    )
    func strayQuotes(_ text: String) {
        let line = LogText(described: text)
        #expect(line.contains("c\"d"))
        let printed = line.redacted { $0.replacingOccurrences(of: "c\"d", with: "*") }
        #expect(printed.contains("*") && !printed.contains("c\\\"d") && !printed.contains("c\"d"), "\(printed)")
    }

    @Test("an escape sequence of a character has hexadecimal digits only")
    func digits() {
        #expect(withoutEscapes(#"\u{41}\u{+41}\u{-1}\u{}\u{110000}"#, .everywhere) == #"A\u{+41}\u{-1}\u{}\u{110000}"#)
    }

    @Test("redacting a line takes time in proportion to its length")
    func linear() {
        // The processor time of this thread, which does not count other tests.
        func clock() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        func time(_ count: Int) -> Double {
            let text = LogText(described: String(repeating: "\"a\\\"b\\n\" 5\" ", count: count))
            return (0..<3).map { _ in
                let begin = clock()
                #expect(text.redacted { $0.replacingOccurrences(of: "a\"b", with: "*") }.contains("*"))
                return Double(clock() - begin)
            }
            .min() ?? 0
        }
        #expect(time(8_000) < 8 * time(2_000))
    }
}
