// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
import TidelineStorage

extension PostgresConnection {
    /// Runs a kept statement of a transaction so that its refusal undoes it alone, as it does on other databases.
    ///
    ///     SAVEPOINT  statement  RELEASE      one way over the socket
    ///     ROLLBACK TO  RELEASE               one more when the statement is refused
    ///
    /// - Throws: ``PostgresFailure``; the transaction is usable then, as long as the session is.
    func step(_ sql: String, _ parameters: [SQLValue]) throws -> PostgresResult {
        try begin()
        let block = try ParameterBlock(parameters)
        let name = try prepared(sql)
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        let sent = unsafe block.withPointers { count, values, lengths, formats in
            unsafe PQsendQueryParams(handle, "SAVEPOINT tideline_step", 0, nil, nil, nil, nil, 0) == 1
                && PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) == 1
                && PQsendQueryParams(handle, "RELEASE tideline_step", 0, nil, nil, nil, nil, 0) == 1
                && PQpipelineSync(handle) == 1
        }
        var results: [PostgresResult] = []
        var failure: PostgresFailure?
        if sent { failure = takePipeline(&results) }
        guard sent, isAlive, unsafe PQexitPipelineMode(handle) == 1 else { throw failure ?? lost() }
        guard let failure else {
            guard results.count == 3 else { throw lost() }
            return results[1]
        }
        // Without the savepoint the transaction had failed before.
        if !results.isEmpty { try? execute("ROLLBACK TO tideline_step; RELEASE tideline_step") }
        if failure.isStalePlan { try forgetStatements() }
        throw failure
    }

    /// Takes the results up to the end of the pipeline, and the first failure among them.
    func takePipeline(_ results: inout [PostgresResult]) -> PostgresFailure? {
        var failure: PostgresFailure?
        while isAlive {
            // Null ends the results of one statement; the next one's follow.
            guard let pointer = unsafe PQgetResult(handle) else { continue }
            let result = unsafe PostgresResult(pointer)
            switch unsafe PQresultStatus(pointer) {
            case PGRES_PIPELINE_SYNC: return failure
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: results.append(result)
            case PGRES_PIPELINE_ABORTED: continue
            default: failure = unsafe failure ?? PostgresFailure(result: pointer, connection: handle)
            }
        }
        return failure
    }
}
