// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Who is right when both sides gave a property another value.
package enum ConflictPolicy: Hashable, Sendable {
    case serverWins, clientWins
    /// Both additions count: theirs + (mine - base). Numbers only; others as `serverWins`.
    case counter
    case minimum, maximum

    /// The value that stays, and whether it is this device's.
    func decide(base: Value, mine: Value, theirs: Value) -> (value: Value, mineWon: Bool) {
        switch self {
        case .serverWins: return (theirs, false)
        case .clientWins: return (mine, true)
        case .minimum, .maximum:
            guard let order = Value.compare(mine, theirs) else { return (theirs, false) }
            let mineWon = self == .minimum ? order < 0 : order > 0
            return (mineWon ? mine : theirs, mineWon)
        case .counter:
            switch (base, mine, theirs) {
            case (.integer(let base), .integer(let mine), .integer(let theirs)):
                let (step, overflow) = mine.subtractingReportingOverflow(base)
                let (sum, tooMuch) = theirs.addingReportingOverflow(step)
                return overflow || tooMuch ? (.integer(theirs), false) : (.integer(sum), true)
            case (.decimal(let base), .decimal(let mine), .decimal(let theirs)):
                guard let step = mine - base, let sum = theirs + step else { return (.decimal(theirs), false) }
                return (.decimal(sum), true)
            case (.double(let base), .double(let mine), .double(let theirs)):
                return (.double(theirs + (mine - base)), true)
            default: return (theirs, false)
            }
        }
    }
}
