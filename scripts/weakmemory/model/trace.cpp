// SPDX-License-Identifier: Apache-2.0

#include "trace.hpp"

#include "threads.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <unistd.h>
#include <vector>

namespace model {

namespace {

struct Line {
    std::string thread, text;
    const void *place;
};

bool isOn = false;
std::vector<Line> lines;
std::map<const void *, std::string> places;

/// Asks the tool that the script found (addr2line or llvm-symbolizer); the address alone without one.
void locate(const std::vector<const void *> &unknown) {
    const char *tool = getenv("MILLRACE_ADDR2LINE");
    if (!tool || !*tool || unknown.empty()) {
        return;
    }
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    std::string command = std::string(tool) + " -e '" + std::string(self, length > 0 ? (size_t)length : 0) + "'";
    char text[4096];
    for (const void *place : unknown) {
        // What was noted is where the call returns to.
        snprintf(text, sizeof text, " %#lx", (unsigned long)(uintptr_t)place - 1);
        command += text;
    }
    FILE *answers = popen((command + " 2>/dev/null").c_str(), "r");
    for (size_t index = 0; answers && index < unknown.size() && fgets(text, sizeof text, answers);) {
        std::string answer = text;
        if (answer == "\n") {
            continue;
        }
        answer = answer.substr(answer.rfind('/') + 1);
        places[unknown[index++]] = answer.substr(0, answer.find_first_of(" \n"));
    }
    if (answers) {
        pclose(answers);
    }
}

} // namespace

void setTracing(bool on) {
    isOn = on;
    lines.clear();
}

bool isTracing() { return isOn; }

void trace(const Thread *thread, const std::string &text, const void *place) {
    if (isOn) {
        lines.push_back({thread ? thread->name : "", text, place});
    }
}

std::string at(const void *place) {
    if (!isOn || !place) {
        return "";
    }
    locate({place});
    return " at " + places[place];
}

void printTrace(size_t most) {
    size_t first = lines.size() > most ? lines.size() - most : 0;
    std::vector<const void *> unknown;
    for (size_t index = first; index < lines.size(); index++) {
        const void *place = lines[index].place;
        if (place && places.emplace(place, "").second) {
            unknown.push_back(place);
        }
    }
    locate(unknown);
    if (first > 0) {
        printf("    ... %zu steps before\n", first);
    }
    for (size_t index = first; index < lines.size(); index++) {
        const Line &line = lines[index];
        printf("    %6zu  %-12s %-24s %s\n", index, line.thread.c_str(), places[line.place].c_str(), line.text.c_str());
    }
}

} // namespace model
