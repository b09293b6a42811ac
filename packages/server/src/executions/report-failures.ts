import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { createBoundedWarn } from '../platform/logging/bounded-warn.ts';
import type { Logger } from '../platform/logging/logger.ts';

/** Log lines a minute for each workflow or bot: the log counts the rest of a flood, and `/metrics` counts all. */
const linesAMinute = 60;

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
  const warn = createBoundedWarn(log, clock, linesAMinute);
  engine.on('execution.ended', ({ companyId, executionId, workflowId, version }, { status, failure }) => {
    if (status !== 'failed') return;
    const where = { companyId, workflowId, version, ...(failure?.nodeId !== undefined && { nodeId: failure.nodeId }) };
    warn(['execution', companyId, workflowId], { ...where, cause: failure?.cause, executionId }, 'An execution failed');
  });
  engine.on('message.unmatched', ({ companyId, botId, userId, message, cause }) => {
    const { id } = message;
    const isSetAside = cause === 'NOT_PROCESSABLE';
    warn(
      [isSetAside ? 'set aside' : 'message', companyId, botId],
      { companyId, botId, userId, ...(typeof id === 'string' && { messageId: id }), cause },
      isSetAside ? 'A message could not be processed and was set aside: nobody answers it' : 'No workflow took a message',
    );
  });
}
