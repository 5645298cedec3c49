// SPDX-License-Identifier: Apache-2.0

/// Says which member of a JSON object is which field of a request. The name of a member of an inner object begins
/// with the name of that object and a dot: `request.uri`.
struct JSONNames: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The name in lower case.
        var name: [UInt8]
        var slot: FieldSlot
        /// If several members of a line have the same slot, the one with the smallest rank is used.
        var rank: UInt8
    }

    /// `json`, or the layout as it was given.
    let text: String
    /// The entries by the length of their names.
    private let byLength: [[Entry]]

    private init(text: String, entries: [Entry]) {
        self.text = text
        var byLength = [[Entry]](repeating: [], count: (entries.map(\.name.count).max() ?? 0) + 1)
        for entry in entries { byLength[entry.name.count].append(entry) }
        self.byLength = byLength
    }

    /// Returns the entry for a name, whatever the case of its letters; nil if there is none.
    @inline(__always)
    func entry(_ name: UnsafeBufferPointer<UInt8>) -> Entry? {
        guard name.count < byLength.count else { return nil }
        next: for entry in byLength[name.count] {
            for place in name.indices where Byte.lowercased(name[place]) != entry.name[place] { continue next }
            return entry
        }
        return nil
    }

    /// The usual names: nginx's variables, and names of Caddy, Traefik, Envoy, Google Cloud, Apache and the Elastic
    /// Common Schema. Of each list, the first name has the smallest rank.
    static let usual: JSONNames = {
        let names: [(FieldSlot, String)] = [
            (.timeAny, "time_iso8601 time_local @timestamp timestamp time ts msec datetime date startutc start_time"),
            (
                .host,
                """
                remote_addr client_ip clientip remote_ip request.client_ip request.remote_ip clienthost client.ip \
                source.ip ip c_ip remote_host remoteip remoteaddr downstream_remote_address httprequest.remoteip client
                """
            ),
            (.forwarded, "http_x_forwarded_for x_forwarded_for"),
            (
                .method,
                """
                request_method method request.method requestmethod http_method verb http.request.method \
                httprequest.requestmethod
                """
            ),
            (
                .target,
                """
                request_uri request.uri requesturi uri url requestpath request_path path url.original \
                httprequest.requesturl
                """
            ),
            (.query, "args query_string query"),
            (.request, "request request_line"),
            (
                .status,
                """
                status status_code statuscode response_code downstreamstatus sc_status response \
                http.response.status_code httprequest.status
                """
            ),
            (
                .size,
                """
                body_bytes_sent bytes_sent size bytes bytes_out response_size downstreamcontentsize \
                http.response.body.bytes http.response.bytes httprequest.responsesize
                """
            ),
            (
                .referer,
                """
                http_referer referer referrer request.headers.referer request_referer http.request.referrer \
                httprequest.referer
                """
            ),
            (
                .agent,
                """
                http_user_agent user_agent useragent agent request.headers.user-agent request_user-agent \
                user_agent.original httprequest.useragent
                """
            ),
            (.site, "http_host host server_name vhost request.host requesthost authority url.domain"),
        ]
        let entries = names.flatMap { slot, list in
            list.split(separator: " ").enumerated().map { rank, name in
                Entry(name: Array(name.utf8), slot: slot, rank: UInt8(rank))
            }
        }
        return JSONNames(text: "json", entries: entries)
    }()

    /// Creates the names from a layout: one JSON object whose values are variables of nginx, in quotes or not.
    init(_ line: LogFormatLine) throws(FormatError) {
        var reader = JSONLayoutReader(Array(line.text.utf8))
        try reader.read()
        var known: Set<FieldSlot> = []
        var entries: [Entry] = []
        for (name, variable) in reader.members {
            let slot = FieldSlot.of(variable: variable)
            guard slot != .skip, known.insert(slot).inserted else { continue }
            entries.append(Entry(name: name.map(Byte.lowercased), slot: slot, rank: 0))
        }
        try FieldSlot.check(entries.map(\.slot))
        self.init(text: line.text, entries: entries)
    }
}
