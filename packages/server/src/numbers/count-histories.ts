// Counts what executions do, in the background: histories are read in the order in which they were committed, and each record is counted in
// the transaction that says so. A start costs nothing more by it, and what an earlier release recorded is counted like the rest.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '@hilo/engine/contract';
import { asCondition, type DurableStore, readNumberedHistory } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';
import { bucketColumns } from '../platform/tables/numbers.ts';
import { bucketOf } from './buckets.ts';
import { type Count, countRecords, type CountedVersion, hourOf } from './count-records.ts';
import * as queries from './sql.ts';

/** Rows that are read at once, of executions and of histories each. */
const pageSize = 100;
/** How often it is looked for something new; whoever asks for numbers need not wait for it. */
const everyMs = 60_000;
/** Between two pages it rests this many times as long as a page took: what users wait for comes first. */
const restTimes = 30;
/** Counts are kept for so many days. */
const keptDays = 400;

type Parts = { readonly store: Pick<DurableStore, 'runner' | 'durability'>; readonly clock: Clock };

/** Counts what has been committed so far. */
export interface HistoryCounter {
  /** Counts one page. @returns whether there may be more */
  page(): Promise<boolean>;
}

/** Makes a counter. Several may count the same store: each record is counted by one of them. */
export function createHistoryCounter({ store: { runner, durability }, clock }: Parts): HistoryCounter {
  /** PostgreSQL: numbers that were given, and the transaction that came after all that had one of them. */
  let settling: (queries.Position & { readonly next: number }) | undefined;

  /** Up to which rows nothing can be committed any more. */
  const findEnd = async (): Promise<queries.Position> => {
    if (durability.database === 'sqlite') return (await runner.readOne(queries.lastRows({}))) ?? nowhere;
    const given = await runner.readOne(queries.lastNumbers({}));
    const transactions = await runner.readOne(queries.transactions({}));
    const { next, oldest } = transactions ?? { next: Number.NaN, oldest: Number.NaN };
    const fresh = { ...(given ?? nowhere), next };
    if (oldest >= next) return fresh; // none is at work
    const settled = settling !== undefined && oldest >= settling.next ? settling : undefined;
    if (settled !== undefined || settling === undefined) settling = fresh;
    return settled ?? nowhere;
  };

  return {
    async page() {
      const { begun: fromBegun, advanced: fromAdvanced } = (await runner.readOne(queries.selectCursor({}))) ?? nowhere;
      const [after, end] = [{ begun: fromBegun, advanced: fromAdvanced }, await findEnd()];
      if (end.begun <= after.begun && end.advanced <= after.advanced) return false;
      const begun = await runner.read(queries.begunAfter({ after: after.begun, upTo: end.begun, limit: pageSize }));
      const advanced = await runner.read(queries.advancedAfter({ after: after.advanced, upTo: end.advanced, limit: pageSize }));
      const upTo = {
        begun: begun.length < pageSize ? Math.max(after.begun, end.begun) : (begun.at(-1)?.id ?? Number.NaN),
        advanced: advanced.length < pageSize ? Math.max(after.advanced, end.advanced) : (advanced.at(-1)?.id ?? Number.NaN),
      };
      const rows = await countPage(runner, { begun, advanced, after: after.advanced, upTo: upTo.advanced });
      const atMs = clock.now();
      await runner.write([
        asCondition(queries.moveCursor({ fromBegun: after.begun, fromAdvanced: after.advanced, ...upTo, atMs })),
        ...rows.map((row) => queries.addNumbers(row)),
      ]);
      return upTo.begun < end.begun || upTo.advanced < end.advanced;
    },
  };
}

const nowhere: queries.Position = { begun: 0, advanced: 0 };

interface Page {
  readonly begun: readonly queries.NumberedRow[];
  readonly advanced: readonly queries.NumberedRow[];
  /** Later records behind the first of these, up to the second, are to be counted. */
  readonly after: number;
  readonly upTo: number;
}

/** The counts of a page, each key once. */
async function countPage(runner: Parts['store']['runner'], { begun, advanced, after, upTo }: Page): Promise<readonly AddedRow[]> {
  const isNewlyBegun = new Set(begun.map(nameOf));
  const sums = new Map<string, AddedRow>();
  const contents = new Map<string, readonly queries.PublishedContent[]>();
  for (const row of new Map([...begun, ...advanced].map((one) => [nameOf(one), one])).values()) {
    const { companyId, executionId } = row;
    if (companyId === undefined || executionId === undefined) continue;
    const read = await readNumberedHistory(runner, { companyId, executionId });
    if (read === undefined) continue;
    const known = contents.get(companyId) ?? (await runner.read(queries.publishedContents({ companyId })));
    contents.set(companyId, known);
    const history = read.records.map(({ record, position }) => ({
      record,
      isNew: position === 0 ? isNewlyBegun.has(nameOf(row)) : position > after && position <= upTo,
    }));
    for (const count of countRecords(history, read.status, (hash, atMs) => versionOf(known, hash, atMs))) add(sums, companyId, count);
    await turn(); // others are served in between
  }
  return [...sums.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)); // in one order, so that two processes never wait for each other
}

type AddedRow = queries.NumberKey & { -readonly [Column in keyof queries.Added]: number };

const nameOf = ({ companyId, executionId }: queries.NumberedRow): string => JSON.stringify([companyId, executionId]);
const keyOf = ({ companyId, workflowId, hour, version, nodeId, kind, name, channel }: queries.NumberKey): string =>
  JSON.stringify([companyId, workflowId, hour, version, nodeId, kind, name, channel]);

/** The last version that had a content at an instant: one content may have been published several times. */
function versionOf(contents: readonly queries.PublishedContent[], hash: string, atMs: number): CountedVersion | undefined {
  const having = contents.filter((one) => one.hash === hash).toSorted((a, b) => a.version - b.version);
  const found = having.findLast((one) => one.publishedAtMs <= atMs) ?? having[0];
  return found && { workflowId: found.workflowId, version: found.version };
}

function add(
  sums: Map<string, AddedRow>,
  companyId: string,
  { workflowId, version, hour, nodeId, kind, name, channel, tookMs }: Count,
): void {
  const key = { companyId, workflowId, hour, version, nodeId, kind, name, channel };
  const known = sums.get(keyOf(key)) ?? { ...key, ...empty };
  sums.set(keyOf(key), known);
  known.count += 1;
  if (tookMs === undefined) return;
  known.timeMs += tookMs;
  known[bucketColumns[bucketOf(tookMs)] ?? 'b19'] += 1;
}

const empty = Object.fromEntries(['count', 'timeMs', ...bucketColumns].map((column) => [column, 0])) as queries.Added;

/** Counts in the background. @returns stops it, once the page at work is done */
export function keepCounting(counter: HistoryCounter, clock: Clock, log: Pick<Logger, 'warn'>): () => Promise<void> {
  let waitMs = everyMs;
  const poll = async (beganAtMs: number): Promise<void> => {
    waitMs = everyMs;
    if (await counter.page()) waitMs = Math.min(everyMs, Math.max(1, restTimes * (clock.now() - beganAtMs)));
  };
  const poller = createPoller({ clock, log, everyMs, waitMs: () => waitMs, poll, failure: 'What executions do could not be counted' });
  poller.start();
  return () => poller.stop();
}

/** Removes counts that are older than need be. @returns how many */
export async function pruneNumbers({ runner }: Pick<DurableStore, 'runner'>, nowMs: number): Promise<number> {
  const remove = queries.removeOldNumbers({ beforeHour: hourOf(nowMs) - keptDays * 24 });
  return (await runner.write([remove])).rowsOf(remove).length;
}
