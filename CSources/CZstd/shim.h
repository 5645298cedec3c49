/* SPDX-License-Identifier: Apache-2.0
 *
 * CZstd exists so that SwiftPM asks pkg-config for libzstd, and names the Debian package when it is missing. The module
 * exports nothing to Swift: only CDecompress includes the headers.
 */
