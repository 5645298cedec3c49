// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceRecords
import OrderBookModel

extension CountedRow {
    /// Rows of records in frames in memory, and of a whole application.
    static var records: [CountedRow] {
        [
            CountedRow("records: written, 64 bytes") {
                let codec = try BitwiseCodec<RecordsSection.Trade>(version: 1)
                var frames = try FrameBuilder(header: RecordsSection.header(codec), capacity: 80_000)
                let head = RecordHead(sequence: 0, time: .now, source: .here())
                return Run { operations in
                    for index in 0..<operations {
                        let written: Void? = try? frames.append(RecordsSection.trade(index), head, by: codec)
                        if written == nil { fatalError("a record was not written") }
                        if frames.bytes >= 65_536 { keep(frames.seal(syncedThrough: 0) { $0.count }) }
                    }
                }
            },
            CountedRow("records: read and checked, 64 bytes") {
                let codec = try BitwiseCodec<RecordsSection.Trade>(version: 1)
                // Enough for both runs.
                var writer = try FrameWriter(header: RecordsSection.header(codec), codec: codec)
                let head = RecordHead(sequence: 0, time: .now, source: .here())
                for index in 0..<100_000 { try writer.append(RecordsSection.trade(index), head) }
                var reader = try RecordReader(FrameReader(bytes: try writer.takeBytes()), codec: codec)
                return Run { operations in
                    for _ in 0..<operations where (try? reader.next()) == nil { fatalError("a record was not read") }
                }
            },
            // Books grow, so a longer run does not take the same for each action.
            CountedRow("orderbook: an action of a feed", tolerance: 0.02) {
                let symbol = Symbol.generated(1)[0]
                var exchange = Exchange(Market([symbol]))
                exchange.engine = .caller
                exchange.publication = .onDemand
                let store = exchange.makeStore()
                var feed = Feed(symbol, seed: 1, count: 100_000)
                var actions = feed.take(100_000)[...]
                return Run { operations in
                    for _ in 0..<operations {
                        guard let action = actions.popFirst() else { fatalError("the feed has ended") }
                        store.dispatch(action)
                    }
                }
            },
        ]
    }
}
