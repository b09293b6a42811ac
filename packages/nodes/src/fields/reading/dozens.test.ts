/** Dozens, as answers to a question that counts single things, to one that counts dozens, and where the question is not known. */
import { getPath } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

const input = Input.parse({ kind: 'number' });
const read = (text: string, locale: string, question?: string): unknown =>
  readAnswer({ text }, input, { get: (path) => getPath({ $user: { locale } }, path) }, 0, false, question) ?? '-';

describe('dozens', () => {
  it.each([
    [
      'es-PE',
      '¿Cuántos huevos?',
      'una docena → 12 | docena → 12 | media docena → 6 | dos docenas → 24 | 2 docenas → 24 | docena y media → 18',
    ],
    ['es-PE', '¿Cuántos?', 'quiero 2 docenas y media, por favor → 30 | una docena de huevos → 12 | docenas → - | 2 o 3 docenas → -'],
    ['es-PE', '¿Cuántos?', 'más de una docena → - | un par de docenas → - | una docena y una más → - | una docena no, dos → 2 | 12 → 12'],
    ['es-PE', '¿Cuántas docenas?', 'una docena → - | 2 docenas → - | 2 → 2'],
    ['pt-BR', 'Quantos ovos?', 'uma dúzia → 12 | meia dúzia → 6 | duas dúzias → 24 | dúzia e meia → 18'],
    [
      'en-US',
      'How many eggs?',
      'a dozen → 12 | half a dozen → 6 | two dozen → 24 | a dozen and a half → 18 | dozens → - | a couple dozen → -',
    ],
    ['fr-FR', 'Combien ?', 'une douzaine → 12 | deux douzaines → 24 | une demi-douzaine → 6'],
    ['de-DE', 'Wie viele?', 'ein Dutzend → 12 | zwei Dutzend → 24 | ein halbes Dutzend → 6'],
    ['it-IT', 'Quanti?', 'una dozzina → 12 | due dozzine → 24 | mezza dozzina → 6'],
    ['id-ID', 'Berapa?', 'selusin → 12 | dua lusin → 24 | setengah lusin → 6'],
    ['hi-IN', 'कितने?', 'एक दर्जन → 12 | दो दर्जन → 24 | आधा दर्जन → 6'],
  ])('are read in %s behind %s', (locale, question, table) => {
    const rows = table.split(' | ').map((row) => row.split('→').map((part) => part.trim()));
    expect(rows.map(([text = '']) => [text, String(read(text, locale, question))])).toEqual(rows);
  });

  it('are in doubt where the question is not known', () => {
    expect(read('una docena', 'es-PE')).toBe('-');
  });
});
