// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarks) import Millrace

extension CountedRow {
    /// Rows of parts below the store.
    static var parts: [CountedRow] {
        [
            CountedRow("transport: the queue, one in, one out") {
                guard let queue = TransportQueue<AppAction>() else {
                    throw BenchmarkError.noMemory("the transport queue")
                }
                return Run { operations in
                    var sum: UInt64 = 0
                    for index in 0..<operations {
                        let source = ActionSource(file: #fileID, function: #function, line: #line)
                        _ = queue.push(.nth(index), source: source)
                        _ = queue.drain(upTo: 1) { sum &+= $0.weight }
                    }
                    keep(Int(truncatingIfNeeded: sum))
                }
            }
        ]
    }
}
