// Where a person is named in texts without a column for them: answers for repeated deliveries, signals that are held, executions without a
// user, the record of acts, and what jobs were told.
import {
  type Call,
  call,
  decodeText,
  encodeText,
  type ErasedExecution,
  forgetSeenKeys,
  integer,
  pageSeen,
  type Runner,
  optional,
  plain,
  sum,
} from '@hilo/stores';
import { type SqlBool, sql } from 'kysely';
import { companyQuery, ofCompany, query } from '../../platform/database/schema.ts';
import { erasedExecutions } from '../../platform/tables/erasure.ts';
import { jobs } from '../../platform/tables/jobs.ts';
import { isNamedIn, type Subject, withoutNames } from './subject.ts';

/** Rows that one page looks at. */
const pageRows = 2_000;

/** What is done with a page of rows, and where the next one begins; undefined at the end. */
export interface TextPage {
  readonly calls: readonly Call[];
  readonly next: string | undefined;
}

const findErased = erasedExecutions.find;

/** Ids of executions in a text. */
const listIds = (text: string): readonly string[] => text.match(/[0-9a-f]{32}/g) ?? [];

/** Which of the executions that texts name were erased. */
async function readErased(runner: Runner, companyId: string, texts: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(texts.flatMap(listIds))];
  const found = await runner.readEach(ids.map((executionId) => findErased({ companyId, executionId })));
  return new Set(ids.filter((_id, index) => found[index]?.length === 1));
}

/** Delivery ids that name the person or an erased execution, in their key or in the answer that a repetition gets. */
export async function clearSeen(runner: Runner, subject: Subject, after: string): Promise<TextPage> {
  const rows = await runner.read(pageSeen(subject.companyId, after, pageRows));
  const erased = await readErased(
    runner,
    subject.companyId,
    rows.flatMap(({ key, answer }) => [key, answer]),
  );
  const isTheirs = (text: string): boolean => isNamedIn(subject, text) || listIds(text).some((id) => erased.has(id));
  const keys = rows.filter(({ key, answer }) => isTheirs(key) || isTheirs(answer)).map(({ key }) => key);
  return { calls: forgetSeenKeys(keys), next: rows.length < pageRows ? undefined : rows.at(-1)?.key };
}

const heldSignals = companyQuery({}, { id: plain(), signalValue: optional(plain()), signal: plain() }, (company) =>
  company.selectFrom('held_signals').select(['id', 'signal_value', 'signal']),
);
const dropSignal = companyQuery({ id: plain() }, {}, (company, { id }) => company.deleteFrom('held_signals').where('id', '=', id));

/** Signals that are held for the person or for an erased execution. A company has a bounded number of them. */
export async function findSignals(runner: Runner, subject: Subject) {
  const rows = await runner.read(heldSignals({ companyId: subject.companyId }));
  const erased = await readErased(
    runner,
    subject.companyId,
    rows.map(({ signal }) => signal),
  );
  return rows.filter(
    ({ signal, signalValue: value = '' }) =>
      subject.userKeys.includes(value) || isNamedIn(subject, signal) || listIds(signal).some((id) => erased.has(id)),
  );
}

/** Drops them. */
export async function clearSignals(runner: Runner, subject: Subject): Promise<readonly Call[]> {
  const found = await findSignals(runner, subject);
  return found.map(({ id }) => dropSignal({ companyId: subject.companyId, id }));
}

type Between = { readonly companyId: string; readonly after: number; readonly upTo: number };

const actsBetween = ofCompany<Between>()((company, { after, upTo }) =>
  company.selectFrom('audit').selectAll().where('id', '>', after).where('id', '<=', upTo),
);
const lastAct = query({}, { id: optional(sum()) }, (db) => db.selectFrom('audit').select(({ fn }) => fn.max('id').as('id')));
const renameAct = ofCompany<{
  readonly id: number;
  readonly objectId: string | null;
  readonly before: string | null;
  readonly after: string | null;
}>()((company, { id, objectId, before, after }) =>
  company.updateTable('audit').set({ object_id: objectId, before, after }).where('id', '=', id),
);

/** The names by which paths and other acts mean the person. */
const nameActs = ({ userIds, botIds }: Subject): Set<string> =>
  new Set(userIds.flatMap((id) => [id, `phone:${id}`, `phone:+${id}`, `bsuid:${id}`, ...botIds.map((botId) => `${botId}:${id}`)]));

