import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../platform/logging/logger.ts';

/** Log lines a minute for each workflow or bot: the log counts the rest of a flood, and `/metrics` counts all. */
const linesAMinute = 60;
const minuteMs = 60_000;
/** Workflows and bots that are remembered. */
const mostNames = 10_000;

/** Logs a WARN for each failed execution and for each message that no workflow accepted, without user text (T17). */
export function reportFailures({
  engine,
  log,
  clock,
}: {
  readonly engine: Pick<Engine, 'on'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Pick<Clock, 'now'>;
}): void {
  const warn = createBoundedWarn(log, clock);
  engine.on('execution.ended', ({ companyId, executionId, workflowId, version }, { status, failure }) => {
    if (status !== 'failed') return;
    const where = { companyId, workflowId, version, ...(failure?.nodeId !== undefined && { nodeId: failure.nodeId }) };
    warn([companyId, workflowId], { ...where, cause: failure?.cause, executionId }, 'An execution failed');
  });
  engine.on('message.unmatched', ({ companyId, botId, userId, message, cause }) => {
    const { id } = message;
    warn(
      [companyId, botId],
      { companyId, botId, userId, ...(typeof id === 'string' && { messageId: id }), cause },
      'No workflow took a message',
    );
  });
}

function createBoundedWarn(
  log: Pick<Logger, 'warn'>,
  clock: Pick<Clock, 'now'>,
): (name: readonly string[], fields: object, message: string) => void {
  const minutes = new LRUCache<string, { readonly sinceMs: number; written: number; unwritten: number }>({ max: mostNames });
  return (name, fields, message) => {
    const key = JSON.stringify([message, ...name]);
    const nowMs = clock.now();
    let minute = minutes.get(key);
    const before = minute;
    if (minute === undefined || Math.abs(nowMs - minute.sinceMs) >= minuteMs) {
      minute = { sinceMs: nowMs, written: 0, unwritten: 0 };
      minutes.set(key, minute);
    }
    if (minute.written === linesAMinute) {
      minute.unwritten += 1;
      return;
    }
    minute.written += 1;
    const moreBefore = before !== minute && before !== undefined && before.unwritten > 0 ? { moreBefore: before.unwritten } : {};
    log.warn({ ...fields, ...moreBefore }, message);
  };
}
