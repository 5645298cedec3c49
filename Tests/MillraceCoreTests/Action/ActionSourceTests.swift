// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import TestSupport
import Testing

/// A literal of one scalar becomes a static string without text in the binary, when only this protocol is known.
private func scalarLiteral<Value: ExpressibleByUnicodeScalarLiteral>() -> Value { "é" }

@Suite("ActionSource")
struct ActionSourceTests {
    @Test("is exactly 32 bytes, as a slot of the queue has it")
    func size() {
        #expect(MemoryLayout<ActionSource>.size == 32)
        #expect(MemoryLayout<ActionSource>.stride == 32)
    }

    @Test("here() is the place of the call")
    func here() {
        let source = ActionSource.here()
        let line: UInt = #line
        #expect(source.file == #fileID)
        #expect(source.function == "here()")
        #expect(source.line == line - 1)
        #expect(source.info == nil)
    }

    @Test("here() takes an info")
    func hereWithInfo() {
        let source = ActionSource.here(info: "because")
        #expect(source.info == "because")
        #expect(source.file == #fileID)
        #expect(source.function == "hereWithInfo()")
    }

    @Test("a wrapper may pass its place on as Strings or as StaticStrings")
    func wrappers() {
        func dynamic(file: String = #fileID, function: String = #function, line: UInt = #line) -> ActionSource {
            .here(file: file, function: function, line: line)
        }
        func fixed(file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line) -> ActionSource
        {
            .here(file: file, function: function, line: line)
        }
        let sources = [dynamic(), fixed()]
        #expect(sources[0] == sources[1])
        #expect(sources[0].function == "wrappers()")
    }

    @Test("keeps text that is not ASCII")
    func nonASCII() {
        let source = ActionSource(file: "Töst/Datei🦊.swift", function: "größe(é:)", line: 7)
        #expect(source.file == "Töst/Datei🦊.swift")
        #expect(source.function == "größe(é:)")
        #expect(source.line == 7)
    }

    @Test("keeps empty text")
    func empty() {
        let source = ActionSource(file: "", function: "", line: 0)
        #expect(source.file.isEmpty && source.function.isEmpty && source.line == 0)
        #expect(source == ActionSource(file: String(), function: String(), line: 0))
    }

    @Test("keeps a static string that has no text in the binary")
    func unicodeScalar() {
        let scalar: StaticString = scalarLiteral()
        #expect(!scalar.hasPointerRepresentation)
        let source = ActionSource(file: scalar, function: "f()", line: 3)
        #expect(source.file == "é")
        #expect(source.function == "f()")
        #expect(source.line == 3)
        #expect(ActionSource(file: "f", function: scalar, line: 3).function == "é")
        #expect(source == ActionSource(file: "é", function: "f()", line: 3))
    }

    @Test("keeps lines up to the limit in place, and over it")
    func lines() {
        for line in [1, UInt(UInt32.max) - 1, UInt(UInt32.max), UInt(UInt32.max) + 1, UInt.max] {
            let source = ActionSource(file: "file", function: "function", line: line)
            #expect(source.line == line)
            #expect(source.file == "file")
            #expect(source.function == "function")
        }
    }

    @Test("keeps texts of any length, static or not", arguments: [0, 1, 0xFFFF, 0x1_0000, 0x1_0001, 200_000])
    func lengths(length: Int) {
        let dynamic = String(repeating: "x", count: length)
        let fixed = staticText(length: length)
        #expect(fixed.utf8CodeUnitCount == length && fixed.description == dynamic)
        let sources = [
            ActionSource(file: fixed, function: "g", line: 9),
            ActionSource(file: "g", function: fixed, line: 9),
            ActionSource(file: fixed, function: fixed, line: 9),
        ]
        #expect(sources.map(\.file.utf8.count) == [length, 1, length])
        #expect(sources.map(\.function.utf8.count) == [1, length, length])
        #expect(sources.map(\.line) == [9, 9, 9])
        #expect(sources[2] == ActionSource(file: dynamic, function: dynamic, line: 9))
        #expect(sources[2] != ActionSource(file: dynamic + "x", function: dynamic, line: 9))
        #expect(sources[2] != ActionSource(file: dynamic, function: dynamic + "x", line: 9))
    }

    @Test("values are Sendable: made here, read on another thread")
    func otherThread() async {
        let source = ActionSource.here()
        let text = await Task.detached { source.file + source.function }.value
        #expect(text == #fileID + "otherThread()")
    }

    @Test("describes itself")
    func description() {
        #expect(ActionSource.a.description == "Tests/A.swift:1 a()")
        #expect(ActionSource(file: "f", function: "g", line: 2, info: "i").description == "f:2 g (i)")
    }
}
