// SPDX-License-Identifier: Apache-2.0

extension Mixed {
    /// The actions of the scenario.
    enum Action: Sendable {
        /// The action `number` of a producer.
        case work(producer: Int, number: Int)
        /// Starts an effect with a token.
        case load(token: Int, run: Int)
        case loaded(token: Int, run: Int)
        /// Cancels the effects of a token.
        case cancel(token: Int)
        /// Starts an effect in a middleware behind the gate.
        case loadGated(run: Int)
        /// Starts an effect behind the gate, and closes the gate before that effect begins.
        case loadGatedAndClose(run: Int)
        case gatedLoaded(run: Int)
        case plugged(run: Int)
        case pluggedLoaded(run: Int)
        case urgent(run: Int)
        case echo(Int)
        case echoed(Int)
    }

    /// What the reducer finds out about the order of the actions.
    struct Ledger: Sendable {
        var handled = 0
        /// The last number of each producer.
        var last: [Int: Int] = [:]
        var works = 0
        /// The run of each token that is under way, or has ended.
        var runs: [Int: Int] = [:]
        /// The number of actions of each run.
        var loads: [Int: Int] = [:]
        var urgents: [Int: Int] = [:]
        var echoes = 0
        var echoed = 0
        /// The first broken rule.
        var broken: String?

        mutating func breaks(_ rule: String) {
            if broken == nil { broken = rule }
        }

        /// - Parameter completed: The runs that have completed. What they sent before is reduced, also after a cancel.
        mutating func reduce(_ action: Action, completed: Set<Int>) {
            handled += 1
            switch action {
            case .work(let producer, let number):
                works += 1
                if number <= last[producer, default: -1] {
                    breaks("the actions of a producer are reduced in its order")
                }
                last[producer] = number
            case .load(let token, let run): runs[token] = run
            case .loaded(let token, let run):
                loads[run, default: 0] += 1
                if runs[token] != run, !completed.contains(run) { breaks("no action of a cancelled effect is reduced") }
            case .cancel(let token): runs[token] = nil
            case .urgent(let run): urgents[run] = handled
            case .echo: echoes += 1
            case .echoed: echoed += 1
            default: break
            }
        }
    }
}
