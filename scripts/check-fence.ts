// `npm run verify -- fence`: a statement of the service names the company of every row that it reads, changes or removes, and goes through no
// whole table or index, or is one of those below, for the reason that is given.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createVirtualClock } from '../packages/testing/src/index.ts';
import { listUnfenced } from './fence/unfenced.ts';

const due = 'finds what is due, or lifts what is due, whoever has it: the work itself is of one company';
const old = 'removes what is too old, whoever has it';
const once = 'looked up by a value that one company alone has';
const active = 'looked up by the active key, in which the company is';
const lanes = 'whether anything is under way at all';
const kept = 'what each process keeps of all companies';
const counted = 'counts for operators of all companies';

/** How many statements of a file read, change or empty which tables of all companies, and why. */
const overAll: Readonly<Record<string, Readonly<Record<string, readonly [number, string]>>>> = {
  'audit/sql.ts': { audit: [2, 'operators read what they did in any company that is theirs, and what is too old goes'] },
  'campaigns/sql.ts': { campaigns: [4, due] },
  'chat/files.ts': { chat_files: [1, old] },
  'contacts/erasure/named-texts.ts': { audit: [1, 'the last number of the table'] },
  'conversations/sql.ts': { conversations: [4, `${due}; ${active}`], operator_groups: [1, due] },
  'events/sql.ts': { event_deliveries: [3, old], event_subscriptions: [2, due] },
  'files/prune-files.ts': { files: [1, old] },
  'functions/sql.ts': { functions: [4, once], runtime_tokens: [2, once] },
  'messages/message-log.ts': { conversations: [2, active] },
  'messages/outbox-sql.ts': { outbox: [5, `${due}, by the number of a row that the process has claimed`], send_keys: [1, old] },
  'messages/provider-records.ts': { provider_messages: [1, old] },
  'messages/takeover-gate.ts': { conversations: [3, active], outbox: [2, due] },
  'numbers/sql.ts': { executions: [3, 'counts the histories of all companies in the order of their rows'], numbers: [1, old] },
  'operations/metrics.ts': { executions: [1, counted], pruned_executions: [1, counted], queue: [1, counted] },
  'payments/sql.ts': { payments: [1, due] },
  'platform/database/lane-keeping.ts': { executions: [1, lanes], queue: [1, lanes] },
  'platform/database/not-away.ts': { company_moves: [1, 'the companies that are away'] },
  'platform/jobs/sql.ts': { jobs: [5, `${due}; operators list the jobs of all companies that are theirs`] },
  'schedules/sql.ts': { versions: [1, due], scheduled_starts: [3, due] },
  'tenants/moving/move-sql.ts': { company_move_rows: [5, 'a stage is of one move'], company_moves: [1, 'the moves of this store'] },
  'tenants/snapshot.ts': { archived_workflows: [1, kept], templates: [1, kept] },
};

const few = 'has few rows, however much is done';
const cleaning = 'seldom, by what removes what is too old';

/**
 * Which tables the statements of a file go through, and why. An index of some rows alone, such as of what is due, may be gone through; a
 * table under another name is not seen.
 */
const wholeTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'access/sql.ts': { accounts: few, login_links: few },
  'chat/files.ts': { files: 'a part of chat_files that is named so' },
  'contacts/erasure/person-rows.ts': { event_deliveries: 'once for an export, and once for an erasure' },
  'contacts/erasure/subject.ts': { bots: few },
  'contacts/people.ts': { bots: few },
  'events/sql.ts': { event_deliveries: cleaning, event_subscriptions: few },
  'functions/sql.ts': { functions: few },
  'messages/outbox-sql.ts': { outbox: 'what is to leave: once at a start, and by lanes' },
  'messages/takeover-gate.ts': { outbox: 'what is to leave, where a conversation ends' },
  'operations/metrics.ts': { executions: counted, pruned_executions: counted, queue: counted },
  'platform/database/lane-keeping.ts': { executions: 'at a start, until the first that is open', queue: 'whether there is any' },
  'platform/database/not-away.ts': { company_moves: few },
  'platform/database/people.ts': { bots: few },
  'platform/http/auth/admin-auth.ts': { ended_sessions: few },
  'platform/jobs/sql.ts': { jobs: 'a page of all in the order of their age' },
  'schedules/sql.ts': { people: 'a window of it, which is named as it is', scheduled_starts: cleaning },
  'segments/find-people.ts': { bots: few },
  'tenants/company-limits.ts': { bots: few },
  'tenants/moving/move-sql.ts': {
    company_move_rows: 'once a move',
    company_moves: few,
    queue: 'whether there is any, while a company leaves',
  },
  'tenants/snapshot.ts': { archived_workflows: kept, templates: kept },
};

