// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrderBookModel
import Testing

@Suite("LOBSTER's files")
struct LobsterTests {
    private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/TEST_2026-01-05_34200000_57600000_message_1.csv").path

    private func action(_ line: String) -> Result<BookAction, LobsterFile.Problem> {
        LobsterFile.action(of: Array(line.utf8))
    }

    @Test("each type of line")
    func types() {
        #expect(action("34200.1,1,16,18,5853300,1") == .success(.buy(16, 18, at: 5_853_300, .desk)))
        #expect(action("34200.1,1,17,18,5853300,-1") == .success(.sell(17, 18, at: 5_853_300)))
        #expect(action("34200.1,2,17,5,5853300,1") == .success(.reduce(id: 17, by: 5)))
        #expect(action("34200,3,17,18,5853300,1") == .success(.cancel(id: 17)))
        #expect(action("34200.1,4,17,18,5853300,1") == .success(.executed(id: 17, size: 18)))
        #expect(action("34200.1,5,0,18,5853300,1") == .success(.executedHidden(size: 18, price: 5_853_300)))
        #expect(action("34200.1,7,0,0,-1,-1") == .success(.halt))
        #expect(action("34200.1,7,0,0,0,-1") == .success(.halt))
        #expect(action("34200.1,7,0,0,1,-1") == .success(.resume))
    }

    @Test(
        "a line that cannot be used has a reason",
        arguments: [
            ("", .columns), ("1,2,3", .columns), ("1,1,1,1,1,1,1", .columns), ("x,1,1,1,1,1", .time),
            (",1,1,1,1,1", .time), ("1.,1,1,1,1,1", .time), ("1,0,1,1,1,1", .type), ("1,8,1,1,1,1", .type),
            ("1,6,1,1,1,1", .auction), ("1,1,-1,1,1,1", .order), ("1,1,1,0,1,1", .size), ("1,1,1,-5,1,1", .size),
            ("1,1,1,3000000000,1,1", .size), ("1,1,1,1,0,1", .price), ("1,1,1,1,9999999999999999999,1", .price),
            ("1,1,1,1,1,0", .direction), ("1,1,1,1,1,", .direction), ("1,7,0,0,2,-1", .halt),
        ] as [(String, LobsterFile.Problem)]
    )
    func problems(line: String, problem: LobsterFile.Problem) {
        #expect(action(line) == .failure(problem))
    }

    @Test("no bytes trap")
    func anyBytes() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789,,,,.-1\n\r\u{FF}".utf8)
        for _ in 0..<2_000 {
            let bytes = (0..<60).map { _ in letters.randomElement(using: &random) ?? 0 }
            let file = LobsterFile(bytes)
            #expect(file.lines == file.actions.count + file.problems.values.reduce(0, +))
        }
    }

    @Test("a file makes its book")
    func file() throws {
        let file = try LobsterFile(path: Self.path)
        #expect(Symbol(lobsterFile: Self.path)?.description == "TEST")
        #expect(file.lines == 28)
        #expect(
            file.problems == [
                .columns: 1, .time: 1, .type: 1, .auction: 1, .order: 1, .size: 1, .price: 1, .direction: 1, .halt: 1,
            ]
        )
        let book = Book(after: file.actions)
        #expect(book.defects == [])
        #expect(book.best(.buy) == 5_853_200)
        #expect(book.best(.sell) == 5_858_000)
        #expect(book.size(ofOrder: 16_120_503) == 35)
        #expect(book.totals.trades == 3)
        #expect(book.totals.volume == 25 + 30 + 18)
        #expect(book.totals.unknown == 1)
        #expect(book.totals.refused == 1, "the order during the halt")
    }
}
