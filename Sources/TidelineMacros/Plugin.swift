import SwiftCompilerPlugin
import SwiftSyntaxMacros
@main struct TidelinePlugin: CompilerPlugin { let providingMacros: [any Macro.Type] = [] }