const recorder = new URL('fence/recorded-statements.ts', import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isMaker = found.url.endsWith('/packages/stores/src/statements/statement.ts');
    return isMaker && context.parentURL !== recorder ? { ...found, url: recorder } : found;
  },
});

const root = fileURLToPath(new URL('..', import.meta.url));
const makesStatements = /\b(?:statement|ofCompany|statementsOver)\b[^;\n]*\(\)|\b(?:query|companyQuery)\(/;
for (const file of globSync('packages/server/src/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') }))
  if (makesStatements.test(readFileSync(join(root, file), 'utf8'))) await import(join(root, file));
const { compiled, recorded } = await import('./fence/recorded-statements.ts');
const { sqliteDatabase } = await import('../packages/stores/src/statements/database.ts');

const { ofCompanies, scanned } = await openTables();
const found = new Map<string, Map<string, number>>();
for (const { file, node } of recorded(sqliteDatabase())) {
  if (!file.startsWith('packages/server/src/')) continue; // the store's own find rows by lanes and by their numbers
  const place = file.slice('packages/server/src/'.length);
  for (const table of new Set(listUnfenced(node, (name) => ofCompanies.has(name)))) {
    const counts = found.get(place) ?? new Map<string, number>();
    found.set(place, counts.set(table, (counts.get(table) ?? 0) + 1));
  }
}
for (const place of new Set([...found.keys(), ...Object.keys(overAll)])) {
  const [counts, allowed] = [found.get(place), overAll[place] ?? {}];
  for (const table of new Set([...(counts?.keys() ?? []), ...Object.keys(allowed)])) {
    const [number, known] = [counts?.get(table) ?? 0, allowed[table]?.[0] ?? 0];
    if (number === known) continue;
    console.error(
      `packages/server/src/${place}: ${number} statements over "${table}" name no company, and ${known} are listed: begin with ofCompany() or companyQuery()`,
    );
    process.exitCode = 1;
  }
}

for (const place of new Set([...scanned.keys(), ...Object.keys(wholeTables)])) {
  const [tables, allowed] = [scanned.get(place) ?? new Set<string>(), wholeTables[place] ?? {}];
  for (const table of new Set([...tables, ...Object.keys(allowed)])) {
    if (tables.has(table) === table in allowed) continue;
    console.error(
      `packages/server/src/${place}: ${tables.has(table) ? `a statement goes through all of "${table}": give it an index, or list it with the reason` : `no statement goes through "${table}" any more: take it from the list`}`,
    );
    process.exitCode = 1;
  }
}

/** The tables that each file's statements go through in SQLite, which has no statistics of a new store: an index that fits is taken. */
function listScanned(database: DatabaseSync): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Set(
    database
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name)),
  );
  const partial = database.prepare("select name from sqlite_master where type = 'index' and sql like '% where %'").all();
  const ofSome = new Set(partial.map(({ name }) => String(name)));
  const files = new Map<string, Set<string>>();
  for (const { file, sql } of compiled(sqliteDatabase())) {
    if (!file.startsWith('packages/server/src/') || /pg_/.test(sql)) continue;
    for (const { detail } of database.prepare(`explain query plan ${sql}`).all()) {
      const [, table = '', index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(String(detail)) ?? [];
      if (!tables.has(table) || ofSome.has(index)) continue;
      const place = file.slice('packages/server/src/'.length);
      files.set(place, (files.get(place) ?? new Set<string>()).add(table));
    }
  }
  return files;
}

/** The tables whose rows are of companies, as the service makes them, and those that statements go through. */
async function openTables() {
  const { openStore } = await import('../packages/server/src/platform/database/open-store.ts');
  const data = mkdtempSync(join(tmpdir(), 'hilo-fence-'));
  try {
    await (await openStore({ data, databaseUrl: undefined }, createVirtualClock())).close();
    const database = new DatabaseSync(join(data, 'hilo.db'), { readOnly: true });
    const rows = database
      .prepare(`select t.name as name from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and c.name = 'company_id'`)
      .all();
    database.function('hilo_finds', { varargs: true }, () => 1);
    const scanned = listScanned(database);
    database.close();
    return { ofCompanies: new Set(rows.map(({ name }) => String(name))), scanned };
  } finally {
    rmSync(data, { recursive: true });
  }
}
