// What an author calls things, and what users choose and press: signs that nobody sees are refused at their place, with a fix that leaves
// them out, and what people write in their own scripts stays.
import { checkCanvasText, parseCanvas } from '@hilo/engine';
import { applyPatch } from '@hilo/engine/authoring';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';

const model = { baseUrl: 'https://models.test/v1', name: 'small', auth: { credentialId: 'key' } };
const rule = { op: 'exists', left: '$message.text' };
const field = (name: string): JsonObject => ({ type: 'option', label: name, options: [{ title: name }, { title: 'B' }] });
const message = (parameters: JsonObject, type: string): JsonObject => ({
  message: { type, title: 'T', text: 'x', caption: 'c', parameters },
});
const card = (name: string, card_index: number): JsonObject => ({
  card_index,
  type: 'cta_url',
  header: { image: { link: 'https://a.test/b.png' } },
  body: { text: 'x' },
  action: { name: 'cta_url', parameters: { display_text: name, url: 'https://a.test' } },
});

/** The data of nodes with one name, and where that stands; the data of each is valid. */
const named: readonly (readonly [type: string, at: string, data: (name: string) => JsonObject])[] = [
  ['end', 'label', (label) => ({ label })],
  ['note', 'label', (label) => ({ label })],
  ['condition', 'branches/1/name', (name) => ({ branches: ['first', name].map((one) => ({ name: one, rule })) })],
  ['random', 'routes/0/name', (name) => ({ routes: [name, 'b'].map((one) => ({ name: one, percent: 50 })) })],
  ['decide', 'options/1/name', (name) => ({ model, question: 'q', options: ['a', name].map((one) => ({ name: one, when: 'w' })) })],
  ['group', 'group', (name) => ({ action: 'add', group: name })],
  ['log', 'name', (name) => ({ name })],
  ['message', 'message/quick_replies/0/title', (title) => ({ message: { type: 'quick_reply', text: 'x', quick_replies: [{ title }] } })],
  [
    'ask',
    'message/quick_replies/1/title',
    (title) => ({ message: { type: 'quick_reply', text: 'x', quick_replies: [{ title: 'a' }, { title }] } }),
  ],
  ['ask', 'message/buttons/options/0/title', (title) => ({ message: { type: 'text', text: 'x', buttons: { options: [{ title }] } } })],
  [
    'message',
    'message/buttons/buttonText/text',
    (text) => ({ message: { type: 'text', text: 'x', buttons: { buttonText: { type: 'text', text }, options: [{ title: 'a' }] } } }),
  ],
  ['message', 'message/filename', (filename) => ({ message: { type: 'file', mediaUrl: 'https://a.test/b.pdf', filename } })],
  ['message', 'message/parameters/display_text', (name) => message({ url: 'https://a.test', display_text: name }, 'cta_url')],
  ['message', 'message/parameters/flow_cta', (name) => message({ flow_name: 'f', flow_cta: name }, 'flow')],
  [
    'message',
    'message/parameters/cards/1/action/parameters/display_text',
    (name) => ({ message: { type: 'carousel', text: 'x', parameters: { cards: [card('a', 0), card(name, 1)] } } }),
  ],
  ['ask', 'input/options/0', (name) => ({ message: { type: 'text', text: 'x' }, input: { kind: 'option', options: [name, 'b'] } })],
  [
    'ask',
    'input/options/1/title',
    (title) => ({ message: { type: 'text', text: 'x' }, input: { kind: 'option', options: ['b', { title }] } }),
  ],
  [
    'ask',
    'input/fields/age/label',
    (label) => ({ message: { type: 'text', text: 'x' }, input: { kind: 'form', fields: { age: { type: 'number', label } } } }),
  ],
  [
    'agent',
    'exits/0/fields/plan/label',
    (name) => ({ model, instructions: 'i', exits: [{ name: 'done', when: 'w', fields: { plan: { ...field('A'), label: name } } }] }),
  ],
  [
    'agent',
    'exits/0/fields/plan/options/0/title',
    (name) => ({ model, instructions: 'i', exits: [{ name: 'done', when: 'w', fields: { plan: { ...field(name), label: 'l' } } }] }),
  ],
];

const canvasWith = (type: string, data: JsonObject, edges: readonly JsonObject[] = []): Json => ({
  schemaVersion: 1,
  id: 'c',
  name: 'C',
  nodes: [
    { id: 'start', type: 'start', data: { fallback: true } },
    { id: 'node', type, data },
    { id: 'bye', type: 'end', data: {} },
  ],
  edges: [{ source: 'start', target: 'node' }, ...edges],
});
const remarks: readonly (readonly [at: string, patch: (name: string) => JsonObject])[] = [
  ['/name', (name) => ({ name })],
  ['/edges/0/label', (label) => ({ edges: [{ source: 'start', target: 'node', label }] })],
];

