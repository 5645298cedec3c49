/* SPDX-License-Identifier: Apache-2.0
 *
 * CZlib exists so that SwiftPM asks pkg-config for zlib, and names the Debian package when it is missing. The module
 * exports nothing to Swift: only CDecompress includes the headers.
 */
