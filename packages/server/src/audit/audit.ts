// The record of what operators did: a row before each act, and one after it with its outcome. Nothing is done that is not on record
// before (P38); an act whose second row is missing may have been done or not, as one whose answer was lost (P2).
import { userInfo } from 'node:os';
import type { JsonObject } from '@hilo/engine/contract';
import type { Call } from '@hilo/stores';
import type { ActedOn } from '../platform/http/context.ts';
import { unavailable } from '../platform/http/errors.ts';
import { createRedact } from '../platform/logging/redact.ts';
import type { Platform } from '../platform/platform.ts';
import { collectKnownSecrets } from '../platform/secrets/known-secrets.ts';
import { audit as table } from '../platform/tables/audit.ts';
import { deleteActsBefore } from './sql.ts';

export { noteMerge, noteSpelling, rowOfMerge } from './note-merge.ts';
export { noteOnce } from './notes.ts';

/**
 * By which door an operator came: HTTP, the socket of the data directory, the store itself, or a program that embeds the service; `provider`
 * for what the provider of a bot did.
 */
export const vias = ['http', 'socket', 'store', 'host', 'provider'] as const;
export type Via = (typeof vias)[number];

/** Who acts, and by which door. */
export interface Caller {
  /** Such as `operator maria`, `admin token`, `admin session`, `command line (maria)`. */
  readonly actor: string;
  readonly via: Via;
}

/** An act of management. */
export interface Act extends Caller {
  readonly requestId: string;
  /** The operation, as the description of the interface names it, such as `publishWorkflow`. */
  readonly action: string;
}

/** Puts acts on record. */
export interface Audit {
  /** Before the act. @throws {HttpError} 503, where this cannot be written: then nothing may be done */
  ask(act: Act, on: ActedOn): Promise<void>;
  /** After the act. @param outcome - the status of its answer */
  settle(act: Act, on: ActedOn, outcome: number): Promise<void>;
  /** A row by itself, for the transaction that does the act. */
  row(act: Act, on: ActedOn, outcome: string): Call;
}

/** What the record needs of the service. */
export type AuditParts = Pick<Platform, 'store' | 'clock' | 'log'> & {
  readonly settings: Parameters<typeof collectKnownSecrets>[0];
} & { readonly companies: { readonly secrets: () => readonly string[] } };

/** Most characters of what is kept about an object before or after an act. */
const maxFactsChars = 4_096;
/** Most characters of any other text of a row. */
const maxTextChars = 500;

/** Every text passes the redaction of the log (P31): a secret that a caller wrote into a path is not kept. */
export function createAudit({ store, clock, log, settings, companies }: AuditParts): Audit {
  const redact = createRedact(collectKnownSecrets(settings, () => companies));
  const keep = (text: string): string => redact(text).slice(0, maxTextChars).toWellFormed();
  const keepFacts = (facts: JsonObject | undefined): string | undefined => {
    if (facts === undefined) return undefined;
    const text = redact(JSON.stringify(facts));
    return text.length <= maxFactsChars ? text : JSON.stringify({ isTooLong: true });
  };
  const row = (act: Act, { companyId = '', kind, id, before, after }: ActedOn, outcome: string): Call =>
    table.insertOne({
      companyId,
      atMs: clock.now(),
      requestId: act.requestId,
      actor: keep(act.actor),
      via: act.via,
      action: act.action,
      objectKind: kind === undefined ? undefined : keep(kind),
      objectId: id === undefined ? undefined : keep(id),
      before: keepFacts(before),
      after: keepFacts(after),
      outcome,
    });
  const write = (act: Act, on: ActedOn, outcome: string) => store.runner.write([row(act, on, outcome)]);
  return {
    row,
    async ask(act, on) {
      try {
        await write(act, on, 'asked');
      } catch (error) {
        log.error(
          { requestId: act.requestId, action: act.action, error: String(error) },
          'An act was refused: it could not be put on record',
        );
        throw unavailable('This could not be put on record, so it was not done; send it again when the store takes writes');
      }
    },
    async settle(act, on, outcome) {
      try {
        await write(act, on, String(outcome));
      } catch (error) {
        log.warn(
          { requestId: act.requestId, action: act.action, outcome, error: String(error) },
          'The outcome of an act is not on record: the row from before it stands alone',
        );
      }
    },
  };
}

/** A row for an act that a provider tells of: it is done when it is told, so that it has one row, in the transaction that keeps it. */
export const actOfEvent = (
  { actor, requestId, action }: Pick<Act, 'actor' | 'requestId' | 'action'>,
  { companyId = '', kind, id }: Pick<ActedOn, 'companyId' | 'kind' | 'id'>,
  atMs: number,
): Call =>
  table.insertOne({
    companyId,
    atMs,
    requestId: requestId.slice(0, maxTextChars).toWellFormed(),
    actor,
    via: 'http',
    action,
    objectKind: kind,
    objectId: id,
    outcome: '200',
  });

/** The person at the command line of this machine. */
export function nameCommandLine(): string {
  try {
    return `command line (${userInfo().username})`;
  } catch {
    return `command line (user ${process.getuid?.() ?? 'without a name'})`; // a container may run as a user without an entry
  }
}

/** Rows of one removal. */
const batch = 1_000;

/** Removes rows from before an instant. @returns how many */
export async function pruneAudit({ runner }: Pick<Platform['store'], 'runner'>, beforeMs: number): Promise<number> {
  for (let removed = 0; ; ) {
    const remove = deleteActsBefore({ beforeMs, limit: batch });
    const count = (await runner.write([remove])).rowsOf(remove).length;
    removed += count;
    if (count < batch) return removed;
  }
}
