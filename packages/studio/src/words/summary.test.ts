// Summaries of cards in both languages: no English word of the engine is left, and no notation of developers.
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogueEntry } from '../canvas/canvas-json.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { type People, summaryIn, timeInWords } from './summary.ts';
import { fillIn, type Say } from './words.tsx';

const sayIn =
  (words: typeof en | typeof es, locale: string): Say =>
  (key, values = {}) =>
    fillIn(words[key], values, new Intl.PluralRules(locale));

/** What a card says, by the engine and in the words of each reader. */
function said(type: string, data: { readonly [field: string]: unknown }, people?: People): readonly [english: string, spanish: string] {
  const definition = standardNodes.find((one) => one.type === type)!;
  const summary = definition.visual.summary?.(data as never) ?? '';
  const entry = { type, label: type, fields: texts[type] } as unknown as CatalogueEntry;
  const card = { node: { id: 'a', type, data } as never, entry, summary };
  return [summaryIn(card, sayIn(en, 'en'), 'en', people), summaryIn(card, sayIn(es, 'es'), 'es', people)];
}

const named = (en: string, es: string) => ({ en, es });
const texts: { readonly [type: string]: object } = {
  end: { 'outcome=done': named('done', 'hecho') },
  handoff: { 'mode=park': named('wait until the person is done', 'esperar a que la persona termine') },
  tags: { 'action=clear': named('remove all', 'quitar todas') },
  ask: { 'input.kind=phone': named('Phone', 'Teléfono') },
};

describe('summaries of cards', () => {
  it.each([
    [{ operatorId: 10 }, 'person Olga', 'persona Olga'],
    [{ operatorId: 10, teamId: 5 }, 'person Olga · team Support', 'persona Olga · equipo Support'],
    [{ operatorId: 1, teamId: 50 }, 'person 1 · team 50', 'persona 1 · equipo 50'],
  ])('a hand-off to %j is told by names where they are known', (data, english, spanish) => {
    const people = { operators: [{ id: 10, names: 'Olga', email: '', teams: [] }], teams: [{ id: 5, name: 'Support' }] };
    expect(said('handoff', data, people)).toEqual([english, spanish]);
  });

  it.each([
    ['start', { keywords: ['hi'], fallback: true }, 'hi, anything else', 'hi, cualquier otra cosa'],
    ['start', {}, 'When called', 'Al ser llamado'],
    ['start', { keywords: ['anything'] }, 'anything', 'anything'],
    ['end', {}, 'done', 'hecho'],
    ['delay', { duration: 'PT1H30M' }, '1 hour 30 minutes', '1 hora 30 minutos'],
    ['delay', { duration: '{{$context.a}}' }, '{{$context.a}}', '{{$context.a}}'],
    ['wait-until', { at: '$context.day', before: 'P1D' }, '1 day before $context.day', '1 día antes de $context.day'],
    ['wait-until', { opening: {} }, 'the next opening', 'la próxima apertura'],
    ['wait-external', {}, 'Until it is called', 'Hasta que lo llamen'],
    ['wait-external', { timeout: 'PT24H' }, 'At most 24 hours', 'Como máximo 24 horas'],
    ['collect', {}, '5 seconds of silence, at most 20 messages', '5 segundos de silencio, como máximo 20 mensajes'],
    ['handoff', { mode: 'park', teamId: 3 }, 'team 3 · wait until the person is done', 'equipo 3 · esperar a que la persona termine'],
    ['tags', { action: 'clear' }, 'remove all', 'quitar todas'],
    ['ask', { message: { type: 'text', text: 'a' }, input: { kind: 'phone' } }, 'a → Phone', 'a → Teléfono'],
    ['respond', {}, 'Status 200', 'Estado 200'],
    ['webhook', { variableName: 'a' }, 'No method → $webhook.a', 'Ningún método → $webhook.a'],
    ['jump', { workflowId: 'a', version: 2 }, 'a, version 2', 'a, versión 2'],
  ] as const)('%s %j', (type, data, english, spanish) => {
    expect(said(type, data)).toEqual([english, spanish]);
  });

  it('are told whatever a canvas holds, and a type that nobody knows by words', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom('start', 'handoff', 'constructor', 'ask', 'delay'), fc.string()),
        fc.string(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (type, summary, data) => {
          const node = { id: 'a', type, data } as never;
          expect(typeof summaryIn({ node, entry: { type, label: '' } as never, summary }, sayIn(es, 'es'), 'es')).toBe('string');
        },
      ),
    );
    const unknown = { node: { id: 'a', type: 'x' } as never, entry: undefined, summary: '?' };
    expect(summaryIn(unknown, sayIn(es, 'es'), 'es')).toBe('Tipo desconocido: se conserva como está');
  });

  it('say times as people do, and what is no constant as it stands', () => {
    expect(['P1D', 'PT1S', 'P2DT1M', 'P', 'PT', 'P1M', 'x'].map((text) => timeInWords(text, 'en'))).toEqual([
      '1 day',
      '1 second',
      '2 days 1 minute',
      'P',
      'PT',
      'P1M',
      'x',
    ]);
  });
});
