// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("Writing with a look whether it was written")
struct CheckedWriterTests {
    struct Holder {
        var value: Double? = 1
        var text = "x"
        /// Takes nothing.
        var stubborn: Double? {
            get { value }
            set {}
        }
        /// Takes what it is given in a form of its own.
        var trimmed: String? {
            get { text }
            set { text = String((newValue ?? "").drop { $0 == " " }) }
        }
    }

    @Test("what is not equal to itself is written, too")
    func notANumber() {
        let writer = CheckedWriter(\Holder.value)
        #expect(writer.writing(.nan, into: Holder())?.value?.isNaN == true)
        #expect(writer.writing(.nan, into: Holder(value: .nan))?.value?.isNaN == true)
        #expect(writer.writing(2, into: Holder(value: .nan))?.value == 2)
    }

    @Test("a setter that ignores what it is given is found out")
    func ignored() {
        let writer = CheckedWriter(\Holder.stubborn)
        #expect(writer.writing(2, into: Holder()) == nil)
        #expect(writer.writing(2, into: Holder(value: .nan)) == nil)
        #expect(writer.writing(1, into: Holder())?.value == 1)
    }

    @Test("a setter that changes what it is given has taken it")
    func changed() {
        #expect(CheckedWriter(\Holder.trimmed).writing("  y", into: Holder())?.text == "y")
    }
}
