// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStorage

/// What every store must keep.
public enum StoreSuite {
}
