// SPDX-License-Identifier: Apache-2.0

/// What a field of a line means for the analysis. All layouts except those of `LogFormat.Known` collect their fields by
/// these slots.
enum FieldSlot: UInt8, CaseIterable, Sendable {
    /// A field that is not used.
    case skip
    /// The address of the client. `forwarded` is a list of addresses: if the line has no `host`, the first of them is
    /// the client.
    case host, forwarded
    /// A point in time: `17/May/2015:10:05:03 +0000`; ISO 8601; seconds since 1970; or any of these, also milliseconds,
    /// microseconds or nanoseconds since 1970.
    case timeLocal, timeISO, timeEpoch, timeAny
    /// A date and a time of day in UTC, in two fields.
    case date, timeOfDay
    /// `METHOD target PROTOCOL`.
    case request
    case method
    /// The path with its query, the path alone, and the query alone.
    case target, path, query
    case status
    case size
    case referer
    case agent
    /// The virtual host.
    case site

    /// Returns the slot of a variable of nginx. Variables that are not used, and unknown ones, are skipped.
    static func of(variable name: String) -> FieldSlot { byVariable[name] ?? .skip }

    private static let byVariable: [String: FieldSlot] = [
        "remote_addr": .host, "http_x_real_ip": .host, "http_x_forwarded_for": .forwarded,
        "time_local": .timeLocal, "time_iso8601": .timeISO, "msec": .timeEpoch,
        "request": .request, "request_method": .method, "request_uri": .target,
        "uri": .path, "document_uri": .path, "args": .query, "query_string": .query,
        "status": .status, "body_bytes_sent": .size, "bytes_sent": .size,
        "http_referer": .referer, "http_user_agent": .agent,
        "host": .site, "http_host": .site, "server_name": .site,
    ]

    /// Throws an error if the fields that every event needs are not among `slots`.
    static func check(_ slots: [FieldSlot]) throws(FormatError) {
        if !slots.contains(where: { [.timeLocal, .timeISO, .timeEpoch].contains($0) }) {
            throw .missing(what: "time", variables: "$time_local, $time_iso8601 or $msec")
        }
        if !slots.contains(.status) { throw .missing(what: "status", variables: "$status") }
        if !slots.contains(where: { [.request, .target, .path].contains($0) }) {
            throw .missing(what: "path", variables: "$request, $request_uri or $uri")
        }
        if !slots.contains(where: { [.host, .forwarded].contains($0) }) {
            throw .missing(what: "client", variables: "$remote_addr, $http_x_real_ip or $http_x_forwarded_for")
        }
    }
}
