// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Logging
import Millrace
import MillraceLogging
import MillraceRuntime
import TestSupport

enum CartAction: Equatable, Sendable {
    case add(String, price: Int)
    case rename(String)
    case clear
    case item(ItemAction)
}

enum ItemAction: Equatable, Sendable {
    case mark(Int)
    case drop
}

struct Cart: Equatable, Sendable {
    var owner = "nobody"
    var prices: [Int] = []
}

let cartReducer = Reducer<CartAction, Cart>.reduce { action, cart in
    switch action {
    case .add(_, let price): cart.prices.append(price)
    case .rename(let owner): cart.owner = owner
    case .clear: cart.prices = []
    case .item: break
    }
}

typealias CartLogger = LoggedMiddleware<IdentityMiddleware<CartAction, CartAction, Cart>>
typealias CartStore = ReduxStoreBase<CartAction, Cart>

func makeStore(_ middleware: sending some MiddlewareProtocol<CartAction, CartAction, Cart>) -> CartStore {
    CartStore(initialState: Cart(), reducer: cartReducer, middleware: middleware, publication: .onDemand)
}

/// Nothing to log but the actions themselves.
let nothing = IdentityMiddleware<CartAction, CartAction, Cart>()

/// Keeps what swift-log is given.
struct RecordingHandler: LogHandler {
    let events: Recorder<LogEvent>
    /// Shared by all copies, as of a program that changes its level while it runs.
    let level: Shared<Logger.Level>
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(level: Logger.Level = .trace) {
        events = Recorder()
        self.level = Shared(level)
    }

    var logLevel: Logger.Level {
        get { level.value }
        set { level.value = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { events.record(event) }

    var logger: Logger { Logger(label: "test") { _ in self } }
    var texts: [String] { events.all.map { "\($0.message)" } }
}

/// A printer of lines, and the lines.
struct Lines: Sendable {
    private let recorder = Recorder<String>()

    func record(_ line: String) { recorder.record(line) }

    var printer: LogPrinter {
        let recorder = recorder
        return .custom { text in
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) { recorder.record(String(line)) }
        }
    }
    var all: [String] { recorder.all }
}

/// A clock that stands still until it is told to go on.
final class HandClock: Sendable {
    private let ticks = Shared<UInt64>(1_000_000)

    func advance(by duration: Duration) { ticks.update { $0 += Ticks.count(in: duration) } }
    func stepBack(by duration: Duration) { ticks.update { $0 -= Ticks.count(in: duration) } }
    var read: @Sendable () -> Ticks { { Ticks(rawValue: self.ticks.value) } }
}

/// A folder that is gone afterwards.
final class TemporaryFolder {
    let path: String

    init() {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
        var template = Array("\(parent)/millrace-logging-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        return names
    }

    /// The lines of a file in it; nil if there is none.
    func lines(_ name: String) -> [String]? {
        guard let file = fopen("\(path)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }
}
