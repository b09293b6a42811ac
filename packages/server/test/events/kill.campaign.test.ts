// `kill -9` at any moment: each message that is kept was told, and none is told that is not kept.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { call, openSqliteStore } from '@hilo/stores';
import { expect, it } from 'vitest';
import { statement } from '../../src/platform/database/schema.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';

const program = fileURLToPath(new URL('./write-until-killed.ts', import.meta.url));
const kept = statement()((db) => db.selectFrom('messages').select('message_id').where('direction', '=', 'inbound'));
const told = statement()((db) => db.selectFrom('event_deliveries').select('data').where('type', '=', 'message.received'));

it('no event is lost or made up by kill -9', { timeout: 300_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-events-'));
  let acknowledged = 0;
  for (const lines of [1, 4, 15, 40]) {
    const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    let left = lines;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'taken') {
        acknowledged += 1;
        left -= 1;
      }
      if (left === 0) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const store = await openSqliteStore({ path: join(directory, 'hilo.db'), extensions: [serviceTables] });
    const messages = (await store.runner.read(call(kept, {}))).map(({ message_id: id }) => id);
    const events = (await store.runner.read(call(told, {}))).map(({ data }) => (JSON.parse(data) as { messageId: string }).messageId);
    await store.close();
    expect(events.toSorted()).toEqual(messages.toSorted());
    expect(messages.length).toBeGreaterThanOrEqual(acknowledged);
  }
  await rm(directory, { recursive: true });
});
