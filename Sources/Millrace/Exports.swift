// SPDX-License-Identifier: Apache-2.0

// `import Millrace` is enough for an app: actions, reducers and middlewares come with the store.
@_exported public import MillraceCore
