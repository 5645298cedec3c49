// SPDX-License-Identifier: Apache-2.0

/// The texts of a generated log: a medium web site with some regular visitors, many others and some robots.
struct LogVocabulary: Sendable {
    let hosts: WeightedTexts
    let users: WeightedTexts
    /// Texts like `GET /path HTTP/1.1" 200 `: request and status are drawn together.
    let requests: WeightedTexts
    /// The texts of `"referer" "agent"` are drawn from these two.
    let referers: WeightedTexts
    let agents: WeightedTexts

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        hosts = WeightedTexts(zipf: Self.hosts(8000, &random), exponent: 0.875)
        users = WeightedTexts(
            ["- - [", "- alice [", "- bob [", "- carol [", "- deploy ["],
            weights: [95, 2, 1.5, 1, 0.5]
        )
        let paths = Self.paths(2500, &random)
        requests = Self.requests(paths, &random)
        var referers = ["-"]
        referers += paths.prefix(200).map { "https://www.example.org\($0)" }
        referers += ["search", "news", "forum"].flatMap { site in
            (1...40).map { "https://\(site).example.com/?q=\($0 * 37)&source=web&cd=\($0)" }
        }
        self.referers = WeightedTexts(zipf: referers, exponent: 0.75)
        agents = WeightedTexts(zipf: Self.agents, exponent: 0.75)
    }

    private static func hosts(_ count: Int, _ random: inout SplitMix64) -> [String] {
        (0..<count).map { place in
            if place % 25 == 24 { return "2001:db8:\(hex(random.below(65_536)))::\(hex(place))" }
            if place % 40 == 39 { return "crawl-\(place).bot.example.net" }
            return "\(random.below(223) + 1).\(random.below(256)).\(random.below(256)).\(place & 0xFF)"
        }
    }

    private static func hex(_ number: Int) -> String { String(number, radix: 16) }

    private static func paths(_ count: Int, _ random: inout SplitMix64) -> [String] {
        let folders = [
            "articles", "blog", "docs", "files", "images", "projects", "shop", "static/css", "static/js", "tags",
        ]
        let words = [
            "access", "batch", "canal", "delta", "engine", "flow", "gate", "harbour", "inlet", "journal", "kernel",
            "lock", "mill", "node", "ocean", "pump", "queue", "river", "sluice", "tide", "union", "valve", "water",
        ]
        let endings = ["", "/", ".html", ".png", ".jpg", ".css", ".js", ".pdf", ".xml", "?page=2", "?utm_source=feed"]
        var paths = ["/", "/favicon.ico", "/robots.txt", "/style.css", "/images/logo.png", "/feed.xml", "/login"]
        while paths.count < count {
            let first = words[random.below(words.count)]
            let second = words[random.below(words.count)]
            let folder = folders[random.below(folders.count)]
            paths.append("/\(folder)/\(first)-\(second)-\(paths.count)\(endings[random.below(endings.count)])")
        }
        return paths
    }

    private static func requests(_ paths: [String], _ random: inout SplitMix64) -> WeightedTexts {
        // Each path has one to four combinations of method, protocol and status.
        let outcomes = [
            ("GET", "HTTP/1.1", 200, 100.0), ("GET", "HTTP/1.1", 304, 12), ("GET", "HTTP/2.0", 200, 25),
            ("HEAD", "HTTP/1.1", 200, 2), ("GET", "HTTP/1.0", 206, 1), ("POST", "HTTP/1.1", 302, 3),
            ("GET", "HTTP/1.1", 404, 4), ("GET", "HTTP/1.1", 301, 3), ("POST", "HTTP/1.1", 201, 1),
            ("GET", "HTTP/1.1", 500, 0.5), ("PUT", "HTTP/1.1", 403, 0.3), ("OPTIONS", "HTTP/1.1", 204, 0.6),
            ("DELETE", "HTTP/1.1", 405, 0.2), ("GET", "HTTP/1.1", 503, 0.3),
        ]
        var texts: [String] = []
        var weights: [Double] = []
        for (place, path) in paths.enumerated() {
            let popularity = 1 / Double(place + 3)
            for turn in 0..<4 {
                let (method, version, status, weight) = outcomes[turn == 0 ? 0 : random.below(outcomes.count)]
                texts.append("\(method) \(path) \(version)\" \(status) ")
                weights.append(popularity * weight)
            }
        }
        texts += ["GET /search?q=\\\"mill race\\\" HTTP/1.1\" 400 ", "-\" 408 "]
        texts[texts.count - 2] = "GET /search?q=\\\"millrace\\\" HTTP/1.1\" 200 "
        weights += [0.3, 0.5]
        return WeightedTexts(texts, weights: weights)
    }

    private static let agents: [String] = {
        let systems = ["Windows NT 10.0; Win64; x64", "X11; Linux x86_64", "Macintosh; Intel Mac OS X 10_15_7"]
        var agents = systems.flatMap { system in
            (118...124).flatMap { version in
                [
                    "Mozilla/5.0 (\(system)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/\(version).0.0.0 Safari/537.36",
                    "Mozilla/5.0 (\(system); rv:\(version).0) Gecko/20100101 Firefox/\(version).0",
                ]
            }
        }
        agents += [
            "Mozilla/5.0 (compatible; ExampleBot/2.1; +http://www.example.com/bot.html)", "curl/8.5.0", "-",
            "Wget/1.21.4", "UniversalFeedParser/4.2 +http://feedparser.org/", "Probe \\\"check\\\"",
        ]
        return agents
    }()
}
