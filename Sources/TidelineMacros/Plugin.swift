// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What the compiler starts to expand the macros of Tideline.
@main
struct TidelinePlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [EntityMacro.self, MarkerMacro.self]
}
