/**
 * The transcripts of agents, with the process killed behind each of their lines, also while a model or a tool is asked: the user gets the
 * same messages, and each workflow of a tool starts once.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sendMessage, standardNodes } from '@hilo/nodes';
import { replayTalk } from '../../packages/simulator/src/index.ts';
import { expect, it } from 'vitest';
import { drawn } from '../../scripts/vitest/part-of.ts';

const examples = join(import.meta.dirname, '../../examples');
const read = (path: string): string => readFileSync(join(examples, path), 'utf8');

/** Each with its canvas, and those of the same folder that it calls. */
const transcripts = [
  ...globSync('transcripts/{order,address}-agent*.txt', { cwd: examples }).map((file) => ({
    file,
    canvases: [`canvases/${basename(file).split('.')[0]}.json`, ...['stock', 'place-order'].map((name) => `canvases/${name}.json`)],
  })),
  { file: 'nodes/agent.txt', canvases: ['nodes/agent.json', 'nodes/end.json'] },
];

/** What the user got, and what was started. */
async function play(canvases: readonly string[], script: string) {
  const talk = await replayTalk(canvases, script, { nodes: standardNodes });
  const executions = await talk.executions();
  return {
    sent: talk.sent,
    keys: new Set(talk.calls.flatMap(({ effect, idempotencyKey }) => (effect === sendMessage.type ? [idempotencyKey] : []))).size,
    started: executions.map(({ workflowId, state }) => `${workflowId} ${state.status}`).toSorted(),
  };
}

it.each(drawn(transcripts, 2))('$file is the same whatever line its process dies behind (P1, P3)', async ({ file, canvases }) => {
  const texts = canvases.map(read);
  const lines = read(file).split('\n');
  const expected = await play(texts, lines.join('\n'));
  expect(expected.sent).not.toEqual([]);
  const inputs = lines.flatMap((line, index) => (/^[a-z]/.test(line) ? [index + 1] : []));
  for (const after of inputs)
    expect([after, await play(texts, lines.toSpliced(after, 0, 'restart').join('\n'))]).toEqual([after, expected]);
});
