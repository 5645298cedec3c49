// SPDX-License-Identifier: Apache-2.0

/// Turns lines into actions: one event or malformed line per line, and a definition for each text that is new to a
/// shard.
struct EventEncoder: ~Copyable {
    let producer: UInt16
    private(set) var parser: LineParser
    private var layouts = LayoutParser()
    /// Whether `layouts` reads the lines, and not `parser`.
    private var usesLayouts = false
    /// Whether lines that begin with `#` are directives.
    private(set) var hasDirectives = false
    private var router: LineRouter
    private var hosts: KeyInterner
    private var paths: KeyInterner
    private var methods: KeyInterner
    private var minutes: KeyInterner
    private var clients: KeyInterner
    /// Whether the fields of ``KeyDimension/client`` are counted; only the page of the log needs them.
    private let keepsClients: Bool
    private var clientText = ClientText()
    /// The last minute. Successive lines of a log mostly have the same minute.
    private var lastMinute: (minute: Int64, number: UInt32) = (.min, 0)

    /// - Parameter hash: The hash of the tables of texts.
    init(
        producer: UInt16,
        format: LogFormat,
        maximumKeys: Int,
        hash: KeyHash,
        shards: Int,
        keepsClients: Bool = false
    ) {
        self.producer = producer
        parser = LineParser(format: format)
        usesLayouts = layouts.use(format)
        hasDirectives = format.hasDirectives
        router = LineRouter(count: shards)
        let budget = KeyBudget(maximum: maximumKeys)
        hosts = KeyInterner(hash: hash, budget: budget)
        paths = KeyInterner(hash: hash, budget: budget)
        minutes = KeyInterner(hash: hash, budget: budget)
        methods = KeyInterner(hash: hash, budget: .methods(maximumKeys), initialSlots: 64)
        clients = KeyInterner(hash: hash, budget: budget, initialSlots: keepsClients ? 1024 : 2)
        self.keepsClients = keepsClients
    }

    /// Reads the following lines by a format.
    @inline(never)
    mutating func use(_ format: LogFormat) {
        parser.use(format)
        usesLayouts = layouts.use(format)
        hasDirectives = format.hasDirectives
    }

    /// Takes a line that begins with `#`.
    @inline(never)
    mutating func take(directive line: UnsafeBufferPointer<UInt8>) { layouts.take(directive: line) }

    /// Adds the actions of one line, without its newline, to `batches`. Returns what is wrong with the line, or nil.
    @inline(__always)
    mutating func encode(
        _ start: BytePointer,
        _ end: BytePointer,
        isTerminated: Bool,
        into batches: inout ShardBatches
    ) -> MalformedReason? {
        if usesLayouts { return encodeLayout(start, end, into: &batches) }
        if let reason = parser.parse(start, end, isTerminated: isTerminated) { return reason }
        addEvent(of: parser.line, to: &batches)
        return nil
    }

    // Not inlined, so that the code for the known layouts stays small.
    @inline(never)
    private mutating func encodeLayout(
        _ start: BytePointer,
        _ end: BytePointer,
        into batches: inout ShardBatches
    ) -> MalformedReason? {
        if let reason = layouts.parse(start, end) { return reason }
        addEvent(of: layouts.line, to: &batches)
        return nil
    }

    @inline(__always)
    private mutating func addEvent(of line: ParsedLine, to batches: inout ShardBatches) {
        let host = hosts.number(of: line.host)
        let shard = router.shard(of: host, line.host)
        if router.mustDefine(host, .host, for: shard) { define(line.host, host, .host, shard, &batches) }
        let path = paths.number(of: line.path)
        if router.mustDefine(path, .path, for: shard) { define(line.path, path, .path, shard, &batches) }
        let method = methods.number(of: line.method)
        if router.mustDefine(method, .method, for: shard) { define(line.method, method, .method, shard, &batches) }
        let minute = number(of: line.minute)
        if router.mustDefine(minute, .minute, for: shard) {
            define(CivilTime.text(minute: line.minute), minute, .minute, shard, &batches)
        }
        let event = AccessEvent(
            size: line.size,
            host: host.number,
            path: path.number,
            minute: minute.number,
            client: keepsClients ? client(shard, &batches) : 0,
            method: UInt16(truncatingIfNeeded: method.number),
            status: line.status,
            producer: producer
        )
        batches.add(event, to: shard)
    }

    @inline(__always)
    private mutating func number(of minute: Int64) -> KeyInterner.Answer {
        if minute == lastMinute.minute { return (lastMinute.number, false) }
        let answer = lookUp(minute)
        lastMinute = (minute, answer.number)
        return answer
    }

    @inline(never)
    private mutating func client(_ shard: Int, _ batches: inout ShardBatches) -> UInt32 {
        let fields = usesLayouts ? layouts.clientFields : parser.clientFields
        let text = clientText.text(agent: fields.agent, referer: fields.referer, site: fields.site)
        let client = clients.number(of: text)
        if router.mustDefine(client, .client, for: shard) { define(text, client, .client, shard, &batches) }
        return client.number
    }

    private mutating func lookUp(_ minute: Int64) -> KeyInterner.Answer {
        // The hash reads whole words, so the bytes behind the text must be readable.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8 + ByteSearch.padding) { bytes in
            bytes.initialize(repeating: 0)
            UnsafeMutableRawBufferPointer(bytes).storeBytes(of: minute, as: Int64.self)
            return minutes.number(of: .init(rebasing: bytes[..<8]))
        }
    }

    @inline(never)
    private func define(
        _ text: some Sequence<UInt8>,
        _ key: KeyInterner.Answer,
        _ dimension: KeyDimension,
        _ shard: Int,
        _ batches: inout ShardBatches
    ) {
        let text = KeyText(bytes: Array(text))
        let definition = KeyDefinition(text: text, number: key.number, producer: producer, dimension: dimension)
        batches.add(control: .define(definition), to: shard)
    }
}
