// SPDX-License-Identifier: Apache-2.0
//
// What happened, step by step, for the replay of an execution that failed.
#pragma once

#include <string>

namespace model {

struct Thread;

void setTracing(bool isOn);
bool isTracing();
/// `place` is the address of the code.
void trace(const Thread *thread, const std::string &text, const void *place = nullptr);
/// The last lines, with files and lines of the source.
void printTrace(size_t most);
/// " at queue.c:123", or nothing when this is no replay.
std::string at(const void *place);

} // namespace model
