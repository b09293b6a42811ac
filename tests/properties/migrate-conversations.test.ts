// Whole conversations through the engine, in virtual time, of which one is migrated on the way: as `same`, nobody can tell (M2).
import { HiloError } from '@hilo/engine';
import { isJsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from '../../packages/testing/src/arbitraries/build-canvas.ts';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import type { Conversation } from '../../packages/simulator/src/simulation/conversation.ts';
import { sampleAnswer } from '../../packages/simulator/src/simulation/sample-answers.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import { change, changes, rename, withOldNames } from './changed-canvases.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { waitingFamily } from './waiting-family.ts';

/** The pause before a retry is drawn from the name of its node: under a rename it is another share of the same delay. */
const withoutJitter = (canvas: CanvasJson): CanvasJson => ({
  ...canvas,
  nodes: canvas.nodes.map((node) => {
    const retry = node.data['retry'];
    return isJsonObject(retry) ? { ...node, data: { ...node.data, retry: { ...retry, jitter: 'none' } } } : node;
  }),
});

/** Another version of a workflow, and the renames that lead to it. */
interface Version {
  readonly canvas: object;
  readonly nodes: { readonly [before: string]: string };
}

/**
 * Publishes another version and the first content again, so that what starts is as before, and takes all that waits to the one between.
 *
 * @returns how many were migrated; none where that version cannot be published
 */
async function migrateAll({ engine, settles }: Conversation, first: CanvasJson, { canvas, nodes }: Version): Promise<number> {
  const company = engine.company(simulatedIds.companyId);
  let to: number;
  try {
    ({ version: to } = await company.publish(canvas));
  } catch (error) {
    if (error instanceof HiloError) return 0;
    throw error;
  }
  if (to % 2 === 1) return 0; // it is the first content
  await company.publish(first);
  let migrated = 0;
  for (const { executionId, workflowId, version } of (await company.executions({ status: 'waiting' })).results) {
    const isFirst = workflowId === first.id && version !== 'draft' && version % 2 === 1; // each call publishes two
    if (!isFirst) continue;
    const { revision } = await company.migrate(executionId, { workflowId, from: version, to, nodes });
    if (revision !== undefined) migrated += 1;
  }
  await settles();
  return migrated;
}

interface Played {
  readonly transcript: string;
  readonly sent: unknown;
  readonly migrated: number;
}

/** Plays a script; behind each input that `at` names, all that waits is migrated. */
async function play(
  canvases: readonly CanvasJson[],
  script: readonly ScriptInput[],
  versions: ReadonlyMap<number, Version>,
): Promise<Played> {
  const conversation = await simulate({ canvases, answers: sampleAnswer });
  const [main] = canvases;
  let migrated = 0;
  for (const [index, input] of script.entries()) {
    await conversation.plays(input);
    const version = versions.get(index);
    if (version !== undefined && main !== undefined) migrated += await migrateAll(conversation, main, version);
  }
  expect(conversation.faults).toEqual([]);
  return { transcript: conversation.transcript(), sent: conversation.sent, migrated };
}

const begin: ScriptInput = { kind: 'says', message: { type: 'text', text: 'hello' } };
const drawn = fc.record({
  family: canvasFamily(),
  script: eventScript,
  list: changes(),
  renamed: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat({ max: 30 }), { maxLength: 8 })),
  at: fc.subarray(
    Array.from({ length: 13 }, (_, index) => index),
    { minLength: 1 },
  ),
});
/** The question is renamed while it waits for its answer. */
const renamedWhileItWaits = { family: waitingFamily, script: [{ ...begin }], list: [], renamed: [1], at: [0] };

describe('a conversation whose executions are migrated as the same', () => {
  it('reads as the same conversation, byte for byte, whatever they wait for (M2)', async () => {
    let migrated = 0;
    await fc.assert(
      fc.asyncProperty(drawn, async ({ family, script, list, renamed, at }) => {
        const canvases = [family.main, ...family.children].map(withoutJitter);
        const [main] = canvases;
        if (main === undefined) return;
        const inputs = [begin, ...script];
        const other = rename(change(main, list), (id) => renamed.includes(main.nodes.findIndex((node) => node.id === id)));
        const versions = new Map(at.map((index) => [index % inputs.length, other]));
        const [still, moved] = [await play(canvases, inputs, new Map()), await play(canvases, inputs, versions)];
        migrated += moved.migrated;
        expect(withOldNames([moved.transcript, moved.sent])).toEqual(JSON.parse(JSON.stringify([still.transcript, still.sent])));
      }),
      { ...fewRuns(60), examples: [[renamedWhileItWaits]] },
    );
    expect(migrated).toBeGreaterThan(0);
  });
});
