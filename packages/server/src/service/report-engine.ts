// What operators must know of the engine: its faults, and executions that are held or near their limits.
import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { reportFailures } from '../executions/report-failures.ts';
import type { MessageLog } from '../messages/messages.ts';
import type { Logger } from '../platform/logging/logger.ts';

/** Writes the events of an engine into the log, and messages that nothing waits for into theirs. */
export function reportEngine(
  engine: Engine,
  { log, clock, messages }: { readonly log: Logger; readonly clock: Clock; readonly messages: MessageLog },
): void {
  reportFailures({ engine, log, clock });
  engine.on('message.unmatched', ({ companyId, botId, message: { id }, cause }) =>
    typeof id === 'string' ? messages.unmatched({ companyId, botId, messageId: id, cause }) : undefined,
  );
  engine.on('engine.fault', ({ error, while: doing }) => log.error({ error, while: doing }, 'The engine met a fault and continues'));
  engine.on('execution.nearLimit', ({ companyId, executionId }, used) =>
    log.warn({ companyId, executionId, ...used }, 'An execution has used a fifth of what it may visit and keep as history'),
  );
  engine.on('version.incompatible', ({ companyId, workflowId, version, executions, sinceMs, problems }) => {
    const since = new Date(sinceMs).toISOString();
    log.error(
      { companyId, workflowId, version, executions, since, problems: problems.map(({ message }) => message) },
      `${executions} executions of version ${version} of workflow "${workflowId}" are held: the nodes of this release cannot run it`,
    );
  });
  engine.on('execution.quarantined', ({ companyId, executionId }, { reason }) =>
    log.error({ companyId, executionId, reason }, 'An execution is in quarantine until it is released'),
  );
}
