// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@testable import MillraceInstrumentation

@Suite("Cache of sources")
struct SourceCacheTests {
    @Test("of two sources with one place in the cache, each keeps its own texts")
    func collisions() {
        // More pairs than the cache has places.
        let files: [StaticString] = ["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"]
        let functions: [StaticString] = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9"]
        var texts: [String] = []
        func intern(_ text: String) -> UInt64 {
            if let index = texts.firstIndex(of: text) { return UInt64(index) }
            texts.append(text)
            return UInt64(texts.count - 1)
        }
        let cache = SourceCache()
        defer { cache.deallocate() }
        for file in files {
            for function in functions {
                let source = ActionSource(file: file, function: function, line: 1)
                let word = cache.word(of: source, intern: intern)
                #expect(texts[Int(word >> 32)] == "\(file)" && texts[Int(word & 0xFFFF_FFFF)] == "\(function)")
            }
        }
    }
}
