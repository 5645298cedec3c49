/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_frame.h"

_Thread_local millrace_frame *millrace_frame_innermost;
