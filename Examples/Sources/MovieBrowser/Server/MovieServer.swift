// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import FlyingSocks
import Foundation

/// `GET /search?q=…` on a free port of this machine. The shorter the question, the longer it thinks, so that answers
/// come in the wrong order.
actor MovieServer {
    /// The questions, as they came.
    private(set) var heard: [String] = []
    /// The questions, as they were answered, whether or not anybody still listened.
    private(set) var answered: [String] = []

    private let http: HTTPServer
    private var running: Task<Void, any Error>?

    struct NoAddress: Error {}

    init() throws {
        http = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    }

    /// Listens, and tells where.
    func start() async throws -> URL {
        await http.appendRoute("GET /search") { [self] request in
            await answer(to: request.query["q"] ?? "")
        }
        running = Task { [http] in try await http.run() }
        try await http.waitUntilListening()
        guard case .ip4(let host, let port)? = await http.listeningAddress,
            let url = URL(string: "http://\(host):\(port)")
        else { throw NoAddress() }
        return url
    }

    func stop() async {
        await http.stop()
        _ = await running?.result
    }

    private func answer(to query: String) async -> HTTPResponse {
        heard.append(query)
        try? await Task.sleep(for: .milliseconds(200 * max(1, 5 - query.count)))
        answered.append(query)
        guard let body = try? JSONEncoder().encode(Catalogue.search(query)) else {
            return HTTPResponse(statusCode: .internalServerError)
        }
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
    }
}
