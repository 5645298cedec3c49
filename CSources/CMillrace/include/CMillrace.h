/* SPDX-License-Identifier: Apache-2.0
 *
 * The C core of Millrace. Each header begins with its contract. Read the headers in this order.
 */
#ifndef CMILLRACE_H
#define CMILLRACE_H

#include "millrace_platform.h"

#include "millrace_read_section.h"

#include "millrace_baton.h"
#include "millrace_clock.h"
#include "millrace_doorbell.h"
#include "millrace_fault.h"
#include "millrace_frame.h"
#include "millrace_gate.h"
#include "millrace_process.h"
#include "millrace_queue.h"
#include "millrace_ring.h"
#include "millrace_snapshot.h"
#include "millrace_source.h"
#include "millrace_stage.h"
#include "millrace_thread.h"

#endif
