// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether a sanitizer watches: everything takes ten times as long, and memory of its own.
public let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
