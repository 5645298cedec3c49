// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

/// Shows how an expression was grouped.
private struct Term: Monoid, CustomStringConvertible {
    let description: String
    static let identity = Term(description: "")
    static func <> (lhs: Term, rhs: Term) -> Term { Term(description: "(\(lhs)\(rhs))") }
    static func * (lhs: Term, rhs: Term) -> Term { Term(description: "(\(lhs)*\(rhs))") }
    static func << (lhs: Term, rhs: Term) -> Term { Term(description: "(\(lhs)<<\(rhs))") }
}

@Suite("<>")
struct OperatorTests {
    @Test("groups from the left, tighter than *, looser than <<")
    func precedence() {
        let (a, b, c) = (Term(description: "a"), Term(description: "b"), Term(description: "c"))
        #expect((a <> b <> c).description == "((ab)c)")
        #expect((a * b <> c).description == "(a*(bc))")
        #expect((a <> b << c).description == "(a(b<<c))")
    }

    @Test("folds any monoid")
    func fold() {
        let terms = ["a", "b"].map(Term.init)
        #expect(terms.reduce(.identity, <>).description == "((a)b)")
    }
}
