// A table of an embedding program beside Hilo's own: the program of docs/own-resource.md. It writes hilo.db where it is started.
import { defineTable, type Extension, flag, integer, json, key, openSqliteStore, optional, text } from '@hilo/stores';

export const approvals = defineTable(
  'approvals',
  {
    companyId: key(text()),
    id: key(text()),
    botId: text(),
    askedAtMs: integer(),
    isGranted: flag(),
    reason: optional(text()),
    facts: json<{ readonly [name: string]: string }>(),
  },
  { moves: 'copied', indexes: { byAge: { on: ['companyId', 'askedAtMs desc'] } } },
);

const extension: Extension = { name: 'approvals', migrations: [(dialect) => approvals.ddl(dialect)] };
const store = await openSqliteStore({ path: 'hilo.db', extensions: [extension] });

await store.runner.write(
  approvals.upsert([{ companyId: '1', id: 'a1', botId: 'bot_web', askedAtMs: Date.now(), isGranted: false, facts: { order: '7' } }]),
);
await store.runner.read(approvals.all('1'));

const askedSince = approvals.read(['id', 'reason'], { sinceMs: integer() }, (rows, { sinceMs }) =>
  rows.where('asked_at_ms', '>=', sinceMs).orderBy('asked_at_ms'),
);
const grant = approvals.change({ id: approvals.columns.id }, (rows, { id }) => rows.set({ is_granted: 1 }).where('id', '=', id));

await store.runner.read(askedSince({ companyId: '1', sinceMs: 0 }));
await store.runner.writeOne(grant({ companyId: '1', id: 'a1' })); // the key of the row, where there was one
await store.close();
