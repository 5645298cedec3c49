// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import Testing

private struct Nested {
    var names: Set<String>
    var totals: [String: [Int]]
    var tree: Tree
    var any: any Sendable
    var maybe: Int??
    var mixed: Mixed
}
private indirect enum Tree { case leaf(Int), node(Tree, Tree), none }
private enum Mixed { case text(String), list([String]), flags(Bool, Side), nothing, other }
private final class Box {}
private final class Counted: CanonicallyHashable {
    let count: Int
    init(_ count: Int) { self.count = count }
    func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) { try hasher.combine(count) }
}
private struct Holder { var inner: Middle }
private struct Middle { var boxes: [Box?] }
private struct Weak { weak var box: Counted? }
private struct Closure { var run: () -> Void }
private struct Same {
    var text: String
    init(_ text: String) { self.text = text }
}
extension Same: CustomReflectable, Hashable {
    var customMirror: Mirror { Mirror(self, children: []) }
    static func == (left: Same, right: Same) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

@Suite struct CanonicalHashTests {
    private func hash<Value>(_ value: Value) throws -> CanonicalHash { try CanonicalHash(of: value) }

    private func nested(_ names: [String]) -> Nested {
        var totals: [String: [Int]] = [:]
        for name in names { totals[name] = [name.count] }
        return Nested(
            names: Set(names),
            totals: totals,
            tree: .node(.leaf(1), .node(.none, .leaf(2))),
            any: 7,
            maybe: .some(nil),
            mixed: .list(["a"])
        )
    }

    @Test func theOrderOfSetsAndDictionariesDoesNotCount() throws {
        let names = (0..<100).map { "name \($0)" }
        #expect(try hash(nested(names)) == hash(nested(names.reversed())))
        #expect(try hash(nested(names)) != hash(nested(Array(names.dropLast()))))
        #expect(try hash([1, 2]) != hash([2, 1]))
        #expect(try hash(["a": 1, "b": 2]) != hash(["a": 2, "b": 1]))
    }

    @Test func eachPartCounts() throws {
        let base = nested(["a", "b"])
        func differs(_ change: (inout Nested) -> Void) throws {
            var changed = base
            change(&changed)
            #expect(try hash(changed) != hash(base))
        }
        try differs { $0.tree = .node(.leaf(1), .node(.none, .leaf(3))) }
        try differs { $0.tree = .node(.node(.none, .leaf(2)), .leaf(1)) }
        try differs { $0.any = 8 }
        try differs { $0.any = Int8(7) }
        try differs { $0.any = "7" }
        try differs { $0.any = Price(scale: 1, units: 2, isFinal: true) }
        try differs { $0.maybe = nil }
        try differs { $0.maybe = 0 }
        try differs { $0.mixed = .text("a") }
        try differs { $0.mixed = .flags(true, .sell) }
        try differs { $0.mixed = .nothing }
        #expect(try hash(Mixed.flags(true, .sell)) != hash(Mixed.flags(true, .buy)))
        #expect(try hash(Mixed.nothing) != hash(Mixed.other))
        // In a box, and an error.
        func boxed(_ units: Int64) -> Any { (Price(scale: 1, units: units, isFinal: true), "text", 1, 2, 3) }
        #expect(try hash(["k": boxed(1)]) == hash(["k": boxed(1)]))
        #expect(try hash(["k": boxed(1)]) != hash(["k": boxed(2)]))
        func failed(_ version: Int) -> Result<Int, any Error> { .failure(CodecError.version(version)) }
        #expect(try hash(failed(1)) == hash(failed(1)))
        #expect(try hash(failed(1)) != hash(failed(2)))
        #expect(try hash(0.0) != hash(-0.0))
        #expect(try hash("é") != hash("e\u{301}"))
        #expect(try hash(["ab", "c"]) != hash(["a", "bc"]))
        #expect(try hash([[1], []]) != hash([[], [1]]))
        #expect(try hash(Same("a")) != hash(Same("b")))
        #expect(try hash(Int128.max) != hash(Int128.max - 1 << 64))
    }

