// SPDX-License-Identifier: Apache-2.0

/// The elements of the pictures, and the document around them. The classes of the elements are those of its style sheet.
enum SVG {
    /// A straight line.
    static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
        "<line class=\"\(style)\" x1=\"\(x1.fixed(1))\" y1=\"\(y1.fixed(1))\" x2=\"\(x2.fixed(1))\" y2=\"\(y2.fixed(1))\"/>"
    }

    /// A line through all points.
    static func curve(_ points: [(x: Double, y: Double)], _ style: String) -> String {
        let places = points.map { "\($0.x.fixed(1)),\($0.y.fixed(1))" }
        return "<polyline class=\"\(style)\" points=\"\(places.joined(separator: " "))\"/>"
    }

    /// A text. A text that would be wider than `atMost`, by estimate, is drawn narrower.
    static func text(_ text: String, x: Double, y: Double, style: String, atMost: Double = .infinity) -> String {
        let fitted =
            Double(text.count) * 7.2 > atMost ? " textLength=\"\(atMost.whole)\" lengthAdjust=\"spacingAndGlyphs\"" : ""
        return "<text class=\"\(style)\" x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\"\(fitted)>\(text.escaped)</text>"
    }

    /// A circle, a diamond or a square, so that the marks can be told apart without their colours.
    static func mark(_ index: Int, x: Double, y: Double, _ style: String) -> String {
        switch index {
        case 0: "<circle class=\"\(style)\" cx=\"\(x.fixed(1))\" cy=\"\(y.fixed(1))\" r=\"4.5\"/>"
        case 1:
            "<path class=\"\(style)\" d=\"M\(x.fixed(1)) \((y - 5).fixed(1))l5 5l-5 5l-5 -5z\"/>"
        default:
            "<rect class=\"\(style)\" x=\"\((x - 4).fixed(1))\" y=\"\((y - 4).fixed(1))\" width=\"8\" height=\"8\"/>"
        }
    }

    /// The picture has its own background: the page behind it may have another theme than the reader's system.
    static func document(
        width: Double,
        height: Double,
        title: String,
        description: String,
        _ lines: [String]
    ) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width.whole)" height="\(height.whole)" \
        viewBox="0 0 \(width.whole) \(height.whole)" role="img" aria-labelledby="title description">
        <title id="title">\(title.escaped)</title>
        <desc id="description">\(description.escaped)</desc>
        <style>
        text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 13px; }
        .background { fill: #ffffff; stroke: #d0d7de; }
        .title { font-size: 17px; font-weight: 600; fill: #1f2328; }
        .heading { font-size: 14px; font-weight: 600; fill: #1f2328; }
        .small { font-size: 12px; }
        .name { fill: #1f2328; }
        .ours-text { fill: #0a58ca; font-weight: 600; }
        .note { font-size: 11px; fill: #59636e; }
        .middle { text-anchor: middle; }
        .end { text-anchor: end; }
        .grid { stroke: #d0d7de; stroke-width: 1; }
        .range { stroke-width: 3; stroke-linecap: round; }
        .thin { stroke-width: 1; }
        .curve { stroke-width: 1.5; }
        .ours { fill: #0a58ca; stroke: #0a58ca; }
        .theirs { fill: #6e7781; stroke: #6e7781; }
        .third { fill: #bc4c00; stroke: #bc4c00; }
        polyline.curve { fill: none; }
        @media (prefers-color-scheme: dark) {
        .background { fill: #0d1117; stroke: #3d444d; }
        .title, .heading, .name { fill: #f0f6fc; }
        .ours-text { fill: #79c0ff; }
        .note { fill: #9198a1; }
        .grid { stroke: #3d444d; }
        .ours { fill: #79c0ff; stroke: #79c0ff; }
        .theirs { fill: #8b949e; stroke: #8b949e; }
        .third { fill: #f0883e; stroke: #f0883e; }
        }
        </style>
        <rect class="background" x="0.5" y="0.5" width="\((width - 1).whole)" height="\((height - 1).whole)" rx="6"/>
        \(lines.joined(separator: "\n"))
        </svg>

        """
    }
}
