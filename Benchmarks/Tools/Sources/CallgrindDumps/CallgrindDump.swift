// SPDX-License-Identifier: Apache-2.0

/// The figures in a file that callgrind wrote.
public struct CallgrindDump {
    /// What the program called the dump; a row has a short run and a long one.
    public private(set) var label = ""
    /// All instructions apart from those of the searches in hash tables of Swift's runtime.
    public private(set) var instructions = 0.0
    /// Calls of the runtime that retain.
    public private(set) var retains = 0.0
    /// Calls of the runtime that release.
    public private(set) var releases = 0.0
    /// Calls of the system.
    public private(set) var systemCalls = 0.0
    /// Cache lines that were not in the simulated cache.
    public private(set) var lines = 0.0

    private static let retaining = names(of: "retain")
    private static let releasing = names(of: "release")

    /// The functions of Swift's runtime that change a reference count. The variants that end with `_n` count as one
    /// call.
    private static func names(of verb: String) -> Set<String> {
        ["swift_\(verb)", "swift_\(verb)_n", "swift_nonatomic_\(verb)", "swift_nonatomic_\(verb)_n"]
    }

    /// Returns whether a function is the search in a hash table of Swift's runtime: of generic types, conformances, and
    /// so on. The hash is made of addresses in the program. So two builds of the same code need different numbers of
    /// instructions for a search, up to 2 % of a row. The functions that call the search are counted.
    private static func isSearch(_ name: Substring) -> Bool {
        name.contains("swift::ConcurrentReadableHashMap<") && name.contains("::find<")
            || name.hasPrefix("swift::MetadataCacheKey::operator==")
    }

    /// Reads the text of a file. Nil if the file is not that of a labelled dump.
    public init?(_ text: String) {
        var events: [Substring] = []
        var functions: [Substring: Substring] = [:]
        var called: Substring?
        var isSearch = false
        // The line after a call has the cost of the called function, which is also listed for itself.
        var isCostOfCall = false
        var searches = 0.0
        for line in text.split(separator: "\n") {
            if let first = line.utf8.first, Self.startsCost.contains(first) {
                if isSearch, !isCostOfCall { searches += Self.instructions(line, events) }
                isCostOfCall = false
            } else if line.hasPrefix("calls=") {
                isCostOfCall = true
                // `calls=<number> <position>`, after the line that names the called function.
                let count = line.dropFirst(6).prefix { $0 != " " }
                if let name = called, let count = Double(count) { add(count, callsOf: name) }
            } else if line.hasPrefix("cfn=") {
                called = Self.name(line.dropFirst(4), &functions)
            } else if line.hasPrefix("fn=") {
                isSearch = Self.name(line.dropFirst(3), &functions).map(Self.isSearch) ?? false
            } else if line.hasPrefix("desc: Trigger: Client Request: ") {
                label = line.split(separator: " ").last.map(String.init) ?? ""
            } else if line.hasPrefix("events: ") {
                events = line.dropFirst(8).split(separator: " ")
            } else if line.hasPrefix("totals: ") {
                add(totals: line.dropFirst(8).split(separator: " "), events)
            }
        }
        if label.isEmpty || instructions == 0 { return nil }
        instructions -= searches
    }

    /// The first characters of a line with a cost: its position is a number, a difference, or the one before.
    private static let startsCost = Set("0123456789+-*".utf8)

    /// Returns the instructions in `<position> <count of each event>`.
    private static func instructions(_ line: Substring, _ events: [Substring]) -> Double {
        guard let index = events.firstIndex(of: "Ir") else { return 0 }
        let parts = line.split(separator: " ")
        return index + 1 < parts.count ? Double(parts[index + 1]) ?? 0 : 0
    }

    /// Returns the name in `(7) name`; later lines of the file have only `(7)`.
    private static func name(_ text: Substring, _ functions: inout [Substring: Substring]) -> Substring? {
        guard let end = text.firstIndex(of: ")") else { return text }
        let number = text[...end]
        let name = text[text.index(after: end)...].drop { $0 == " " }
        if !name.isEmpty { functions[number] = name }
        return functions[number]
    }

    private mutating func add(_ count: Double, callsOf name: Substring) {
        // Callgrind marks a function that is in a cycle of calls: `name'2`.
        let name = String(name.prefix { $0 != "'" })
        if Self.retaining.contains(name) { retains += count }
        if Self.releasing.contains(name) { releases += count }
    }

    /// Adds the totals. Callgrind leaves out zeros at the end, so there may be fewer totals than events.
    private mutating func add(totals: [Substring], _ events: [Substring]) {
        for (event, total) in zip(events, totals) {
            guard let total = Double(total) else { continue }
            switch event {
            case "Ir": instructions = total
            case "sysCount": systemCalls = total
            case "D1mr", "D1mw": lines += total
            default: break
            }
        }
    }

    /// Returns the smaller figure of each kind: sometimes memory is recycled or given back during a run.
    public func least(_ other: CallgrindDump) -> CallgrindDump {
        var least = self
        least.instructions = min(instructions, other.instructions)
        least.retains = min(retains, other.retains)
        least.releases = min(releases, other.releases)
        least.systemCalls = min(systemCalls, other.systemCalls)
        least.lines = min(lines, other.lines)
        return least
    }
}
