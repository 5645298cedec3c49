// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML

/// The texts and attributes of a document; nil if it is no well-formed XML.
final class Document: NSObject, XMLParserDelegate {
    private(set) var texts: [String] = []
    private(set) var attributes: [(element: String, values: [String: String])] = []

    static func parse(_ svg: String) -> Document? {
        let document = Document()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = document
        guard parser.parse() else { return nil }
        document.texts = document.texts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        return document
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes values: [String: String]
    ) {
        attributes.append((element, values))
        texts.append("")
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { texts[texts.count - 1] += text }
}
