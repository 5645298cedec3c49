// SPDX-License-Identifier: Apache-2.0

/// The user agent, the referer and the virtual host of a line as one text, so that one number in an event stands for
/// all of them. NUL separates the parts: no line has one.
struct ClientText: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>?
    private var room = 0

    init() {}

    deinit {
        memory?.deallocate()
    }

    /// Returns the text, which is valid until the next call and followed by readable bytes.
    mutating func text(
        agent: ParsedLine.Slice,
        referer: ParsedLine.Slice,
        site: ParsedLine.Slice
    ) -> ParsedLine.Slice {
        let count = agent.count + referer.count + site.count + 2
        if count > room {
            memory?.deallocate()
            room = max(4096, count * 2)
            memory = .allocate(capacity: room + ByteSearch.padding)
        }
        guard let memory else { return agent }
        Self.put(agent, memory)
        Self.put(referer, memory + agent.count + 1)
        Self.put(site, memory + agent.count + referer.count + 2)
        memory[agent.count] = 0
        memory[agent.count + referer.count + 1] = 0
        return .init(start: memory, count: count)
    }

    @inline(__always)
    private static func put(_ text: ParsedLine.Slice, _ place: UnsafeMutablePointer<UInt8>) {
        if let start = text.baseAddress { place.update(from: start, count: text.count) }
    }

    /// Returns the parts of a text.
    static func parts(of text: KeyText) -> (agent: KeyText, referer: KeyText, site: KeyText) {
        let parts = text.bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        func part(_ number: Int) -> KeyText { KeyText(bytes: number < parts.count ? Array(parts[number]) : []) }
        return (part(0), part(1), part(2))
    }
}
