// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@testable import MillraceInstrumentation

@Suite("Cache of sources")
struct SourceCacheTests {
    @Test("of two sources with one place in the cache, each keeps its own texts")
    func collisions() {
        var texts: [String] = []
        func intern(_ text: String) -> UInt64 {
            if let index = texts.firstIndex(of: text) { return UInt64(index) }
            texts.append(text)
            return UInt64(texts.count - 1)
        }
        let cache = SourceCache()
        defer { cache.deallocate() }
        for number in 0..<UInt32(3 * SourceCache.size) {
            #expect(cache.cached(number) == nil)
            let source = ActionSource(file: "file \(number)", function: "f", line: UInt(number))
            let place = cache.place(of: source, number, intern: intern)
            #expect(texts[Int(place.texts >> 32)] == "file \(number)" && place.line == UInt64(number))
            #expect(texts[Int(place.texts & 0xFFFF_FFFF)] == "f")
            #expect(cache.cached(number) == place)
        }
    }

    @Test("a source without a number is not kept")
    func withoutNumber() {
        let cache = SourceCache()
        defer { cache.deallocate() }
        _ = cache.place(of: .here(), nil) { _ in 0 }
        #expect((0..<UInt32(SourceCache.size)).allSatisfy { cache.cached($0) == nil })
    }
}
