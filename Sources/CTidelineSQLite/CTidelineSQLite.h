// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

// What takes a variable number of arguments, which cannot be called from Swift.

static inline int tideline_sqlite_leave_memory_uncounted(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
