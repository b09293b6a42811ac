import { readFileSync } from 'node:fs';
import { checkCanvas, parseCanvas } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvas } from '../../testing/src/arbitraries/canvases.ts';
import { coverPorts } from '../src/explore/cover.ts';
import { dialogueOf } from '../src/explore/dialogue.ts';
import { explore } from '../src/explore/explore.ts';
import { uncoveredPorts } from '../src/paths-of.ts';
import { replayScript, replayTalk } from '../src/script/script.ts';
import { writeInput } from '../src/script/write-input.ts';
import { fewRuns } from '../../../scripts/vitest/part-of.ts';

const example = (path: string): string => readFileSync(new URL(`../../../examples/${path}.json`, import.meta.url), 'utf8');

/** The ports that a transcript leaves by when it is played again. */
async function portsOf(subject: object | string, transcript: string): Promise<readonly string[]> {
  const conversation = await replayTalk([subject], transcript, { runsUnchecked: true });
  const executions = await conversation.executions();
  const histories = await Promise.all(executions.map(({ executionId }) => conversation.history(executionId)));
  return uncoveredPorts(subject, histories).taken;
}

const lines = (inputs: readonly Parameters<typeof writeInput>[0][]): string => inputs.map(writeInput).join('\n');

describe('coverPorts', () => {
  it('shows only conversations that happen: each plays again byte for byte, and takes the ports that it is for', () =>
    fc.assert(
      fc.asyncProperty(canvas(), async (made) => {
        const { talks, never } = await coverPorts([made], { maxStates: 10 });
        const { all } = await explore([made], { maxStates: 0 });
        for (const { transcript, ports } of talks) {
          expect(`${await replayScript([made], transcript, { runsUnchecked: true })}`.trimEnd()).toBe(transcript.trimEnd());
          expect(await portsOf(made, transcript)).toEqual(expect.arrayContaining([...ports]));
        }
        expect([...talks.flatMap(({ ports }) => ports), ...never].toSorted()).toEqual(all.toSorted());
      }),
      fewRuns(20),
    ));

  it('leaves out what is taken already, and finds nothing where all is', async () => {
    const order = example('canvases/pick-product');
    const { talks, never } = await coverPorts([order]);
    expect(never).toEqual([]);
    const taken = talks.flatMap(({ ports }) => ports);
    expect((await coverPorts([order], { taken })).talks).toEqual([]);
    const some = await coverPorts([order], { taken: taken.slice(1) });
    expect(some.talks.flatMap(({ ports }) => ports)).toEqual(taken.slice(0, 1));
  });

  it.each([
    'canvases/survey',
    'canvases/retry-loop',
    'canvases/pick-product',
    'canvases/shipping-cost',
    'canvases/stamp-card',
    'canvases/shop-hours',
    'canvases/message-burst',
    'canvases/catalogue', // parts of answers are kept by a mapping, and a macro reads the items of a list
  ])('takes every port of %s', async (path) => expect((await coverPorts([example(path)])).never).toEqual([]));

  it('goes through workflows that are called', async () => {
    const { never } = await coverPorts(['order-bot', 'pick-product', 'shipping-cost', 'survey'].map((name) => example(`canvases/${name}`)));
    expect(never).toEqual(['pick.timeout']);
  });

  it('takes each port of a node that draws', async () => {
    const { never } = await coverPorts([example('nodes/random')]);
    expect(never).toEqual([]);
  });
});

describe('explore', () => {
  it('finds the same each time, and looks at no more standings than it may', () =>
    fc.assert(
      fc.asyncProperty(canvas(), fc.integer({ min: 0, max: 8 }), async (made, maxStates) => {
        const [first, second] = [await explore([made], { maxStates }), await explore([made], { maxStates })];
        expect(first.states).toBeLessThanOrEqual(maxStates);
        expect([...second.ports].map(([port, found]) => [port, found.map(lines)])).toEqual(
          [...first.ports].map(([port, found]) => [port, found.map(lines)]),
        );
      }),
      fewRuns(15),
    ));

  it('tries little where it comes to a place again', async () => {
    const { all, ports, events } = await explore([example('canvases/survey')]);
    expect(ports.size).toBe(all.length);
    expect(events).toBeLessThan(2_000); // each answer at each visit: 5,000
  });

  it('stops when it is told to', async () => {
    let asked = 0;
    const { states } = await explore([example('canvases/survey')], { isOver: () => (asked += 1) > 3 });
    expect(states).toBe(3);
  });
});

describe('dialogueOf', () => {
  /** A canvas without what one of its nodes keeps. */
  function forget(text: string, nodeId: string): object {
    const json = JSON.parse(text) as { readonly nodes: readonly { readonly id: string; readonly data: JsonObject }[] };
    const nodes = json.nodes.map((node) => {
      const { saveAs: _forgotten, ...data } = node.data;
      return node.id === nodeId ? { ...node, data } : node;
    });
    return { ...json, nodes };
  }

  it('shows how a node is reached that reads what nothing has written', async () => {
    const broken = forget(example('canvases/booking'), 'day');
    const parsed = parseCanvas(broken).canvas;
    const problems = parsed === undefined ? [] : checkCanvas(parsed, { nodes: standardNodes });
    const found = problems.find(({ code, way }) => code === 'UNWRITTEN_VARIABLE' && way !== undefined);
    if (found === undefined) throw new Error(`The canvas has no such problem: ${problems.map(({ code }) => code).join(', ')}`);
    const dialogue = await dialogueOf([broken], found);
    const played = await replayTalk([broken], dialogue?.script ?? '', { runsUnchecked: true });
    expect((await played.execution())?.state.visits[found.nodeId ?? '']).toBeGreaterThan(0);
  });

  it('finds nothing for a problem without a way', async () => expect(await dialogueOf([example('canvases/greeting')], {})).toBeUndefined());
});
