import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { accepted, acceptedMessage, executionRecord, takeQueued } from '../../testing/src/contracts/execution-records.ts';
import { openSqliteStore } from '../src/index.ts';
import { rowOf } from '../src/execution-row.ts';
import { firstTables } from '../src/schema/first-tables.ts';
import { sqliteWords } from '../src/schema/words.ts';
import { withDirectory } from './temporary-directory.ts';

/** A file as the first release wrote it. */
function writeFirstSchema(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal');
  for (const sql of firstTables(sqliteWords)) database.exec(sql);
  database.exec(`update meta set value = '1' where name = 'schema'; pragma application_id = ${0x48_69_6c_6f}`);
  const queue = database.prepare('insert into queue (company_id, lane, accepted_at_ms, accepted) values (?, ?, ?, ?)');
  for (const { companyId, lane, acceptedAtMs, accepted: thing } of [acceptedMessage('one'), accepted('e1'), acceptedMessage('two')])
    queue.run(companyId, lane, acceptedAtMs, JSON.stringify(thing));
  const { executionId, workflowId, lane, state, unsettled, ...row } = rowOf(executionRecord({ pending: {} }));
  database
    .prepare(
      `insert into executions (company_id, execution_id, workflow_id, version, revision, lane, created_at_ms, updated_at_ms, status,
        reply_order, unsettled, state) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
    )
    .run(row.companyId, executionId, workflowId, 1, row.revision, lane, row.createdAtMs, row.updatedAtMs, row.status, unsettled, state);
  database.close();
}

it(
  'goes on with what the first release kept (P36)',
  withDirectory(async (directory) => {
    const path = join(directory, 'hilo.db');
    writeFirstSchema(path);
    const { executions, close } = await openSqliteStore({ path, mustExist: true });
    expect(await executions.unfinished('', 10)).toEqual([
      { lane: accepted('').lane, unsettled: [executionRecord({ pending: {} })], queued: 3 },
    ]);
    expect((await takeQueued(executions)).map(({ accepted: thing }) => thing)).toEqual(
      [accepted('e1'), acceptedMessage('one'), acceptedMessage('two')].map(({ accepted: thing }) => thing),
    );
    await close();
  }),
);
