// Rows of the record for what comes about without an operator: each is done when it is told, and has one row.
import { createHash } from 'node:crypto';
import { asCondition, type Call, type Runner } from '@hilo/stores';
import type { ActedOn } from '../platform/http/context.ts';
import { audit as table } from '../platform/tables/audit.ts';

const byRequest = table.read(['id'], { requestId: table.columns.requestId }, (rows, { requestId }) =>
  rows.where('request_id', '=', requestId).limit(1),
);

/** What came about without an operator. */
interface CameAbout {
  /** What tells it from all others. */
  readonly name: readonly string[];
  readonly actor: string;
  readonly action: string;
}
type CameAboutFor = Pick<ActedOn, 'kind' | 'id' | 'after'> & { readonly companyId: string };

const requestIdOf = (name: readonly string[]): string => createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, 32);

/** A row for what came about without an operator, for the transaction that keeps it. */
export const noteOf = ({ name, actor, action }: CameAbout, { companyId, kind, id, after }: CameAboutFor, atMs: number): Call => {
  const row = { companyId, atMs, requestId: requestIdOf(name), actor, via: 'provider', action, objectKind: kind, objectId: id } as const;
  return table.insertOne({ ...row, outcome: '200', after: after && JSON.stringify(after) });
};

/** The same by itself, once for its name: whatever tells of it may be handled again. */
export async function noteOnce(runner: Pick<Runner, 'write'>, what: CameAbout, on: CameAboutFor, atMs: number): Promise<void> {
  const isNew = asCondition(byRequest({ companyId: on.companyId, requestId: requestIdOf(what.name) }), 0);
  await runner.write([isNew, noteOf(what, on, atMs)]);
}