const check = (canvas: unknown) => checkCanvasText(canvas, { nodes: standardNodes });
const unseen = (canvas: unknown) => check(canvas).filter(({ message: text }) => text.includes('nobody sees'));
const inNames = ['\u200b', '\u200e', '\u202e', '\u2066', '\u00ad', '\u009b', '\u001b', '\u{e0041}', '\ufeff', '\u2028'];
const inTexts = ['\u202e', '\u2066', '\u2069', '\u009b', '\u001b', '\u2028', '\u{e0001}'];
const written = ['Ana', '👩‍⚕️ Dr.', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 UK', '🇵🇪', 'می‌خواهم', 'עברית', 'نعم', 'क्‍ष', '1️⃣ Sí'];

describe('names of a canvas', () => {
  it.each(named)('of %s at %s hold nothing that nobody sees', (type, at, data) => {
    const place = `/nodes/1/data/${at}`;
    expect(unseen(canvasWith(type, data('👩‍⚕️ می‌خواهم 🏴󠁧󠁢󠁥󠁮󠁧󠁿')))).toEqual([]);
    for (const name of ['a\u202eb\u200b', '\u009ba']) {
      const canvas = canvasWith(type, data(name));
      const found = unseen(canvas);
      expect(found.map(({ code, severity, pointer, nodeId }) => ({ code, severity, pointer, nodeId }))).toEqual([
        { code: 'INVALID_CONFIG', severity: 'error', pointer: place, nodeId: 'node' },
      ]);
      const patched = applyPatch(canvas, found[0]?.fixes?.[0]?.patch ?? []);
      expect(unseen(patched)).toEqual([]);
      expect(JSON.stringify(patched)).not.toBe(JSON.stringify(canvas));
    }
  });

  it.each(remarks)('hold nothing that nobody sees at %s', (place, change) => {
    const withName = (name: string): Json => ({ ...(canvasWith('end', {}) as JsonObject), ...change(name) });
    for (const name of written) expect(unseen(withName(name))).toEqual([]);
    for (const sign of inNames) {
      const canvas = withName(`a${sign}b`);
      const [found] = unseen(canvas);
      expect(found).toMatchObject({ code: 'INVALID_CANVAS', severity: 'error', pointer: place });
      expect(unseen(applyPatch(canvas, found?.fixes?.[0]?.patch ?? []))).toEqual([]);
    }
  });

  it('are drawn by their own scripts, and what an expression gives is none of them', () =>
    fc.assert(
      fc.property(fc.constantFrom(...inNames), fc.constantFrom(...written), (sign, name) => {
        const titled = (title: string) =>
          canvasWith('message', { message: { type: 'quick_reply', text: 'x', quick_replies: [{ title }] } });
        expect(unseen(titled(`${name}{{"${sign}"}}`))).toEqual([]);
        const canvas = titled(`${name} {{$user.id}}${sign}`);
        const [found] = unseen(canvas);
        expect(JSON.stringify(found?.fixes?.[0]?.patch)).toContain(`${name} {{$user.id}}`);
      }),
      { numRuns: 20 },
    ));

  it('that are ports keep their edges by the fix', () => {
    const [name, port] = ['yes\u200b', 'yes'];
    const canvas = canvasWith('condition', { branches: [{ name, rule }] }, [
      { source: 'node', sourceHandle: name, target: 'bye' },
      { source: 'node', sourceHandle: 'else', target: 'bye' },
    ]);
    const patched = applyPatch(canvas, unseen(canvas)[0]?.fixes?.[0]?.patch ?? []);
    expect(patched).toMatchObject({ edges: [{}, { sourceHandle: port }, { sourceHandle: 'else' }] });
    expect(check(patched).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('that show nothing are refused without a fix', () => {
    const [found] = unseen(canvasWith('end', { label: '\u200b' }));
    expect(found?.code).toBe('INVALID_CONFIG');
    expect(found?.fixes).toBe(undefined);
  });

  it('of published canvases do not keep them from being read', () => {
    const canvas = canvasWith('end', { label: 'a\u202eb' });
    expect(unseen(canvas)).toHaveLength(1);
    expect(parseCanvas(canvas).problems).toEqual([]);
  });
});

describe('remarks of a canvas', () => {
  const places: readonly (readonly [at: string, canvas: (text: string) => Json])[] = [
    ['/nodes/1/data/notes', (notes) => canvasWith('end', { notes })],
    ['/nodes/1/data/text', (text) => canvasWith('note', { text })],
    ['/description', (description) => ({ ...(canvasWith('end', {}) as JsonObject), description })],
    ['/variables/n/description', (description) => ({ ...(canvasWith('end', {}) as JsonObject), variables: { n: { description } } })],
    [
      '/settings/inputs/n/description',
      (description) => ({ ...(canvasWith('end', {}) as JsonObject), settings: { inputs: { n: { description } } } }),
    ],
  ];
  it.each(places)('have lines and marks of direction, and nothing that turns it, at %s', (place, canvas) => {
    for (const text of [...written, 'a\r\n\tb', 'עברית\u200f!', 'a\u200bb']) expect(unseen(canvas(text))).toEqual([]);
    for (const sign of inTexts) {
      const [found] = unseen(canvas(`a${sign}b\nc`));
      expect(found).toMatchObject({ severity: 'error', pointer: place });
      const [operation] = found?.fixes?.[0]?.patch ?? [];
      expect(operation).toMatchObject({ value: sign === '\u2028' ? 'a\nb\nc' : 'ab\nc' });
    }
  });
});
