// Writes the histories of ended executions to files, in the background.
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { HiloError } from '@hilo/engine';
import { type Backoff, backoffMs, type Clock, type ExecutionStore, type Random } from '@hilo/engine/contract';
import { createHistoryExports, type DurableStore, type Ended, hasOthers, type HistoryExports, outcomes } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';
import { describeExecution } from './execution-pages.ts';
import { buryErased, type HistoryOwner, noteObject } from './history-objects.ts';
import type { HistoryPlace } from './history-place.ts';
import { describeHistory } from './history-view.ts';

interface OutboxParts {
  readonly store: Pick<DurableStore, 'runner' | 'executions' | 'durability'>;
  readonly place: HistoryPlace;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** The bounds of a file: it ends with the execution that reaches one of them. */
const maxFile = { executions: 500, chars: 4 * 1024 * 1024 };
/** How often executions that ended are exported, and how often the whole store is read for missed ones. */
const everyMs = { poll: 10_000, sweep: 3_600_000 };
/** Read again before the last exported end: a commit of the same time may come later. */
const overlapMs = 60_000;
/** How long one process has the turn, renewed before each file. If it lapses, another process may write the same file. */
const turnMs = 30_000;
/** Between failures. */
const backoff: Backoff = { firstMs: 1_000, longestMs: 300_000 };

/**
 * Writes the histories of ended executions to files in the background, each at least once: gzipped lines of JSON, one per execution.
 * Exported ones are marked in the store afterwards; a process that dies in between writes the same again. One process at a time
 * exports. @returns stops it; an export in progress is aborted, and repeated at the next start
 */
export function keepExporting({ store, place, clock, random, log }: OutboxParts): () => Promise<void> {
  const exports = createHistoryExports(store.runner);
  // Where no other process is at work, the next has the turn at once, however this one ends.
  const holder = hasOthers(store) ? Buffer.from(random.bytes(12)).toString('hex') : 'this';
  const stopping = new AbortController();
  let [failures, sweepAtMs] = [0, 0];
  /** Where the next export begins, by outcome. */
  const begins = new Map<string, number>();

  const hasTurn = async (): Promise<boolean> => !stopping.signal.aborted && exports.takeTurn(holder, clock.now(), clock.now() + turnMs);

  /** A history that cannot be read stays in the store, where an operator finds it, and does not block the others. */
  const readLine = async (one: Ended): Promise<Line | undefined> => {
    try {
      return await formatLine(store.executions, one);
    } catch (error) {
      if (error instanceof HiloError && error.code === 'STORE_UNAVAILABLE') throw error;
      const { companyId, executionId } = one;
      log.warn({ companyId, executionId, error: String(error) }, 'A history cannot be read: it stays in the store');
      return undefined;
    }
  };

  const exportAll = async (): Promise<number> => {
    let files = 0;
    if (clock.now() >= sweepAtMs) begins.clear();
    const sweepBegan = begins.size === 0;
    for (const outcome of outcomes) {
      for await (const batch of splitIntoFiles(readLine, readPages(exports, outcome, begins.get(outcome) ?? 0))) {
        if (batch.lines.length > 0) {
          if (!(await hasTurn())) return files;
          const name = nameFile(batch);
          const object = `${place.name.replace(/(?<!\/)\/+$/, '')}/${name}`;
          if (batch.users.length > 0) await store.runner.write(noteObject(object, batch.users)); // before it is there: an erasure names it
          await place.put(name, await promisify(gzip)(batch.lines.join('')), stopping.signal);
          await exports.mark(batch.ended);
          await buryErased({ store, place, clock, signal: stopping.signal }, object, batch.ended);
          files += 1;
        }
        begins.set(outcome, batch.untilMs - overlapMs);
      }
      if (!begins.has(outcome)) begins.set(outcome, 0);
    }
    if (sweepBegan) sweepAtMs = clock.now() + everyMs.sweep;
    return files;
  };

  const waitMs = (): number => (failures === 0 ? everyMs.poll : backoffMs(backoff, failures));
  const poll = async (): Promise<void> => {
    try {
      if (await hasTurn()) {
        const files = await exportAll();
        if (files > 0) log.info({ files, place: place.name, ...(failures > 0 && { failures }) }, 'Histories were written to the outbox');
        failures = 0;
      }
    } catch (error) {
      if (stopping.signal.aborted) return;
      failures += 1;
      log.warn({ error: String(error), place: place.name, retryInMs: waitMs() }, 'Histories could not be written to the outbox');
    }
  };
  const poller = createPoller({ clock, log, everyMs: everyMs.poll, waitMs, poll, failure: 'Histories could not be written to the outbox' });
  poller.start();
  poller.wake(clock.now());
  return async () => {
    stopping.abort();
    await poller.stop();
    await place.close();
  };
}

/** Executions of one outcome that are not exported yet, page by page. */
async function* readPages(exports: HistoryExports, outcome: (typeof outcomes)[number], fromMs: number): AsyncGenerator<readonly Ended[]> {
  for (let after = { endedAtMs: fromMs, id: -1 }; ; ) {
    const page = await exports.page(outcome, after, maxFile.executions);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < maxFile.executions) return;
    after = { endedAtMs: last.endedAtMs, id: last.id };
  }
}

/** One execution of a file, and its user. */
interface Line {
  readonly text: string;
  readonly userId: string | undefined;
}

/** What goes into one file. */
interface Batch {
  readonly ended: readonly Ended[];
  readonly lines: readonly string[];
  /** Whose histories are among them. */
  readonly users: readonly HistoryOwner[];
  /** Up to here all of the outcome is in this batch, or in those before it. */
  readonly untilMs: number;
}

/** A file for each page, or several where histories are long. */
async function* splitIntoFiles(
  readLine: (one: Ended) => Promise<Line | undefined>,
  pages: AsyncIterable<readonly Ended[]>,
): AsyncGenerator<Batch> {
  for await (const page of pages) {
    let [ended, lines, users, chars, untilMs]: [Ended[], string[], HistoryOwner[], number, number] = [[], [], [], 0, 0];
    for (const one of page) {
      untilMs = one.endedAtMs;
      if (one.isExported) continue;
      const line = await readLine(one);
      await turn(); // others are served in between
      if (line === undefined) continue;
      ended.push(one);
      lines.push(line.text);
      if (line.userId !== undefined) users.push({ companyId: one.companyId, userId: line.userId });
      chars += line.text.length;
      if (chars < maxFile.chars) continue;
      yield { ended, lines, users, untilMs };
      [ended, lines, users, chars] = [[], [], [], 0];
    }
    if (page.length > 0) yield { ended, lines, users, untilMs };
  }
}

/** An execution as management shows it, with its steps, as one line; empty for one that was removed meanwhile. */
async function formatLine(executions: ExecutionStore, { companyId, executionId }: Ended): Promise<Line | undefined> {
  const record = await executions.load(companyId, executionId);
  if (record === undefined) return undefined;
  const { entries } = describeHistory(executionId, await executions.history(companyId, executionId));
  const { userId } = record.state.origin;
  return { text: `${JSON.stringify({ companyId, ...describeExecution(record), history: entries })}\n`, userId };
}

/** Depends on the executions alone: a repeated export replaces its file. */
function nameFile({ ended, lines }: Batch): string {
  const at = new Date(ended[0]?.endedAtMs ?? 0).toISOString();
  const digest = createHash('sha256').update(lines.join('')).digest('hex').slice(0, 16);
  return `${at.slice(0, 10).replaceAll('-', '/')}/${at.slice(0, 19).replace(/[:-]/g, '')}Z-${digest}.ndjson.gz`;
}
