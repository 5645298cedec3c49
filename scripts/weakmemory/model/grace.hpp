// SPDX-License-Identifier: Apache-2.0
//
// Read sections and grace periods, by the rule of RCU. Let G be a grace period and S a read section. Either
//   - S began after G did: then what G's thread had seen when G began is seen in S; or
//   - S began before: then G waits for its end, and what S's thread had seen at its end is seen after G.
// Callbacks run on a thread of their own, the reclaimer, as liburcu's do: it takes all that were handed over, waits for one
// grace period, and calls them one after the other.
#pragma once

namespace model {

void resetGracePeriods();
void beginSection();
void endSection();
bool isInSection();
/// Waits for a grace period that begins now.
void synchronize();
void callLater(void *head, void (*callback)(void *));
/// Waits until every callback that was handed over before has run.
void waitForCallbacks();
void runReclaimer();

} // namespace model
