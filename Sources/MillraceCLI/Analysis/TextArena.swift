// SPDX-License-Identifier: Apache-2.0

/// Stores texts. They never move, and their memory is freed together with the arena.
struct TextArena: ~Copyable {
    private static let blockSize = 64 << 10

    private var blocks: [UnsafeMutablePointer<UInt8>] = []
    private var free: UnsafeMutableBufferPointer<UInt8> = .init(start: nil, count: 0)

    init() {}

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// Copies `text` and returns the address of the copy.
    mutating func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<UInt8> {
        if text.count > free.count || free.baseAddress == nil {
            let size = max(Self.blockSize, text.count)
            let block = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
            blocks.append(block)
            free = .init(start: block, count: size)
        }
        let place = free.baseAddress!
        if let start = text.baseAddress { place.initialize(from: start, count: text.count) }
        free = .init(start: place + text.count, count: free.count - text.count)
        return UnsafePointer(place)
    }
}
