// What people see of a simulated cluster and do to it, as commands of a random run.
import type { CompiledCanvas } from '@hilo/engine/debug';
import type { Canvas, ExecutionRecord } from '@hilo/engine/contract';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import type { Callers } from './callers.ts';
import { textsOf, webhookOf } from './canvas-offers.ts';
import type { Command } from './plan.ts';
import type { RareState } from './rare-states.ts';

const { companyId, botId } = simulatedIds;

/** What people outside see of the cluster, and do to it. */
export interface Commands {
  do(command: Command): void;
  /** A user writes a message. */
  says(userId: string, text: string): void;
  /** An operator releases quarantined executions. */
  releaseAll(): void;
}

export interface CommandsOptions {
  readonly callers: Callers;
  readonly canvases: readonly Canvas[];
  readonly users: number;
  /** Every execution, as last saved. */
  readonly executions: () => readonly ExecutionRecord[];
  readonly canvasOf: (hash: string) => CompiledCanvas;
  readonly onRare: (state: RareState) => void;
}

const userIdOf = (number: number): string => `52155000000${String(number).padStart(2, '0')}`;

/** Picks one of any number of items by a number. */
const chosen = <Item>(items: readonly Item[], choice: number): Item | undefined => items[choice % items.length];

export function createCommands({ callers, canvases, users, executions, canvasOf, onRare }: CommandsOptions): Commands {
  const texts = textsOf(canvases);
  const webhooks = canvases.flatMap((canvas) => webhookOf(canvas));
  const open = (): readonly ExecutionRecord[] => executions().filter(({ state }) => state.ending === undefined);
  let count = 0;
  const nextKey = (kind: string): string => {
    count += 1;
    return `${kind} ${count}`;
  };

  const says = (userId: string, text: string): void => {
    const key = nextKey('message');
    const message = { id: key, type: 'text', text };
    callers.send({
      verb: 'message',
      key,
      isRepeated: true,
      async act(engine) {
        await engine.receiveMessage({ companyId, botId, eventId: key, user: { id: userId }, message });
        return {};
      },
    });
  };

  const calls = (userId: string, choice: number): void => {
    const hook = chosen(webhooks, choice);
    if (hook === undefined) return;
    const isRepeated = choice % 5 !== 0;
    const key = nextKey('call');
    callers.send({
      verb: 'start',
      key,
      isRepeated,
      act: (engine) =>
        engine.receiveWebhook({
          ...hook.address,
          request: { method: hook.method, headers: {}, query: { userId }, body: { id: choice } },
          ...(isRepeated && { idempotencyKey: key }),
        }),
    });
  };

  const starts = (userId: string, choice: number): void => {
    const canvas = chosen(canvases, choice);
    if (canvas === undefined) return;
    const key = nextKey('start');
    const user = choice % 3 === 0 ? {} : { botId, userId, channel: 'whatsapp' as const };
    callers.send({
      verb: 'start',
      key,
      isRepeated: true,
      act: (engine) =>
        engine.startWorkflow({ origin: { companyId, route: 'production', ...user }, workflowId: canvas.id, idempotencyKey: key }),
    });
  };

  const resumes = (choice: number, copies: number): void => {
    const waiting = open().filter(({ state: { wait } }) => wait?.kind === 'webhook' || wait?.kind === 'external');
    const target = chosen(waiting.length > 0 && choice % 8 !== 0 ? waiting : executions(), choice);
    const canvas = target === undefined ? undefined : canvasOf(target.state.canvasHash);
    const hook = canvas === undefined ? undefined : webhookOf(canvas.canvas)[0];
    if (target === undefined || hook === undefined) return;
    if (copies > 1) onRare('several resumes at once');
    const { executionId } = target;
    for (let copy = 0; copy < copies; copy += 1) {
      callers.send({
        verb: 'resume',
        key: nextKey('resume'),
        isRepeated: true,
        async act(engine) {
          const request = { method: hook.method, headers: {}, query: { executionId }, body: { id: choice + copy } };
          const { ignored } = await engine.receiveWebhook({ ...hook.address, request });
          if (ignored === true) onRare('resume ignored');
          return { executionId, isIgnored: ignored === true };
        },
      });
    }
  };

  const signals = (choice: number): void => {
    const target = chosen(
      open().filter(({ state: { wait } }) => wait?.correlation !== undefined),
      choice,
    );
    const wait = target?.state.wait;
    const { name, value } = wait?.correlation ?? { name: 'arrived', value: 'nobody' };
    const kind = wait?.kind === 'handoff' || wait?.kind === 'payment' ? wait.kind : 'event';
    const key = nextKey('signal');
    callers.send({
      verb: 'signal',
      key,
      isRepeated: true,
      async act(engine) {
        await engine.signal({ companyId, kind, name, correlation: value, payload: { choice }, idempotencyKey: key });
        return {};
      },
    });
  };

  const cancels = (choice: number): void => {
    const target = chosen(choice % 4 === 0 ? executions() : open(), choice);
    if (target === undefined) return;
    const { executionId } = target;
    callers.send({
      verb: 'cancel',
      key: nextKey('cancel'),
      isRepeated: true,
      async act(engine) {
        await engine.cancel(companyId, executionId);
        return { executionId };
      },
    });
  };

  const publishes = (choice: number): void => {
    const canvas = chosen(canvases, choice);
    if (canvas === undefined) return;
    if (open().some(({ workflowId }) => workflowId === canvas.id)) onRare('publish while executions run');
    const key = nextKey('publish');
    callers.send({
      verb: 'publish',
      key,
      isRepeated: true,
      async act(engine) {
        await engine.saveDraft(companyId, { ...canvas, name: `${canvas.name} ${choice % 3}` });
        await engine.publish(companyId, canvas.id);
        return {};
      },
    });
  };

  return {
    says,
    do({ kind, user, choice, copies }) {
      const userId = userIdOf(user % users);
      switch (kind) {
        case 'says':
          return says(userId, chosen(texts, choice) ?? 'hello');
        case 'calls':
          return calls(userId, choice);
        case 'starts':
          return starts(userId, choice);
        case 'resumes':
          return resumes(choice, copies);
        case 'signals':
          return signals(choice);
        case 'cancels':
          return cancels(choice);
        case 'publishes':
          return publishes(choice);
      }
    },
    releaseAll() {
      for (const { executionId } of open().filter(({ state }) => state.status === 'quarantined')) {
        onRare('release from quarantine');
        callers.send({
          verb: 'release',
          key: nextKey('release'),
          isRepeated: true,
          async act(engine) {
            await engine.release(companyId, executionId);
            return { executionId };
          },
        });
      }
    },
  };
}
