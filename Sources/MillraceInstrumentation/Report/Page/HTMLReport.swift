// SPDX-License-Identifier: Apache-2.0

/// The measurements as one HTML page: why the store is slow, percentile curves, a heat map of latencies over time with
/// the throughput below it, and tables.
///
/// ```swift
/// try HTMLReport(snapshot, title: "Orders, Monday's load").write(toFile: "report.html")
/// ```
///
/// The page is one file that loads no other files, so it can be mailed and archived. It follows the light or dark mode
/// of the reader's system, and fits the screen of a phone. Without scripts it shows ``SlownessReport`` and
/// ``LatencyTable``. It takes about 30 KB, up to 1 KB for each stage or kind, and up to 100 KB for the heat map.
public struct HTMLReport: InstrumentationReport {
    private let snapshot: InstrumentationSnapshot
    private let title: String
    /// A link under the heading: its text, and its address.
    private let link: (text: String, address: String)?

    /// Creates a page of a snapshot or an interval.
    ///
    /// - Parameters:
    ///   - snapshot: The measurements to show.
    ///   - title: The heading; nil: the label of the store.
    public init(_ snapshot: InstrumentationSnapshot, title: String? = nil) {
        self.snapshot = snapshot
        self.title = title ?? snapshot.label
        link = nil
    }

    /// Creates a page with a link under its heading.
    package init(_ snapshot: InstrumentationSnapshot, title: String, link: (text: String, address: String)?) {
        self.snapshot = snapshot
        self.title = title
        self.link = link
    }

    /// Writes the page.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        let title = Escaping.html(Escaping.plain(title))
        target.write(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>
            \(Page.style)
            </style>
            </head>
            <body>
            <header><h1>\(title)</h1><p id="headline">\(Escaping.html(snapshot.headline))</p>\(anchor)</header>
            \(Page.markup)
            <noscript><pre>
            """
        )
        target.write(Escaping.html("\(SlownessReport(snapshot))\n\(LatencyTable(snapshot))"))
        target.write("</pre></noscript>\n<script type=\"application/json\" id=\"data\">")
        PageData(snapshot).json.write(to: &target)
        target.write("</script>\n<script>\n\"use strict\";\n")
        for part in [Page.tools, Page.curves, Page.timeline, Page.tables] { target.write(part + "\n") }
        target.write("</script>\n</body>\n</html>\n")
    }
}

extension HTMLReport {
    private var anchor: String {
        guard let link else { return "" }
        return "<p><a href=\"\(Escaping.html(link.address))\">\(Escaping.html(link.text))</a></p>"
    }
}

/// The constant parts of the page, each in its own file.
package enum Page {
    static let markup = """
        <main>
        <section id="tiles" class="tiles"></section>
        <section><h2>Why is it slow?</h2><div id="why"></div></section>
        <section><h2>How long it takes</h2><div id="curves"></div></section>
        <section id="time"><h2>Over time</h2><div id="heat"></div><div id="rate"></div></section>
        <section><h2>Stages</h2><div id="stages" class="wide"></div></section>
        <section id="bykind"><h2>Kinds of actions</h2><div id="kinds" class="wide"></div></section>
        <section id="byeffect"><h2>Effects</h2><div id="effects" class="wide"></div></section>
        </main>
        <footer id="foot"></footer>
        <div id="tip" role="status" hidden></div>
        """
}
