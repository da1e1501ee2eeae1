// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

// What an app imports: the typed entities of this module, and with them the values, the local store and the sync engine.
@_exported public import TidelineClient
@_exported public import TidelineModel
@_exported public import TidelineStore
@_exported public import TidelineSync
