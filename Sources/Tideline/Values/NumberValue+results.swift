// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension Int {
    public typealias Sum = Int64
    public typealias Average = EdmDecimal
}

extension Int8 {
    public typealias Sum = Int64
    public typealias Average = EdmDecimal
}

extension Int16 {
    public typealias Sum = Int64
    public typealias Average = EdmDecimal
}

extension Int32 {
    public typealias Sum = Int64
    public typealias Average = EdmDecimal
}

extension Int64 {
    public typealias Sum = Int64
    public typealias Average = EdmDecimal
}

extension UInt8 {
    public typealias Sum = Int64
    public typealias Average = EdmDecimal
}

extension Double {
    public typealias Sum = Double
    public typealias Average = Double
}

extension Float {
    public typealias Sum = Double
    public typealias Average = Double
}

extension EdmDecimal {
    public typealias Sum = EdmDecimal
    public typealias Average = EdmDecimal
}
