// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The targets, by the names that MILLRACE_FUZZ_TARGET takes.
let targets: [FuzzTarget] = [
    linesTarget, formatsTarget, inputTarget, optionsTarget, codecsTarget, textsTarget, ringTarget, recordsTarget,
    sessionTarget, damageTarget, journalTarget,
]

nonisolated(unsafe) private var chosen: FuzzTarget?
// Set once, before the first input; libFuzzer calls on one thread.

/// Called by libFuzzer before the first input. With MILLRACE_FUZZ_SEEDS=folder the program writes the seeds of the target
/// there and ends. With the target 'list' it prints the names.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    let name = environment("MILLRACE_FUZZ_TARGET") ?? ""
    if name == "list" {
        for target in targets { print(target.name, target.mostBytes, target.mostMegabytes) }
        exit(0)
    }
    guard let target = targets.first(where: { $0.name == name }) else {
        complain("MILLRACE_FUZZ_TARGET must be one of: \(targets.map(\.name).joined(separator: " "))")
        exit(64)
    }
    if let folder = environment("MILLRACE_FUZZ_SEEDS") {
        writeSeeds(of: target, to: folder)
        exit(0)
    }
    chosen = target
    return 0
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let chosen else { return -1 }
    chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

private func writeSeeds(of target: FuzzTarget, to folder: String) {
    for (name, bytes) in target.seeds() {
        let path = "\(folder)/seed-\(name)"
        guard let file = fopen(path, "wb") else {
            complain("cannot write \(path)")
            exit(1)
        }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
