// SPDX-License-Identifier: Apache-2.0

extension StoreMetrics: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        """
        offered \(offered), reduced \(reduced), dropped \(dropped), rejected \(rejected), cancelled \(cancelled), \
        pending \(pending); depth \(depth), at most \(highWaterMark), oldest \(ageOfOldest); batches \(batches), \
        wake-ups \(wakeUps), stalls \(stalledProducer), segments \(queueSegments)
        """
    }
}
