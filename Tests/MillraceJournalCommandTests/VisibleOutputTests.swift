// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import Testing

@testable import MillraceCore
@testable import MillraceJournalCommand

/// A journal whose texts come from outside.
private enum NotesJournal: JournalModel {
    static func codec() throws -> any ActionCodec<Note> { try CodableCodec<Note>(version: 1) }
    static func stateCodec() throws -> (any ActionCodec<Notes>)? { try CodableCodec<Notes>(version: 1) }
    static var initialState: Notes { Notes() }
    static var reducer: Reducer<Note, Notes> { .reduce { note, notes in notes.last = note.text } }
    static func describe(_ note: Note) -> String { note.text }
}

private struct Note: Codable, Sendable { var text: String }

private struct Notes: Codable, Sendable, CustomStringConvertible {
    var last = ""
    var description: String { last }
}

/// The journal's texts steer a terminal, reverse the direction of writing, and begin a line like one of the command.
private let hostile = "\u{1B}[2J\u{202E}x\u{9B}31m\r\nkind      forged\u{2028}\nkind      forged"

@Suite final class VisibleOutputTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
        .path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write() async throws {
        let journal = try Journal<Note>(directory: folder, codec: .codable(version: 1), durability: .process)
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: Notes(),
            reducer: NotesJournal.reducer,
            snapshots: .every(actions: 10, by: .codable(version: 1))
        )
        store.dispatch(Note(text: hostile), from: ActionSource(file: "f", function: "g", line: 1, info: hostile))
        try await store.commit(Note(text: hostile), producer: hostile, number: 1)
        _ = await store.shutdown()
    }

    @Test(
        "no text of a journal steers the terminal or looks like a line of the command",
        arguments: [
            ["stat"], ["show", "1", "--state"], ["show", "2"], ["tail", "--no-follow", "--state"], ["export"],
            ["bisect", "--invariant", hostile], ["replay", "--to", "99"], ["verify", "--files-only"],
        ]
    )
    func visible(_ arguments: [String]) async throws {
        try await write()
        var all = arguments
        all.insert(folder, at: 1)
        let (code, text) = try run(NotesJournal.self, all)
        #expect(code == (["bisect", "replay"].contains(arguments[0]) ? 1 : 0), "\(text)")
        #expect(!text.isEmpty)
        for line in text.split(separator: "\n") {
            let steers = line.unicodeScalars.contains(where: \.steersTerminals)
            #expect(!steers, "\(line.debugDescription)")
            #expect(!line.hasPrefix("kind      forged"))
        }
        if ["show", "export"].contains(arguments[0]) {
            #expect(text.lowercased().contains(#"\u{202e}"#) || text.contains(#"\u202e"#), "the text is shown: \(text)")
        }
    }

    @Test("export stays JSON, and a reader gets the text as it was")
    func json() async throws {
        try await write()
        let (_, text) = try run(NotesJournal.self, "export", folder)
        let lines = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.count == 2)
        #expect(lines[0]["info"] as? String == hostile)
        #expect(lines.map { ($0["action"] as? [String: Any])?["text"] as? String } == [hostile, hostile])
    }

    @Test("a path or an error of a codec is shown, too, without steering the terminal")
    func errors() throws {
        let (code, text) = try run(NotesJournal.self, "stat", "/nowhere/\(hostile)")
        #expect(code == 1 && text.contains("/nowhere/"))
        let steering = text.unicodeScalars.count(where: \.steersTerminals)
        #expect(steering == 1 && text.hasSuffix("\n"), "\(text.debugDescription)")
    }

    @Test(
        "only characters that steer are replaced",
        arguments: [
            ("plain, ünïcödé 日本 🙂", "plain, ünïcödé 日本 🙂"), ("a\tb\nc", #"a\tb\nc"#), ("\u{7F}", #"\u{7f}"#),
            ("\u{E0001}", #"\u{e0001}"#), ("", ""),
        ]
    )
    func replaced(_ text: String, _ shown: String) { #expect(text.visible == shown) }
}
