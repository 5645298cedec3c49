// SPDX-License-Identifier: Apache-2.0

@testable import MillraceTool

/// The value of '--format'.
let formatsTarget = FuzzTarget(name: "formats", mostBytes: 512, seeds: formatSeeds) { input in
    let argument = String(decoding: input, as: UTF8.self)
    do throws(FormatError) {
        let format = try LogFormat(argument: argument)
        // What is shown of a format is an argument for the same format.
        do throws(FormatError) {
            let again = try LogFormat(argument: format.description)
            expect(again == format, "'\(format.description)' is another format")
        } catch {
            expect(false, "'\(format.description)' is refused: \(error)")
        }
    } catch {
        expect(!error.description.isEmpty, "an error without words")
    }
}

@Sendable private func formatSeeds() -> [(name: String, bytes: [UInt8])] {
    let texts = [
        ("combined", "combined"), ("w3c", "w3c"),
        ("line", #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer""#),
        ("braces", #"${remote_addr} ${msec} $uri$is_args$args $status"#),
        ("directive", #"log_format main '$remote_addr [$time_local] ' '"$request" $status';"#),
        ("escape", #"log_format main escape=json '{"a":"$remote_addr","t":"$msec","u":"$uri","s":$status}';"#),
        ("json", #"{"when": "$time_iso8601", "ip": "$remote_addr", "in": {"url": "$request_uri"}, "code": "$status"}"#),
        ("wrong", #"$remote_addr$status"#), ("open", "{\"a\": \"$remote_addr"),
    ]
    return texts.map { ($0.0, Array($0.1.utf8)) }
}
