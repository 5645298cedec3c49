/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of the inline functions that otherwise Swift alone calls: see rules.c.
 */
#ifndef MILLRACE_INLINE_RULES_H
#define MILLRACE_INLINE_RULES_H

#include <stdbool.h>

bool millrace_stages_follow_an_action(void);
bool millrace_frames_are_nested(void);
bool millrace_sections_are_counted(void);
bool millrace_places_have_numbers(void);
bool millrace_rings_keep_entries_and_texts(void);
bool millrace_versions_are_read(void);
bool millrace_windows_have_positions(void);
bool millrace_queues_tell_their_depth(void);
bool millrace_samples_are_even(void);

#endif
