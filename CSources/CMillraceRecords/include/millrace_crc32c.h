// SPDX-License-Identifier: Apache-2.0
//
// CRC32C (Castagnoli), as in iSCSI and ext4: the reflected polynomial 0x82F63B78, initial value and final inversion
// 0xFFFFFFFF. The value of the nine bytes "123456789" is 0xE3069283.
//
// | call                              | threads                          |
// |-----------------------------------|----------------------------------|
// | every one                         | any, at any time                 |

#ifndef MILLRACE_CRC32C_H
#define MILLRACE_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Continues `crc`, the value of the bytes before (0 for none), with `count` bytes. Uses the instructions of the
/// processor where it has them, else a table.
uint32_t millrace_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same, always with the table: for the tests.
uint32_t millrace_crc32c_table(uint32_t crc, const void *bytes, size_t count);

/// Whether millrace_crc32c uses instructions of the processor.
bool millrace_crc32c_is_hardware(void);

#endif
