/* SPDX-License-Identifier: Apache-2.0 */
#include <urcu/static/urcu-bp.h>
