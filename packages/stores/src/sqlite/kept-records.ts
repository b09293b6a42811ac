import type { Commit, Committed, ExecutionRecord } from '@hilo/engine/contract';
import { LRUCache } from 'lru-cache';
import type { CommitRows } from '../commit.ts';
import { type Call, createRunner, type Runner } from '../statements/call.ts';
import { encodeText } from '../text-encoding.ts';
import type { SqliteRunner } from './runner.ts';

/**
 * A cache of executions that wait, for a database without other writers: most are resumed soon after they began to wait, and reading and
 * unpacking them takes longer than deciding what follows.
 */
export interface KeptRecords {
  /** The execution as it was last committed; frozen, so that nobody changes what is kept. */
  find(companyId: string, executionId: string): ExecutionRecord | undefined;
  /**
   * Commits, and keeps the records that wait then. They are dropped while the outcome is not known, and stay so when it is anything but
   * `committed` (P2).
   *
   * @param rows - of the commit
   * @param others - what is written with it
   */
  committing(commit: Commit, rows: CommitRows, others: readonly Call[], write: () => Promise<Committed>): Promise<Committed>;
  /** A runner for all others, such as retention and moves of companies: what they write of executions drops all that is kept. */
  watch(runner: SqliteRunner): Runner;
  clear(): void;
}

/** How much is kept at most: records, and characters of their rows. What was used longest ago makes room. */
export interface KeptLimits {
  readonly maxRecords: number;
  readonly maxChars: number;
}

/** Some 40 MB of heap for typical executions. */
const keptLimits: KeptLimits = { maxRecords: 10_000, maxChars: 16_000_000 };

interface Kept {
  readonly record: ExecutionRecord;
  readonly chars: number;
  isFrozen: boolean;
}

/** @param sqlOf - a statement as the database accepts it */
export function keepRecords(sqlOf: SqliteRunner['sqlOf'], { maxRecords, maxChars }: KeptLimits = keptLimits): KeptRecords {
  const fewestChars = Math.max(1, Math.floor(maxChars / maxRecords));
  /**
   * By company and execution. No map whose first key makes room: it would look through all that were removed before that one. With `max`,
   * the places of all records would be made at once; a small record counts as much as keeps them within their number.
   */
  const kept = new LRUCache<string, Kept>({ maxSize: maxChars, sizeCalculation: ({ chars }) => Math.max(chars, fewestChars) });
  /** The last commit that was begun of each execution. */
  const begun = new Map<string, object>();

  const clear = (): void => {
    kept.clear();
    begun.clear();
  };
  const writing = new Map<Call['statement'], boolean>();
  const isWriting = (statement: Call['statement']): boolean => {
    const found = writing.get(statement) ?? writesExecutions(sqlOf(statement));
    writing.set(statement, found);
    return found;
  };
  /** To be called before a write is handed over: what is committed later is written later. */
  const beware = (calls: readonly Call[]): void => {
    if (calls.some(({ statement }) => isWriting(statement))) clear();
  };

  return {
    find(companyId, executionId) {
      const found = kept.get(formatName(companyId, executionId));
      if (found === undefined) return undefined;
      if (!found.isFrozen) freezeAll(found.record);
      found.isFrozen = true;
      return found.record;
    },
    async committing(commit, rows, others, write) {
      const own = {};
      const names = commit.saves.map(({ companyId, executionId }) => formatName(companyId, executionId));
      for (const name of names) {
        kept.delete(name);
        begun.set(name, own);
      }
      beware(others);
      try {
        const committed = await write();
        if (committed.kind !== 'committed') return committed;
        commit.saves.forEach((record, index) => {
          const name = names[index] ?? '';
          if (record.state.status === 'waiting' && begun.get(name) === own)
            kept.set(name, { record, chars: sizeOf(record, rows), isFrozen: false });
        });
        return committed;
      } finally {
        for (const name of names) if (begun.get(name) === own) begun.delete(name);
      }
    },
    watch: (runner) =>
      createRunner({
        readEach: runner.readEach,
        write(calls) {
          beware(calls);
          return runner.write(calls);
        },
      }),
    clear,
  };
}

const formatName = (companyId: string, executionId: string): string => `${companyId}\0${executionId}`;

/** Whether a statement writes rows of executions, in a common table expression too. */
const writesExecutions = (sql: string): boolean => /\b(?:insert into|update|delete from) "?executions\b/i.test(sql);

/** The length of what an execution's row has of it. */
function sizeOf({ companyId, executionId }: ExecutionRecord, { saves }: CommitRows): number {
  const [company, name] = [encodeText(companyId), encodeText(executionId)];
  const row = saves.length === 1 ? saves[0] : saves.find((one) => one.execution_id === name && one.company_id === company);
  return row === undefined ? 0 : row.state.length + (row.begun?.length ?? 0);
}

function freezeAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freezeAll(item);
}
