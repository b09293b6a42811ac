import type { Engine, EngineEvents } from '@hilo/engine';
import { finalStatuses } from '@hilo/engine/store-kit';
import type { ExecutionRecord, ExecutionStore } from '@hilo/engine/contract';
import type { DurableStore } from '../../../packages/stores/src/durable-store.ts';
import { allExecutions } from '../checker/all-executions.ts';
import { companyId } from '../load/names.ts';
import type { Command, OpenExecution } from '../protocol.ts';
import type { Fuse } from './fuse.ts';

/** What a process works with. */
export interface Workplace {
  readonly engine: Engine;
  readonly executions: ExecutionStore;
  readonly prune: DurableStore['prune'];
  readonly fuse: Fuse;
  readonly checkpoint: () => void;
}

/** Performs the commands to a process. */
export function performer({ engine, executions, prune, fuse, checkpoint }: Workplace): (command: Command) => Promise<unknown> {
  const settle = settler(engine);
  return async (command) => {
    switch (command.verb) {
      case 'message':
        return engine.receiveMessage(command.message);
      case 'start':
        return engine.startWorkflow(command.start);
      case 'webhook':
        return engine.receiveWebhook(command.call);
      case 'cancel':
        return (await engine.cancel(companyId, command.executionId)).state.status;
      case 'release':
        return (await engine.release(companyId, command.executionId)).state.status;
      case 'publish':
        await engine.saveDraft(companyId, command.canvas);
        return (await engine.publish(companyId, command.canvas.id)).version.version;
      case 'prune':
        return fuse.around(['retention'], () => prune({ nowMs: Date.now(), completedForMs: Number.MAX_SAFE_INTEGER, failedForMs: 0 }));
      case 'checkpoint':
        return checkpoint();
      case 'settle':
        return settle();
      case 'list-open':
        return (await allExecutions(executions)).filter(({ state }) => !finalStatuses.has(state.status)).map(openExecution);
    }
  };
}

const openExecution = ({ executionId, workflowId, state: { status, wait } }: ExecutionRecord): OpenExecution => ({
  executionId,
  workflowId,
  status,
  wait: wait?.kind ?? null,
});

/** What falls due later than this is not waited for. */
const soonMs = 60_000;

/** After one of these, something may have become quiet. */
const changes: readonly (keyof EngineEvents)[] = ['execution.waiting', 'execution.ended', 'visit.left'];

/** Waits, event by event, until nothing is under way and nothing falls due soon. */
function settler({ on, whenIdle, nextDueMs }: Engine): () => Promise<void> {
  let wake = (): void => {};
  for (const name of changes) on(name, () => wake());
  return async () => {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await whenIdle();
      const dueMs = await nextDueMs();
      if (dueMs === undefined || dueMs > Date.now() + soonMs) return;
      await changed;
    }
  };
}
