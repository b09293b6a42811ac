import { createEngine, createMemoryCanvases, createMemoryStore, type Engine } from '@hilo/engine';
import { nextSnapshot, snapshotOf } from '@hilo/engine/debug';
import { finalStatuses } from '@hilo/engine/store-kit';
import { type ExecutionEventType, type ExecutionRecord, getPath, isHiloError } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventScript, patientScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import { move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { seededRandom } from '../../packages/simulator/src/seeded-random.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import { createRecordingDrivers } from '../../packages/simulator/src/simulation/recording-drivers.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import { faultsOf } from './legal.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { play } from './play.ts';
import { compiled, walk } from './walk.ts';

/** Events that settle one effect or wait, and so can apply once. The result of an effect has the key of all its attempts. */
const onceOnly: ReadonlySet<string> = new Set<ExecutionEventType>([
  'execution.started',
  'reply.received',
  'webhook.received',
  'timer.fired',
  'signal.received',
  'child.ended',
]);

const shuffled = eventScript.chain((script) => fc.shuffledSubarray([...script, ...script.slice(1)], { minLength: script.length }));

describe('duplicated and reordered events', () => {
  it('leave the state legal, and an answer is of use once', () =>
    fc.assert(
      fc.property(canvasFamily(), fc.array(move, { maxLength: 25, size: 'max' }), ({ main }, moves) => {
        const canvas = compiled(main);
        const steps = walk(canvas, moves);
        for (const [index, { after, before }] of steps.entries()) {
          expect(faultsOf(after)).toEqual([]);
          expect(finalStatuses.has(before.status) && after !== before).toBe(false);
          const used = steps.slice(0, index + 1).filter((step) => step.after !== step.before && onceOnly.has(step.event.type));
          for (const { event } of used) expect(nextSnapshot(canvas, snapshotOf(after), event).state).toBe(after);
        }
      }),
      fewRuns(40),
    ));

  it('leave every execution legal, in any order', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), shuffled, async (family, script) => {
        const conversation = await play(family, script);
        expect((await conversation.executions()).flatMap(({ state }) => faultsOf(state))).toEqual([]);
      }),
      fewRuns(40),
    ));

  it('of a user come to the same as one', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), patientScript, async (family, script) => {
        const once = script.filter(({ kind }) => kind !== 'repeats');
        const twice = once.flatMap((input): readonly ScriptInput[] =>
          input.kind === 'says' ? [input, { kind: 'repeats' }, { kind: 'repeats' }] : [input],
        );
        const [first, second] = [await play(family, once), await play(family, twice)];
        expect(second.calls).toEqual(first.calls);
        expect(await second.executions()).toEqual(await first.executions());
      }),
      fewRuns(40),
    ));
});

describe('an execution that was cancelled', () => {
  it('never acts again, and neither do its children', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), patientScript, patientScript, async (family, before, after) => {
        const conversation = await play(family, before);
        const roots = (await conversation.executions()).filter(({ parent }) => parent === undefined);
        const root = roots.find(({ state }) => !finalStatuses.has(state.status));
        fc.pre(root !== undefined);
        await conversation.cancels(root.executionId);
        const members = (await conversation.executions()).filter(({ state }) => state.rootId === root.executionId);
        const ids = new Set(members.map(({ executionId }) => executionId));
        const callsBefore = conversation.calls.length;
        expect(members.every(({ state }) => finalStatuses.has(state.status))).toBe(true);

        for (const input of after) await conversation.plays(input);
        expect(conversation.calls.slice(callsBefore).filter(({ executionId }) => ids.has(executionId))).toEqual([]);
        const later = (await conversation.executions()).filter(({ state }) => state.rootId === root.executionId);
        expect(later).toEqual(members);
      }),
      fewRuns(40),
    ));
});

/** Waits for calls by its execution's id, and returns the body of the call. */
const paymentOnce = (oneTimeOnly: boolean) => ({
  schemaVersion: 1,
  id: 'once',
  name: 'Once',
  nodes: [
    {
      id: 'hook',
      type: 'webhook',
      data: { variableName: 'call', methods: ['POST'], userIdPath: 'userId', executionIdPath: 'executionId', oneTimeOnly },
    },
    { id: 'paid', type: 'wait-external', data: {} },
    { id: 'done', type: 'end', data: { outputs: { by: '{{$webhook.call.body.by}}' } } },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'paid' },
    { source: 'paid', sourceHandle: 'resumed', target: 'done' },
  ],
});

describe('of several resumes of one execution', () => {
  /** Two processes over one store, and an execution that waits. */
  async function twoProcesses(oneTimeOnly: boolean) {
    const [store, canvasStore] = [createMemoryStore(), createMemoryCanvases()];
    const conversation = await simulate({ canvases: [paymentOnce(oneTimeOnly)], store, canvasStore });
    const started = await conversation.webhook({ body: { userId: '5215512345678', by: 'start' } });
    const executionId = 'executionId' in (started as object) ? (started as { readonly executionId: string }).executionId : '';
    const other = createEngine({
      nodes: standardNodes,
      drivers: createRecordingDrivers().drivers,
      clock: conversation.clock,
      random: seededRandom(2),
      store: { executions: store, canvases: canvasStore },
    });
    const resume = async (engine: Engine, by: string) => {
      const request = { method: 'POST', headers: {}, query: {}, body: { executionId, by } };
      try {
        return {
          by,
          answer: await engine.receiveWebhook({
            ...simulatedIds,
            workflowId: 'once',
            nodeId: 'hook',
            route: 'production',
            channel: 'whatsapp',
            request,
          }),
        };
      } catch (error) {
        return { by, error };
      }
    };
    return { conversation, engines: [conversation.engine, other], resume };
  }

  const winnerOf = (execution: ExecutionRecord | undefined) => getPath(execution?.state.ending?.outputs, ['by']);
  /** For each caller, the process that it calls. */
  const callersOf = (processes: number) => fc.array(fc.nat({ max: processes - 1 }), { minLength: 2, maxLength: 8 });

  it.each([1, 2])('under oneTimeOnly one wins, and the others are answered and ignored (processes: %i)', (processes) =>
    fc.assert(
      fc.asyncProperty(callersOf(processes), async (callers) => {
        const { conversation, engines, resume } = await twoProcesses(true);
        const answered = await Promise.all(callers.map((process, index) => resume(engines[process]!, `caller ${index}`)));
        const won = answered.filter(({ answer }) => answer !== undefined && answer.ignored !== true);
        expect(won).toHaveLength(1);
        expect(winnerOf(await conversation.execution())).toBe(won[0]?.by);
        expect(answered.filter(({ error }) => error !== undefined)).toEqual([]);
      }),
    ),
  );

  it.each([1, 2])('otherwise each is applied while the execution waits, and refused afterwards (processes: %i)', (processes) =>
    fc.assert(
      fc.asyncProperty(callersOf(processes), async (callers) => {
        const { conversation, engines, resume } = await twoProcesses(false);
        const answered = await Promise.all(callers.map((process, index) => resume(engines[process]!, `caller ${index}`)));
        const won = answered.filter(({ answer }) => answer !== undefined);
        expect(won).toHaveLength(1);
        expect(winnerOf(await conversation.execution())).toBe(won[0]?.by);
        expect(answered.filter(({ error }) => error !== undefined && !isHiloError(error, 'EXECUTION_NOT_WAITING'))).toEqual([]);
      }),
    ),
  );
});
