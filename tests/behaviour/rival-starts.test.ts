import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { checkCanvas, parseCanvas } from '@hilo/engine';
import { type Channel, type JsonObject, limits, type NodeDefinition } from '@hilo/engine/contract';
import fc from 'fast-check';

/** A canvas with the given start data. */
function beginning(id: string, data: object, channels?: readonly Channel[]) {
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id,
    name: id,
    settings: channels === undefined ? {} : { channels },
    nodes: [
      { id: 'begin', type: 'start', data },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [{ source: 'begin', target: 'done' }],
  });
  if (canvas === undefined) throw new Error('The canvas cannot be read');
  return canvas;
}

/** Problems of publishing `ours` while `theirs` is published. */
const toldOf = (ours: ReturnType<typeof beginning>, theirs: ReturnType<typeof beginning>) =>
  checkCanvas(ours, { nodes: standardNodes, published: [{ workflowId: theirs.id, canvas: theirs }] }).map(
    ({ code, severity, pointer }) => `${severity} ${code} ${pointer}`,
  );

const definitions: readonly NodeDefinition[] = standardNodes;
const start = definitions.find(({ type }) => type === 'start');

const matchOf = (data: object, text: string): unknown => {
  if (start?.entry?.kind !== 'message') throw new Error('A start begins with a message');
  return start.entry.match(start.config.parse(data), { type: 'text', text });
};

