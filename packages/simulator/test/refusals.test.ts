import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { replayScript, simulate } from '../../testing/src/index.ts';

const node = (id: string, type: string, data: JsonObject = {}) => ({ id, type, data });
const text = (content: string): JsonObject => ({ message: { type: 'text', text: content } });
const edge = (source: string, sourceHandle: string, target: string) => ({ source, sourceHandle, target });

/** Two messages, each with a way for a closed window and one for a refusal. */
const twoMessages = {
  schemaVersion: 1,
  id: 'two',
  name: 'Two messages',
  nodes: [
    node('begin', 'start', { keywords: ['hi'] }),
    node('one', 'message', text('One')),
    node('two', 'message', text('Two')),
    node('closed', 'end', { outputs: { why: 'closed' } }),
    node('refused', 'end', { outputs: { why: '{{$error.cause}}: {{$error.message}}' } }),
    node('done', 'end'),
  ],
  edges: [
    edge('begin', 'next', 'one'),
    edge('one', 'sent', 'two'),
    edge('two', 'sent', 'done'),
    ...['one', 'two'].flatMap((id) => [edge(id, 'windowClosed', 'closed'), edge(id, 'error', 'refused')]),
  ],
};

describe('a script that refuses', () => {
  it.each([
    ['refused: NO_SUCH_NUMBER', 'ended: completed {"why":"NO_SUCH_NUMBER: The simulated call was told to be refused"}', 1],
    ['refused two: NOT_NOW Later, please', 'ended: completed {"why":"NOT_NOW: Later, please"}', 2],
    ['window: closed', 'ended: completed {"why":"closed"}', 1],
    ['window two: closed', 'ended: completed {"why":"closed"}', 2],
    ['refused another: NOT_NOW', 'ended: completed', 2],
  ])('%s', async (line, end, messages) => {
    const transcript = await replayScript([twoMessages], `${line}\nuser: hi\n`);
    expect(transcript.trimEnd().split('\n').at(-1)?.trim()).toBe(end);
    expect(transcript.match(/^ {2}bot: /gm)).toHaveLength(messages);
    expect(await replayScript([twoMessages], transcript)).toBe(transcript);
  });

  it('refuses one message a line', async () => {
    const conversation = await simulate(twoMessages);
    await conversation.plays({ kind: 'refuses', cause: 'REFUSED' });
    await conversation.says('hi');
    await conversation.says('hi');
    expect((await conversation.executions()).map(({ state }) => state.ending?.outputs['why'])).toEqual([
      'REFUSED: The simulated call was told to be refused',
      undefined,
    ]);
  });

  it('refuses a hand-off and a change of tags by the node that asks', async () => {
    const canvas = {
      ...twoMessages,
      nodes: [
        node('begin', 'start', { keywords: ['hi'] }),
        node('mark', 'tags', { action: 'add', tags: [1] }),
        node('person', 'handoff', {}),
        node('refused', 'end', { outputs: { why: '{{$error.cause}}' } }),
        node('done', 'end'),
      ],
      edges: [
        edge('begin', 'next', 'mark'),
        edge('mark', 'next', 'person'),
        edge('mark', 'error', 'person'),
        edge('person', 'closed', 'done'),
        edge('person', 'error', 'refused'),
      ],
    };
    const transcript = await replayScript([canvas], 'refused mark: TAG_NOT_FOUND\nrefused person: TEAM_NOT_FOUND\nuser: hi\n');
    expect(transcript).toContain('tags.change answered: {"kind":"refused","cause":"TAG_NOT_FOUND"');
    expect(transcript.trimEnd()).toMatch(/ended: completed \{"why":"TEAM_NOT_FOUND"\}$/);
  });
});

describe('a script that starts', () => {
  const called = {
    ...twoMessages,
    settings: { inputs: { country: { type: 'string' } } },
    nodes: [node('begin', 'start'), node('done', 'end', { outputs: { country: '{{$input.country}}' } })],
    edges: [edge('begin', 'next', 'done')],
  };

  it('begins a workflow that no message begins', async () => {
    expect(await replayScript([called], 'start: {"country":"PE"}\n')).toBe(
      'start: {"country":"PE"}\n  ended: completed {"country":"PE"}\n',
    );
  });

  it('names the line of inputs that do not fit', async () => {
    await expect(replayScript([called], 'start:\n')).rejects.toThrow(/country/);
    await expect(replayScript([called], 'start other: {}\n')).rejects.toThrow(/other/);
  });
});
