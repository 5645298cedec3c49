// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CallgrindDumps

@Suite("Callgrind: what a dump counts")
struct CallgrindDumpTests {
    /// A function `work` with 100 instructions of its own. It calls `swift_retain` 3 times and `swift_release` twice,
    /// and a search in a hash table, which compares two keys. Each called function is listed for itself, too.
    private let text = """
        # callgrind format
        version: 1
        desc: Trigger: Client Request: row 2
        positions: line
        events: Ir Dr Dw I1mr D1mr D1mw sysCount sysTime
        fn=(1) work
        10 60 5 5
        cfn=(2) swift_retain
        calls=3 20
        10 30 1
        +1 40
        cfn=(3) swift_release'2
        calls=2 30
        * 20
        cfn=(4) void swift::ConcurrentReadableHashMap<Entry>::find<Key>(Key const&)
        calls=1 40
        -1 57
        fn=(2)
        20 30 1
        fn=(3)
        30 20
        fn=(4)
        40 50
        cfn=(5) swift::MetadataCacheKey::operator==(swift::MetadataCacheKey) const
        calls=1 50
        41 7
        fn=(5)
        50 7
        totals: 207 6 5 0 4 3 2

        """

    @Test("instructions without those of searches; the cost of a call is not counted twice")
    func instructions() throws {
        let dump = try #require(CallgrindDump(text))
        // 60 and 40 of `work`, 30 and 20 of the runtime. The search has 50, and what it calls to compare keys 7.
        #expect(dump.instructions == 150)
    }

    @Test("retains, releases, system calls, lines")
    func others() throws {
        let dump = try #require(CallgrindDump(text))
        #expect(dump.label == "2")
        #expect(dump.retains == 3)
        #expect(dump.releases == 2, "also of a function in a cycle of calls")
        #expect(dump.systemCalls == 2)
        #expect(dump.lines == 7)
    }

    @Test("all variants of a function of the runtime", arguments: ["swift_retain_n", "swift_nonatomic_retain"])
    func variants(name: String) throws {
        #expect(try #require(CallgrindDump(text.replacing("swift_retain", with: name))).retains == 3)
    }

    @Test("another function whose name begins so is not counted")
    func otherFunctions() throws {
        #expect(try #require(CallgrindDump(text.replacing("swift_retain", with: "swift_retainCount"))).retains == 0)
    }

    @Test("a search in a cycle of calls is a search")
    func cycle() throws {
        let dump = CallgrindDump(text.replacing("::find<Key>(Key const&)", with: "::find<Key>(Key const&)'2"))
        #expect(try #require(dump).instructions == 150)
    }

    @Test("callgrind leaves out zeros at the end of the totals")
    func shortTotals() throws {
        let dump = try #require(CallgrindDump(text.replacing("totals: 207 6 5 0 4 3 2", with: "totals: 207 6 5 0 4")))
        #expect(dump.lines == 4)
        #expect(dump.systemCalls == 0)
    }

    @Test("a file without a label, and one without instructions, is no dump")
    func noDump() {
        #expect(CallgrindDump(text.replacing("desc: Trigger: Client Request: row 2\n", with: "")) == nil)
        #expect(CallgrindDump(text.replacing("totals: 207 6 5 0 4 3 2", with: "")) == nil)
        #expect(CallgrindDump("") == nil)
    }

    @Test("the least of two dumps, figure by figure")
    func least() throws {
        let first = try #require(CallgrindDump(text))
        let other = text.replacing("totals: 207 6 5 0 4 3 2", with: "totals: 217 6 5 0 1 3 1")
            .replacing("calls=3 20", with: "calls=1 20").replacing("calls=2 30", with: "calls=9 30")
        let least = first.least(try #require(CallgrindDump(other)))
        #expect(least.instructions == 150)
        #expect(least.retains == 1)
        #expect(least.releases == 2)
        #expect(least.systemCalls == 1)
        #expect(least.lines == 4)
    }
}
