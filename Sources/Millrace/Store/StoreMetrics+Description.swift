// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension StoreMetrics: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        """
        offered \(offered), reduced \(reduced), dropped \(dropped), rejected \(rejected), cancelled \(cancelled), \
        pending \(pending); urgent \(urgentActions), internal \(internalActions); depth \(depth), largest depth \
        \(Decimal.count(highWaterMark, "slot")), age of the oldest action \(Decimal.duration(ageOfOldest)); \
        batches \(batches), wake-ups \(wakeUps), stalled producers \(stalledProducer), queue segments \(queueSegments)
        """
    }
}