    /// Payloads with references are lent, not consumed: they are as they were afterwards.
    @Test func hashingLeavesValuesAsTheyWere() throws {
        let mixed = [
            Mixed.text(String(repeating: "long ", count: 20)), .list(["x", String(repeating: "y", count: 40)]),
        ]
        let first = try hash(mixed)
        for _ in 0..<100 { #expect(try hash(mixed) == first) }
        guard case .list(let list) = mixed[1] else { return }
        #expect(list[1].count == 40)
    }

    @Test func whatHasNoMeaningElsewhereIsRefusedByName() throws {
        func path<Value>(_ value: Value) -> String? {
            do {
                _ = try CanonicalHash(of: value)
                return nil
            } catch {
                return error.path
            }
        }
        #expect(path(Holder(inner: Middle(boxes: [nil, Box()]))) == "Holder.inner.boxes.[1].some")
        #expect(path(Closure(run: {})) == "Closure.run")
        #expect(path(Weak(box: nil)) == "Weak.box")
        #expect(path(["k": Box()])?.contains("[k]") == true)
        #expect(path(UnsafePointer<Int>(bitPattern: 8)!) != nil)
        #expect(try hash(Counted(3)) == hash(Counted(3)))
        #expect(try hash([Counted(3)]) != hash([Counted(4)]))
    }

    @Test func aValueThatIsNestedTooDeeplyIsRefused() throws {
        func chain(_ count: Int) -> Tree { (0..<count).reduce(.none) { tree, number in .node(.leaf(number), tree) } }
        #expect(try hash(chain(200)) != hash(chain(201)))
        #expect(throws: CanonicalHashError.self) { try hash(chain(2000)) }
    }

    @Test func foundationsValuesHaveHashes() throws {
        let id = UUID()
        #expect(try hash(id) == hash(UUID(uuidString: id.uuidString)!))
        #expect(try hash(Data([1, 2])) == hash(Data([0, 1, 2]).dropFirst()))
        #expect(try hash(Date(timeIntervalSince1970: 5)) != hash(Date(timeIntervalSince1970: 6)))
        #expect(try hash(Decimal(string: "1.50")!) == hash(Decimal(string: "1.5")!))
        #expect(try hash(URL(string: "https://a.b/c")!) != hash(URL(string: "https://a.b/d")!))
        #expect(try hash(Duration.seconds(1)) != hash(Duration.seconds(2)))
        #expect(try hash(1..<5) != hash(1..<6))
    }

    /// Fixed figures: a change of the algorithm would part old recordings from new programs.
    @Test func theAlgorithmIsFixed() throws {
        #expect(try hash(0).description == "9f83b9aee9172bf4")
        #expect(try hash("millrace").description == "d8fd248e8758f576")
        #expect(try hash([1, 2, 3]).description == "0b7bb864f905196c")
        #expect(try hash(Mixed.flags(true, .sell)).description == "bfd15b92c1497ded")
        #expect(try hash(["a": 1, "b": 2]).description == "3d9567ec2c12352b")
        let some = CanonicalHash(rawValue: 0xFF)
        #expect(CanonicalHash(some.description) == some && CanonicalHash("xyz") == nil)
    }

    @Test func processesWithOtherHashSeedsAgree() throws {
        let probe = Bundle.main.bundleURL.appendingPathComponent("RecordsProbe").path
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("RecordsProbe").path
        let path = try #require([beside, probe].first { FileManager.default.isExecutableFile(atPath: $0) })
        var hashes: Set<Substring> = []
        var orders: Set<Substring> = []
        for isFixed in [true, false, false, false] {
            let (status, output) = try run(path, [], environment: ["SWIFT_DETERMINISTIC_HASHING": isFixed ? "1" : "0"])
            #expect(status == 0)
            let lines = output.split(separator: "\n")
            hashes.insert(try #require(lines.first))
            orders.insert(try #require(lines.last))
        }
        #expect(hashes.count == 1)
        #expect(orders.count > 1, "the seeds were the same")
    }
}