/** Acts that name the person, as rows whose object is the id of the contact. */
export async function renameActs(runner: Runner, subject: Subject, after: number): Promise<TextPage> {
  const last = (await runner.readOne(lastAct({})))?.id ?? 0;
  const upTo = after + pageRows;
  const rows = await runner.read(call(actsBetween, { companyId: encodeText(subject.companyId), after, upTo }));
  const known = nameActs(subject);
  const rename = (text: string | null): string | null => (text === null ? null : withoutNames(subject, text, subject.contactId));
  const calls = rows.flatMap((row) => {
    const object = row.object_id === null ? null : decodeText(row.object_id);
    const renamed = {
      companyId: row.company_id,
      id: Number(row.id),
      objectId: object !== null && known.has(object) ? subject.contactId : rename(row.object_id),
      before: rename(row.before),
      after: rename(row.after),
    };
    const isSame = renamed.objectId === row.object_id && renamed.before === row.before && renamed.after === row.after;
    return isSame ? [] : [call(renameAct, renamed)];
  });
  return { calls, next: upTo >= last ? undefined : String(upTo) };
}

/** The acts about a contact, by any of their names, page by page, the oldest first. */
export async function* readActs(runner: Runner, subject: Subject) {
  const last = (await runner.readOne(lastAct({})))?.id ?? 0;
  const known = nameActs(subject).add(subject.contactId);
  for (let after = 0; after < last; after += pageRows) {
    const rows = await runner.read(call(actsBetween, { companyId: encodeText(subject.companyId), after, upTo: after + pageRows }));
    yield* rows.filter(({ object_id: id }) => id !== null && (known.has(decodeText(id)) || isNamedIn(subject, id)));
  }
}

const renameJob = companyQuery({ id: plain(), spec: plain(), problems: plain() }, {}, (company, { id, spec, problems }) =>
  company.updateTable('jobs').set({ spec, problems }).where('id', '=', id),
);

/** Other jobs that were told of the person, or have met them as a problem: they know the contact's id instead. */
export async function renameJobs(runner: Runner, subject: Subject): Promise<readonly Call[]> {
  const found = await runner.read(jobs.all(subject.companyId));
  return found.flatMap(({ id, spec, problems }) => {
    const texts = { spec: JSON.stringify(spec), problems: JSON.stringify(problems) };
    const renamed = {
      spec: withoutNames(subject, texts.spec, subject.contactId),
      problems: withoutNames(subject, texts.problems, subject.contactId),
    };
    const isSame = renamed.spec === texts.spec && renamed.problems === texts.problems;
    return isSame ? [] : [renameJob({ companyId: subject.companyId, id, ...renamed })];
  });
}

type Searched = { readonly companyId: string; readonly after: number; readonly limit: number; readonly pattern: string };

/** Executions without a user in whose state or history a text is, the oldest first. */
const executionsWith = ofCompany<Searched>()((company, { after, limit, pattern }) => {
  const has = (column: string) => sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
  return company
    .selectFrom('executions')
    .select(['executions.id', 'company_id', 'execution_id', 'lane', 'status', 'begun', 'state'])
    .where('user_key', 'is', null)
    .where('executions.id', '>', after)
    .where(({ or, exists, selectFrom }) =>
      or([
        has('state'),
        has('begun'),
        exists(selectFrom('histories').select('histories.id').whereRef('execution', '=', 'executions.id').where(has('body'))),
      ]),
    )
    .orderBy('executions.id')
    .limit(limit);
});
const bodiesOf = query({ execution: integer() }, { body: optional(plain()) }, (db, { execution }) =>
  db.selectFrom('histories').select('body').where('execution', '=', execution),
);

/** Executions of one page. */
const executionsAtOnce = 100;

/** A page of executions without a user that name the person: those of webhooks that had their id in the body, such as of another system. */
export async function findNaming(
  runner: Runner,
  subject: Subject,
  text: string,
  after: number,
): Promise<{ readonly found: readonly ErasedExecution[]; readonly next: number | undefined }> {
  const written = JSON.stringify(text).slice(1, -1);
  const pattern = `%${written.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const given = { companyId: encodeText(subject.companyId), after, limit: executionsAtOnce, pattern };
  const rows = await runner.read(call(executionsWith, given));
  const bodies = await runner.readEach(rows.map(({ id }) => bodiesOf({ execution: id })));
  const found = rows
    .filter(
      ({ state, begun }, index) =>
        isNamedIn(subject, state) || isNamedIn(subject, begun) || (bodies[index] ?? []).some(({ body = null }) => isNamedIn(subject, body)),
    )
    .map(({ id, company_id, execution_id, lane, status }) => ({ id, company_id, execution_id, lane, status }));
  return { found, next: rows.length < executionsAtOnce ? undefined : rows.at(-1)?.id };
}
