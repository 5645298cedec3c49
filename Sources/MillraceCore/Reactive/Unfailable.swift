// SPDX-License-Identifier: Apache-2.0

/// A subscriber to a publisher that cannot fail.
public typealias UnfailableSubscriberType<Element> = SubscriberType<Element, Never>

/// A publisher that cannot fail.
public typealias UnfailablePublisherType<Element> = PublisherType<Element, Never>

/// A subject that cannot fail.
public typealias UnfailableSubject<Element> = SubjectType<Element, Never>

/// A subject with a latest value that cannot fail.
public typealias UnfailableReplayLastSubjectType<Element> = ReplayLastSubjectType<Element, Never>
