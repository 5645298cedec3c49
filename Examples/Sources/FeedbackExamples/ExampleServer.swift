// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import FlyingSocks
package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server of the examples, on a free port of this machine.
package actor ExampleServer {
    /// What it was asked, in order.
    package private(set) var requests: [String] = []

    private let http: HTTPServer
    private var running: Task<Void, any Error>?

    struct NoAddress: Error {}

    package init() throws {
        http = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    }

    /// Listens, and returns its address.
    package func start() async throws -> URL {
        await http.appendRoute("GET /titles") { [self] in await titles(page: Int($0.query["page"] ?? "") ?? 0) }
        await http.appendRoute("GET /free") { [self] in await isFree($0.query["name"] ?? "") }
        await http.appendRoute("POST /sign-in") { [self] in await signIn($0.query["name"] ?? "") }
        running = Task { [http] in try await http.run() }
        try await http.waitUntilListening()
        guard case .ip4(let host, let port)? = await http.listeningAddress,
            let address = URL(string: "http://\(host):\(port)")
        else { throw NoAddress() }
        return address
    }

    package func stop() async {
        await http.stop()
        _ = await running?.result
    }

    static let pageSize = 20
    static let pageCount = 4

    /// Four pages. The third is not served at the first request.
    private func titles(page: Int) -> HTTPResponse {
        requests.append("titles \(page)")
        guard (0..<Self.pageCount).contains(page) else { return HTTPResponse(statusCode: .notFound) }
        if page == 2, requests.count(where: { $0 == "titles 2" }) == 1 {
            return HTTPResponse(statusCode: .serviceUnavailable)
        }
        let first = page * Self.pageSize
        return json(
            Page(
                titles: (first..<first + Self.pageSize).map { "Title \($0 + 1)" },
                isLast: page == Self.pageCount - 1
            )
        )
    }

    private func isFree(_ name: String) -> HTTPResponse {
        requests.append("free \(name)")
        return json(!["ada", "alan", "grace"].contains(name))
    }

    private func signIn(_ name: String) -> HTTPResponse {
        requests.append("sign in \(name)")
        return HTTPResponse(statusCode: name == "mallory" ? .forbidden : .ok)
    }

    private func json(_ value: some Encodable) -> HTTPResponse {
        guard let body = try? JSONEncoder().encode(value) else { return HTTPResponse(statusCode: .internalServerError) }
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
    }
}

/// Asks the server.
package struct ExampleClient: Sendable {
    private let server: URL
    private let session = URLSession(configuration: .ephemeral)

    package struct Refusal: Error, CustomStringConvertible {
        let status: Int

        package var description: String { "the server says \(status)" }
    }

    package init(server: URL) {
        self.server = server
    }

    @Sendable
    package func page(_ number: Int) async throws -> Page {
        try JSONDecoder().decode(Page.self, from: await answer("titles", ["page": "\(number)"]))
    }

    @Sendable
    package func isFree(_ name: String) async throws -> Bool {
        try JSONDecoder().decode(Bool.self, from: await answer("free", ["name": name]))
    }

    /// A real client would send the password, and not in the address.
    @Sendable
    package func signIn(_ name: String, _ password: String) async throws {
        _ = try await answer("sign-in", ["name": name], method: "POST")
    }

    private func answer(_ path: String, _ query: [String: String], method: String = "GET") async throws -> Data {
        let items = query.map { URLQueryItem(name: $0.key, value: $0.value) }
        var request = URLRequest(url: server.appending(path: path).appending(queryItems: items))
        request.httpMethod = method
        let (body, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Refusal(status: status) }
        return body
    }
}
