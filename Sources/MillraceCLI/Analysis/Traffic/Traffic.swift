// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

/// What the page of the log shows besides the counts of the report: bytes by path, host and minute, statuses over time,
/// user agents, referers, virtual hosts, and visitors.
///
/// It is kept only with `--report`. Arrays have one entry for each text of a table, by its
/// index; index 0 stands for the texts that did not fit.
struct Traffic: Sendable {
    /// The figures of a minute.
    struct Minute: Sendable {
        var bytes: UInt64 = 0
        /// The number of events by the first digit of their status, 1 to 5, from index 0.
        var classes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
        /// Minutes since 1970; nil for minutes that did not fit.
        var moment: Int64?
    }

    private(set) var minutes: ContiguousArray<Minute> = [Minute()]
    private(set) var pathBytes: ContiguousArray<UInt64> = [0]
    /// The number of events with status 404.
    private(set) var pathMissing: ContiguousArray<UInt64> = [0]
    private(set) var hostBytes: ContiguousArray<UInt64> = [0]
    private(set) var clients: KeyTable
    private(set) var visitors: Visitors
    /// The number of the user agent of each client text. Agents are numbered in the order of their appearance.
    private var agents: ContiguousArray<UInt32> = [0]
    private var agentNumbers: [KeyText: UInt32] = [:]

    init(clients: KeyTable, maximumKeys: Int) {
        self.clients = clients
        visitors = Visitors(maximum: maximumKeys)
    }

    mutating func count(_ event: AccessEvent, host: Int, path: Int, minute: Int, of table: KeyTable) {
        let client = clients.count(Int(event.client), of: Int(event.producer))
        if minute >= minutes.count { addMinutes(of: table) }
        Self.add(event.size, to: &minutes[minute].bytes)
        minutes[minute].count(event.status)
        Self.grow(&pathBytes, to: path)
        Self.grow(&pathMissing, to: path)
        Self.grow(&hostBytes, to: host)
        Self.add(event.size, to: &pathBytes[path])
        Self.add(event.size, to: &hostBytes[host])
        if event.status == 404 { pathMissing[path] &+= 1 }
        // A client that only got statuses of 4xx is not counted as a visitor.
        guard event.status < 400 || event.status >= 500 else { return }
        visitors.count(host: UInt32(host), agent: agents[client], minute: minutes[minute].moment)
    }

    @inline(never)
    mutating func define(_ definition: KeyDefinition) {
        clients.define(definition)
        numberAgents()
    }

    private mutating func numberAgents() {
        while agents.count < clients.texts.count {
            let agent = ClientText.parts(of: clients.texts[agents.count]).agent
            let number = agentNumbers[agent] ?? UInt32(agentNumbers.count + 1)
            agentNumbers[agent] = number
            agents.append(number)
        }
    }

    /// Adds the traffic of another store, which has other hosts.
    ///
    /// - Parameter hosts: The index of a host here, for each index there; `paths` and `minutes` likewise.
    mutating func add(_ other: Traffic, hosts: [Int], paths: [Int], minutes places: [Int]) {
        clients.add(other.clients)
        visitors.add(other.visitors)
        for (place, bytes) in other.hostBytes.enumerated() {
            Self.grow(&hostBytes, to: hosts[place])
            Self.add(bytes, to: &hostBytes[hosts[place]])
        }
        for (place, bytes) in other.pathBytes.enumerated() {
            let path = paths[place]
            Self.grow(&pathBytes, to: path)
            Self.grow(&pathMissing, to: path)
            Self.add(bytes, to: &pathBytes[path])
            pathMissing[path] &+= other.pathMissing[place]
        }
        for (place, minute) in other.minutes.enumerated() {
            let here = places[place]
            if here >= minutes.count {
                minutes.append(contentsOf: repeatElement(Minute(), count: here + 1 - minutes.count))
            }
            minutes[here].add(minute)
        }
        // The entry of the minutes that did not fit has no time.
        minutes[0].moment = nil
    }

    private mutating func addMinutes(of table: KeyTable) {
        for place in minutes.count..<table.texts.count {
            minutes.append(Minute(moment: CivilTime.minute(text: table.texts[place].bytes)))
        }
    }

    /// Adds without overflowing: a sum stays at its maximum.
    @inline(__always)
    fileprivate static func add(_ size: UInt64, to sum: inout UInt64) {
        let (total, overflow) = sum.addingReportingOverflow(size)
        sum = overflow ? .max : total
    }

    @inline(__always)
    private static func grow(_ counts: inout ContiguousArray<UInt64>, to place: Int) {
        if place >= counts.count { counts.append(contentsOf: repeatElement(0, count: place + 1 - counts.count)) }
    }
}

extension Traffic.Minute {
    fileprivate mutating func add(_ other: Traffic.Minute) {
        Traffic.add(other.bytes, to: &bytes)
        moment = moment ?? other.moment
        classes.0 &+= other.classes.0
        classes.1 &+= other.classes.1
        classes.2 &+= other.classes.2
        classes.3 &+= other.classes.3
        classes.4 &+= other.classes.4
    }

    @inline(__always)
    fileprivate mutating func count(_ status: UInt16) {
        switch status {
        case 200..<300: classes.1 &+= 1
        case 300..<400: classes.2 &+= 1
        case 400..<500: classes.3 &+= 1
        case 500...: classes.4 &+= 1
        default: classes.0 &+= 1
        }
    }
}

extension Traffic {
    /// Writes the figures for a snapshot.
    func write(to output: inout RecordBuffer) {
        output.append(UInt64(minutes.count))
        for minute in minutes { minute.write(to: &output) }
        for sums in [pathBytes, pathMissing, hostBytes] { output.append(contentsOf: sums) }
        clients.write(to: &output)
        visitors.write(to: &output)
    }

    /// Reads figures from a snapshot. The tables of the state say how many texts there are.
    init(_ bytes: inout StateBytes, hosts: KeyTable, paths: KeyTable, minutes table: KeyTable) throws(CodecError) {
        let count = try bytes.count()
        guard 1...table.texts.count ~= count else { throw bytes.damaged("\(count) minutes") }
        var minutes: ContiguousArray<Minute> = []
        for _ in 0..<count { minutes.append(try Minute(&bytes)) }
        let pathBytes = try bytes.array(of: UInt64.self)
        let pathMissing = try bytes.array(of: UInt64.self, count: pathBytes.count)
        let hostBytes = try bytes.array(of: UInt64.self)
        guard 1...paths.texts.count ~= pathBytes.count, 1...hosts.texts.count ~= hostBytes.count else {
            throw bytes.damaged("figures of texts that are in no table")
        }
        self.init(clients: try KeyTable(&bytes), maximumKeys: 0)
        visitors = try Visitors(&bytes)
        (self.minutes, self.pathBytes, self.pathMissing, self.hostBytes) = (minutes, pathBytes, pathMissing, hostBytes)
        numberAgents()
    }
}

extension Traffic.Minute {
    fileprivate func write(to output: inout RecordBuffer) {
        for sum in [bytes, classes.0, classes.1, classes.2, classes.3, classes.4] { output.append(sum) }
        output.append(moment == nil ? 0 as UInt8 : 1)
        output.append(moment ?? 0)
    }

    fileprivate init(_ source: inout StateBytes) throws(CodecError) {
        bytes = try source.next()
        classes = (
            try source.next(), try source.next(), try source.next(), try source.next(), try source.next()
        )
        let hasMoment = try source.next() as UInt8 == 1
        let time: Int64 = try source.next()
        moment = hasMoment ? time : nil
    }
}
