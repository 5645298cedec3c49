// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import Testing

@Suite("ActionSource: equality, hash, coding")
struct ActionSourceTextTests {
    let fixed = ActionSource(file: "Module/File.swift", function: "run(é:)", line: 12)
    let dynamic = ActionSource(file: "Module/" + "File.swift", function: ["run", "(é:)"].joined(), line: 12)

    @Test("equal by text, wherever the text is stored")
    func equalByText() {
        #expect(fixed == dynamic)
        #expect(dynamic == fixed)
        #expect(fixed.hashValue == dynamic.hashValue)
        #expect(Set([fixed, dynamic]).count == 1)
    }

    @Test("equal to itself")
    func reflexive() {
        #expect(fixed == fixed)
        #expect(dynamic == dynamic)
    }

    @Test("different when one thing differs")
    func different() {
        let others = [
            ActionSource(file: "Module/Filf.swift", function: "run(é:)", line: 12),
            ActionSource(file: "Module/File.swif", function: "run(é:)", line: 12),
            ActionSource(file: "Module/File.swift", function: "run(e:)", line: 12),
            ActionSource(file: "Module/File.swift", function: "run(é:)", line: 13),
            ActionSource(file: "Module/File.swift", function: "run(é:)", line: 12, info: "x"),
            ActionSource(file: "Module/File.swift", function: "run(é:)", line: 12, info: ""),
            ActionSource(file: "Module/File.swiftrun", function: "(é:)", line: 12),
        ]
        for other in others {
            #expect(fixed != other)
            #expect(dynamic != other)
        }
        #expect(Set(others).count == others.count)
        #expect(Set((others + [fixed]).map(\.hashValue)).count == others.count + 1)
    }

    @Test("the same info makes equal, static or not")
    func equalInfo() {
        let fixed = ActionSource(file: "f", function: "g", line: 1, info: "i")
        let dynamic = ActionSource(file: String("f"), function: String("g"), line: 1, info: "i")
        #expect(fixed == dynamic)
        #expect(fixed.hashValue == dynamic.hashValue)
    }

    @Test("coded with the keys file, function, line, and info if there is one")
    func keys() throws {
        let plain = try JSONSerialization.jsonObject(with: JSONEncoder().encode(fixed)) as? [String: Any]
        #expect(plain?.keys.sorted() == ["file", "function", "line"])
        #expect(plain?["file"] as? String == "Module/File.swift")
        #expect(plain?["function"] as? String == "run(é:)")
        #expect(plain?["line"] as? Int == 12)
        let withInfo = ActionSource(file: "f", function: "g", line: 1, info: "i")
        let full = try JSONSerialization.jsonObject(with: JSONEncoder().encode(withInfo)) as? [String: Any]
        #expect(full?.keys.sorted() == ["file", "function", "info", "line"])
        #expect(full?["info"] as? String == "i")
    }

    @Test("the same after coding and decoding")
    func roundTrip() throws {
        for source in [fixed, dynamic, ActionSource(file: "f", function: "g", line: .max, info: "i")] {
            let copy = try JSONDecoder().decode(ActionSource.self, from: JSONEncoder().encode(source))
            #expect(copy == source)
            #expect(copy.hashValue == source.hashValue)
            #expect(copy.info == source.info)
        }
    }

    @Test("decoding reports what is missing")
    func decodingFails() {
        let data = Data(#"{"file": "f", "line": 1}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ActionSource.self, from: data) }
    }
}
