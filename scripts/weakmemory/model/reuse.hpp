// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace model {

/// At the begin of an execution.
void resetReuse();

} // namespace model
