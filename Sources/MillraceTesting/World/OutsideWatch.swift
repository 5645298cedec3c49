// SPDX-License-Identifier: Apache-2.0

import CTesting

/// Notices when code on the calling thread uses executors and clocks outside of the simulation.
enum OutsideWatch {
    static func begin() { millrace_outside_begin() }
    static func end() { millrace_outside_end() }

    /// Returns what was seen on this thread since the last call, in words; nil: nothing.
    static func take() -> String? {
        var seen = millrace_outside()
        guard millrace_outside_take(&seen) else { return nil }
        let frames = withUnsafeBytes(of: &seen.frames) {
            // Without the two frames of the watch itself.
            Array($0.bindMemory(to: UnsafeMutableRawPointer?.self).prefix(Int(seen.frame_count)).dropFirst(2))
        }
        return text(seen.kind) + callers(frames)
    }

    /// The functions that called this one, as the end of a sentence.
    static func callers() -> String {
        let most = Int(MILLRACE_OUTSIDE_FRAMES)
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: most)
        let count = millrace_frames(&frames, Int32(most))
        return callers(Array(frames.prefix(Int(count))))
    }

    private static func text(_ kind: millrace_outside_kind) -> String {
        switch kind {
        case MILLRACE_OUTSIDE_DELAYED:
            """
            code of the world sleeps on a clock of the system, for example by Task.sleep: use the clock of the world, \
            which effects find as the clock of their options
            """
        case MILLRACE_OUTSIDE_MAIN:
            "code of the world hops to the main actor, which the world does not run: keep the main actor out of the scenario"
        default:
            """
            code of the world starts a task outside of it, for example by 'Task { }' inside a task: use a task group, \
            'async let' or world.task
            """
        }
    }

    private static func callers(_ frames: [UnsafeMutableRawPointer?]) -> String {
        let names = frames.compactMap { $0.map(name) }.filter(isOfUser).map(readable)
        return names.isEmpty ? "" : " (called by \(names.prefix(4).joined(separator: ", called by ")))"
    }

    /// Whether a function is the user's: not one of the runtime, of the system or of this package. The name is mangled.
    private static func isOfUser(_ name: String) -> Bool {
        !name.isEmpty && !own.contains { name.hasPrefix($0) } && !forwarders.contains { name.hasSuffix($0) }
    }

    private static let own: [String] =
        [
            "swift_", "_ZN5swift", "$ss", "$sSc", "millrace_", "pthread", "start_thread", "__clone", "clone",
            "_dispatch", "__libc", "_start",
        ]
        + [
            "8Millrace", "12MillraceCore", "13MillraceGated", "15MillraceCombine", "15MillraceEffects",
            "15MillraceLogging",
            "15MillraceRecords", "15MillraceRuntime", "15MillraceService", "15MillraceTesting", "19MillraceObservation",
        ].map { "$s" + $0 }

    /// The ends of the mangled names of functions that the compiler generates between two others.
    private static let forwarders = ["TA", "TR", "TW", "Tm", "TY0_", "TQ0_"]

    private static func name(_ frame: UnsafeMutableRawPointer) -> String {
        text { millrace_frame_name(frame, $0, $1) }
    }

    private static func readable(_ name: String) -> String {
        text { millrace_readable_name(name, $0, $1) }
    }

    private static func text(_ write: (UnsafeMutablePointer<CChar>, Int32) -> Void) -> String {
        var text = [CChar](repeating: 0, count: 512)
        write(&text, Int32(text.count))
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