describe('a keyword that two workflows claim', () => {
  const [word, interrupting] = [{ keywords: ['order', 'Cancel'] }, { keywords: ['cáncel'], interrupts: true }];

  it('is an error at its place where both interrupt, and a warning else', () => {
    expect(toldOf(beginning('a', { ...word, interrupts: true }), beginning('b', interrupting))).toEqual([
      'error SAME_INTERRUPT /nodes/0/data/keywords/1',
    ]);
    expect(toldOf(beginning('a', word), beginning('b', interrupting))).toEqual(['warning SAME_KEYWORD /nodes/0/data/keywords/1']);
    expect(toldOf(beginning('a', interrupting), beginning('b', word))).toEqual(['warning SAME_KEYWORD /nodes/0/data/keywords/0']);
    expect(toldOf(beginning('a', interrupting), beginning('b', { keywords: ['stop'], interrupts: true }))).toEqual([]);
  });

  it.each<[what: string, ours: object, theirs: object, place: string]>([
    ['a payload', { payloads: ['A', 'GET_STARTED'] }, { payloads: ['GET_STARTED'] }, '/payloads/1'],
    ['a reference', { refs: ['summer'] }, { refs: ['winter', 'summer'] }, '/refs/0'],
    ['a payload that is a keyword', { payloads: ['menu'] }, { keywords: ['menu'] }, '/payloads/0'],
    ['a keyword that is a payload', { keywords: ['hi', 'menu'] }, { payloads: ['menu'] }, '/keywords/1'],
    ['a payload beside other keywords', { keywords: ['hi'], payloads: ['X'] }, { keywords: ['bye'], payloads: ['X'] }, '/payloads/0'],
  ])('is also %s', (_, ours, theirs, place) => {
    expect(toldOf(beginning('a', ours), beginning('b', theirs))).toEqual([`warning SAME_KEYWORD /nodes/0/data${place}`]);
    const interrupting = [ours, theirs].map((data) => ({ ...data, interrupts: true }));
    expect(toldOf(beginning('a', interrupting[0] ?? {}), beginning('b', interrupting[1] ?? {}))).toEqual([
      `error SAME_INTERRUPT /nodes/0/data${place}`,
    ]);
  });

  it.each([
    [{ payloads: ['x'] }, { payloads: ['X'] }],
    [{ payloads: ['summer'] }, { refs: ['summer'] }],
    [{ refs: ['summer'] }, { keywords: ['summer'] }],
    [{ payloads: ['menu'] }, { keywords: ['menu'], match: 'pattern' }],
  ])('is none of two identifiers that are no same message: %j and %j', (ours, theirs) =>
    expect(toldOf(beginning('a', ours), beginning('b', theirs))).toEqual([]),
  );

  it('is no problem for the workflow itself, published again, nor for one on other channels', () => {
    expect(toldOf(beginning('a', interrupting), beginning('a', interrupting))).toEqual([]);
    expect(toldOf(beginning('a', interrupting, ['whatsapp']), beginning('b', interrupting, ['slack']))).toEqual([]);
    expect(toldOf(beginning('a', interrupting, ['whatsapp', 'web']), beginning('b', interrupting, ['web']))).toHaveLength(1);
    expect(toldOf(beginning('a', interrupting, ['whatsapp']), beginning('b', interrupting))).toHaveLength(1);
  });

  it.each<[how: string, ours: object, theirs: object, place: string]>([
    ['one as the other holds it', { keywords: ['cancel'] }, { keywords: ['can'], match: 'contains' }, '/0'],
    ['the other way round', { keywords: ['can'], match: 'contains' }, { keywords: ['cancel'] }, ''],
    ['a pattern that stands for itself', { keywords: ['^cancel$'], match: 'pattern' }, { keywords: ['cancel'] }, '/0'],
    ['a pattern that the word fits', { keywords: ['cancel'] }, { keywords: ['^c.*l$'], match: 'pattern' }, '/0'],
    ['a word of a phrase', { keywords: ['order'], match: 'words' }, { keywords: ['my order'] }, ''],
  ])('is seen however each of them matches: %s', (_how, ours, theirs, place) => {
    const both = { interrupts: true };
    expect(toldOf(beginning('a', { ...ours, ...both }), beginning('b', { ...theirs, ...both }))).toEqual([
      `error SAME_INTERRUPT /nodes/0/data/keywords${place}`,
    ]);
  });

  it('is reported once when both are fallbacks', () => {
    expect(toldOf(beginning('a', { fallback: true }), beginning('b', { keywords: ['x'], fallback: true }))).toEqual([
      'warning SAME_FALLBACK /nodes/0/data/fallback',
    ]);
  });

  it('is reported once for each keyword, with the workflows that claim it', () => {
    const others = [
      beginning('b', { keywords: ['order', 'menu'], fallback: true }),
      beginning('c', { keywords: ['menu'], interrupts: true, fallback: true }),
      beginning('d', { keywords: ['MENU'] }),
    ].map((canvas) => ({ workflowId: canvas.id, canvas }));
    const told = (data: object) =>
      checkCanvas(beginning('a', data), { nodes: standardNodes, published: others }).map(
        ({ code, pointer, message }) => `${code} ${pointer}: ${message}`,
      );
    expect(told({ keywords: ['order', 'menu'], fallback: true })).toEqual([
      'SAME_FALLBACK /nodes/0/data/fallback: A message that no keyword takes begins workflows "b", "c", too: it starts only one of them',
      'SAME_KEYWORD /nodes/0/data/keywords/0: "order" begins workflow "b", too: a message starts only one of them',
      'SAME_KEYWORD /nodes/0/data/keywords/1: "menu" begins workflows "b", "c", "d", too: a message starts only one of them',
    ]);
    expect(told({ keywords: ['menu'], interrupts: true })).toEqual([
      'SAME_INTERRUPT /nodes/0/data/keywords/0: "menu" interrupts for workflow "c", too: only one of them can begin',
      'SAME_KEYWORD /nodes/0/data/keywords/0: "menu" begins workflows "b", "d", too: a message starts only one of them',
    ]);
  });

  it('is no matter of a published canvas that can no longer be read', () => {
    expect(toldOf(beginning('a', interrupting), beginning('b', { ...interrupting, match: 'soundex' }))).toEqual([]);
  });

  it('is found among many workflows whenever one of the two takes a keyword of the other', () => {
    const word = fc.constantFrom('order', 'orders', 'my', 'menu', '👍', 'ORDER', 'no');
    const keyword = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    const data = fc.record({
      keywords: fc.array(keyword, { minLength: 1, maxLength: 3 }),
      match: fc.constantFrom('exact', 'words', 'contains', 'pattern'),
    });
    fc.assert(
      fc.property(data, fc.array(data, { maxLength: 8 }), (ours, others) => {
        const published = others.map((other, index) => ({ workflowId: `b${index}`, canvas: beginning(`b${index}`, other) }));
        const told = checkCanvas(beginning('a', ours), { nodes: standardNodes, published }).flatMap(({ message }) =>
          Array.from(message.matchAll(/"b(\d+)"/g), ([, index]) => index),
        );
        const claimed = others.flatMap((other, index) =>
          ours.keywords.some((text) => matchOf(other, text)) || other.keywords.some((text) => matchOf(ours, text)) ? [String(index)] : [],
        );
        expect(new Set(told)).toEqual(new Set(claimed));
      }),
    );
  });

  it('is looked for with work that grows as the workflows do', () => {
    const worked = (many: number): number => {
      let calls = 0;
      const counted = definitions.map((definition): NodeDefinition => {
        const { entry } = definition;
        if (entry?.kind !== 'message') return definition;
        const match: typeof entry.match = (config, message) => {
          calls += 1;
          return entry.match(config, message);
        };
        return { ...definition, entry: { ...entry, match } };
      });
      const canvases = Array.from({ length: many }, (_, index) =>
        beginning(`w${index}`, { keywords: [`topic${index}`, `topic${index} please${index}`], match: 'words' }),
      );
      const published = canvases.map((canvas) => ({ workflowId: canvas.id, canvas }));
      for (const canvas of canvases) expect(checkCanvas(canvas, { nodes: counted, published })).toEqual([]);
      return calls;
    };
    expect(worked(200)).toBeLessThanOrEqual(worked(20) * 10);
  });

  it('is read once, whatever it is compared with', () => {
    const read: string[] = [];
    const readText = (message: JsonObject): string => {
      const { text } = message;
      if (typeof text === 'string') read.push(text);
      return 'read';
    };
    const reading = definitions.map((definition): NodeDefinition => {
      const { entry } = definition;
      if (entry?.kind !== 'message') return definition;
      const match: typeof entry.match = (config, message, routing) => {
        if ('text' in message) routing?.once(readText);
        return entry.match(config, message, routing);
      };
      return { ...definition, entry: { ...entry, match } };
    });
    const canvases = ['a', 'b', 'c', 'd'].map((id) => beginning(id, { keywords: [`one ${id}`, `two ${id}`], match: 'contains' }));
    const published = canvases.map((canvas) => ({ workflowId: canvas.id, canvas }));
    for (const canvas of canvases) expect(checkCanvas(canvas, { nodes: reading, published })).toEqual([]);
    expect(read.toSorted()).toEqual(['a', 'b', 'c', 'd'].flatMap((id) => [`one ${id}`, `two ${id}`]).toSorted());
  });

  it('is compared within a budget, and it is told where that was not enough', () => {
    const canvases = Array.from({ length: 8 }, (_, workflow) => {
      const keywords = Array.from({ length: 100 }, (__, index) => `x${workflow}y${index}(|z)`);
      const costly = Array.from({ length: 50 }, (__, index) => `([a-d]{0,90}|[b-e]{0,90})?[0-9]{0,9}w${workflow}i${index}|7$`);
      return beginning(`w${workflow}`, { keywords: workflow === 0 ? keywords : [...costly, ...keywords.slice(50)], match: 'pattern' });
    });
    let work = 0;
    const counted = definitions.map((definition): NodeDefinition => {
      const { entry } = definition;
      if (entry?.kind !== 'message') return definition;
      const match: typeof entry.match = (config, message, routing) =>
        entry.match(config, message, routing && { spend: (more) => ((work += more), routing.spend(more)), once: routing.once });
      return { ...definition, entry: { ...entry, match } };
    });
    const published = canvases.map((canvas) => ({ workflowId: canvas.id, canvas }));
    const [first] = canvases;
    if (first === undefined) throw new Error('There is a first canvas');
    const told = checkCanvas(first, { nodes: counted, published });
    expect(work).toBeLessThan(limits.comparingWork * 1.1 + 20_000_000);
    expect(told).toMatchObject([
      { code: 'SAME_KEYWORD', severity: 'warning', message: expect.stringContaining('too much work') as unknown },
    ]);
  });
});
