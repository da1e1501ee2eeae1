// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftCompilerPlugin
import SwiftSyntaxMacros
@main struct TidelinePlugin: CompilerPlugin { let providingMacros: [any Macro.Type] = [] }
