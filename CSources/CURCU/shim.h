/* SPDX-License-Identifier: Apache-2.0
 *
 * CURCU exists so that SwiftPM asks pkg-config for liburcu, and names the Debian package when liburcu is missing. The
 * module exports nothing to Swift: only the C core includes <urcu/...>.
 */
