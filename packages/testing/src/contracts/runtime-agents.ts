// The part of the contract of runtimes that an agent needs: a long conversation with a model and a tool, of which little is kept.
import type { ExecutionRecord } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { type RuntimeStage, withWorld } from './runtime-stage.ts';

/** How often the user writes; the answers of the tool are long, so that what a turn keeps of all earlier ones would show. */
const turns = 20;
const found = 'x'.repeat(8_000);
const user = '5215512345678';

const helper = {
  schemaVersion: 1,
  id: 'helper',
  name: 'Helper',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['help'] } },
    {
      id: 'talk',
      type: 'agent',
      data: {
        model: { baseUrl: 'https://models.example/v1', name: 'small' },
        instructions: 'Help.',
        opening: 'Ask me',
        tools: [
          {
            kind: 'workflow',
            name: 'look',
            description: 'Looks it up',
            workflowId: 'looked',
            inputs: { about: { type: 'text' } },
            risk: 'read',
          },
        ],
        exits: [{ name: 'done', when: 'They are content.' }],
        limits: { turns: turns + 1 },
      },
    },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'talk' },
    ...['done', 'limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'talk', sourceHandle, target: 'done' })),
  ],
};

const looked = {
  schemaVersion: 1,
  id: 'looked',
  name: 'Looked up',
  kind: 'tool',
  settings: { inputs: { about: { type: 'string' } } },
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'done', type: 'end', data: { outputs: { about: '{{$input.about}}', found } } },
  ],
  edges: [{ source: 'begin', target: 'done' }],
};

const isWaiting = ({ state }: ExecutionRecord): boolean => state.status === 'waiting';

const hasEnded = ({ state }: ExecutionRecord): boolean => state.status === 'completed';

/** A conversation of an agent is kept in little, goes on in another process, and is replayed equal. */
export function describeAgentsOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('an agent', () => {
    it(
      `keeps less than 128 KB of ${turns} turns and 2 MB of their history, which is replayed equal`,
      withWorld(open, async (world) => {
        const { asked, listTexts, restart, say, until, untilSent } = world;
        for (const canvas of [looked, helper]) await world.acme.publish(canvas);
        await say(user, 'help');
        await untilSent('Ask me');
        const [begun] = (await world.acme.executions({ workflowId: 'helper' })).results;
        const executionId = begun?.executionId ?? '';
        for (let turn = 1; turn <= turns; turn += 1) {
          await until(executionId, isWaiting);
          if (turn === turns / 2) await restart();
          await say(user, `question ${turn} ${'please '.repeat(100)}`);
          await untilSent(`Found question ${turn}`);
        }
        const { state } = await until(executionId, isWaiting);
        await say(user, 'bye');
        await until(executionId, hasEnded);
        expect(listTexts(user)).toEqual(['Ask me', ...Array.from({ length: turns }, (_, turn) => `Found question ${turn + 1}`)]);
        expect(new Set(asked).size).toBe(turns * 2 + 1);
        expect(JSON.stringify(state).length).toBeLessThan(128 * 1_024);
        const history = JSON.stringify(await world.acme.history(executionId)).length;
        expect(history).toBeGreaterThan(turns * found.length);
        expect(history).toBeLessThan(2 * 1_024 * 1_024);
        expect(await world.acme.replay('helper', { against: 1 })).toMatchObject({ counts: { equal: 1, differs: 0 }, groups: [] });
      }),
    );
  });
}
