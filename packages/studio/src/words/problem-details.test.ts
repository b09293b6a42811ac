// What is said of a field that is wrong, in Spanish: whatever is wrong in whichever node, nothing of the sentence is left in English.
import { checkCanvasText } from '@hilo/engine';
import type { Json, Problem } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aroundNode, fullNodes, placesIn, replaceAt, wrongValues } from '../../../../tests/properties/full-nodes.ts';
import { detailOf, inSpanish } from './problem-words-es.ts';

/** Words of sentences in English; what is in quotes, in braces or a path is the author's. */
const english = /\b(?:the|is|are|must|has|have|give|write|there|here|one of|such as|missing|with|without|where|which|leave)\b/i;
const ownOf = (sentence: string): string => sentence.replaceAll(/"[^"]*"|«[^»]*»|\{\{.*?\}\}|\$[\w.[\]]+|https?:\S+/gs, '…');

/** Sentences of parts that come from a library, or of code that is checked as code. */
const isForeign = ({ message }: Problem): boolean => /JSON Schema|cron expression|^Line \d/.test(message);

describe('a problem in Spanish', () => {
  const places = fullNodes.flatMap(({ type, data }) => placesIn(data).map((at) => ({ type, data, at })));
  const texts = ['{{1 +}}', '{{$context.nope', '', ' ', 'P1X', 'ftp://x', 'a b', '{{nobody()}}', 'x'.repeat(5_000)];
  it('has no English in it', () =>
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom<Json | undefined>(undefined, ...wrongValues, ...texts), (place, value) => {
        const { type, data, at } = place;
        const problems = checkCanvasText(aroundNode(type, replaceAt(data, at, value) ?? {}, data), { nodes: standardNodes });
        const left = problems.filter((one) => !isForeign(one)).map((one) => ownOf(inSpanish(one).message));
        expect(left.filter((message) => english.test(message))).toEqual([]);
      }),
      { numRuns: 60 },
    ));

  it.each([
    ['"week" must be a list, not null', '"week" debe ser una lista, no nulo'],
    ['"a" must be a text or a number, not true or false', '"a" debe ser un texto o un número, no verdadero o falso'],
    ['"status" must have a value of at most 599', '"status" puede valer 599 como máximo'],
    ['There is no field "a" here; did you mean "b"?', 'aquí no hay ningún campo "a"; ¿quiso decir "b"?'],
    ['Expression {{1 +}}: a value is missing at its end', '{{1 +}}: falta un valor al final'],
    [
      'Expression {{$context.a.b}}: $context.a.b is missing: give a default with "??" if it may be',
      '{{$context.a.b}}: no hay $context.a.b: dele un valor por defecto con «??» si puede faltar',
    ],
    ['"text" must be a text, and is a list', '"text" debe ser un texto, y es una lista'],
    [
      'The message must be an object, and is the text "or"; write {"type":"text"}',
      'el mensaje debe ser un objeto, y es el texto "or"; escriba {"type":"text"}',
    ],
    [
      '"a" must be a number from -180 to 180, or one {{ expression }}, and is null',
      '"a" debe ser un número de -180 a 180 o una {{expresión}}, y es nulo',
    ],
    ['$& is odd', '$& is odd'],
    [`"${'x'.repeat(20_000)}`, `"${'x'.repeat(20_000)}`],
  ])('says %s', (message, said) => expect(detailOf(message)).toBe(said));
});
