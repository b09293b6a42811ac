// Answers that come in two messages within seconds: both count together where they are parts of a sentence, else the second alone.
import type { JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask } from './index.ts';
import { togetherMs } from './parts.ts';

const nowMs = Date.UTC(2026, 10, 28, 15);
const sent = { kind: 'sent', messageId: 'm' };
const says = (text: string, atMs: number, more: JsonObject = {}) => ({
  kind: 'message',
  message: { id: `r${atMs}`, type: 'text', text, ...more },
  atMs,
});

/** What a question makes of two messages. */
function answerOf(input: JsonObject, first: string, second: string, apartMs = 1_500, more: JsonObject = {}): string {
  const visited = visit(ask, {
    config: { message: { type: 'text', text: 'And?' }, input, attempts: 2, saveAs: '$context.answer' },
    variables: { $user: { locale: 'es-PE', timeZone: 'America/Lima' } },
    nowMs,
    results: [sent, says(first, nowMs), sent, says(second, nowMs + apartMs, more)],
  });
  return visited.by === 'answered' ? JSON.stringify(visited.writes['$context.answer']).replaceAll('"', '') : '-';
}

const tables: readonly (readonly [kind: string, table: string])[] = [
  [
    'date',
    `12 | de mayo → 2027-05-12; el | lunes → 2026-11-30; 25 | diciembre → 2026-12-25; de mayo | el 12 → -; no puedo | el lunes → -; pasado | mañana → 2026-11-30
    hola | mañana → 2026-11-29; después del | 5 de mayo → -; a partir de | mañana → -; no sé | el lunes → 2026-11-30; antes de | mañana → -`,
  ],
  [
    'time',
    `a las 4 | de la tarde → 16:00; 4 | pm → 16:00; a las | 16:30 → 16:30; después de las | 16:30 → -; mejor | 16:30 → 16:30; no | 16:30 → 16:30; nunca | 16:30 → 16:30; 4 | 5pm → 17:00`,
  ],
  [
    'number',
    `treinta y | cinco → 35; somos | 4 → 4; más de | 20 → -; como | veinte → 20; hola | 5 → 5; 2 o 3 | 3 → 3; no tengo | 5 → -; 5 a | 6 → 6; ummm | 12 → 12
    mejor | pon 5 → 5; 12 personas y 2 niños | 14 → 14; never | 42 → 42; not a number | 42 → 42; - | 42 → 42`,
  ],
  [
    'email',
    `mi correo es | juan@x.pe → juan@x.pe; ya no uso | juan@x.pe → -; juan@x | juan@x.pe → juan@x.pe; juan | @x.pe → juan@x.pe; no idea | juan@x.pe → juan@x.pe; not an address | juan@x.pe → juan@x.pe; no quiero | juan@x.pe → -`,
  ],
  [
    'phone',
    `mi número es | 987654321 → 51987654321; ya no es | 987654321 → -; +51 | 987654321 → 51987654321; 98765432 | 987654321 → 51987654321; not yet | 987654321 → 51987654321`,
  ],
];

describe.each(tables)('a %s in two messages', (kind, table) => {
  const rows = table.split(/[\n;]/).map((row) => row.split(/ \| | → /).map((part) => part.trim()));

  it('is what they say together', () => {
    expect(rows.map(([first = '', second = '']) => [first, second, answerOf({ kind }, first, second)])).toEqual(rows);
  });

  it('is that of the second alone once the user has read that they are asked again, and where the answer must be alone', () => {
    for (const [first = '', second = ''] of rows) {
      const alone = answerOf({ kind }, '…', second, togetherMs + 1);
      expect([first, second, answerOf({ kind }, first, second, togetherMs + 1)]).toEqual([first, second, alone]);
      expect([first, second, answerOf({ kind, strict: true }, first, second)]).toEqual([
        first,
        second,
        answerOf({ kind, strict: true }, '…', second, togetherMs + 1),
      ]);
    }
  });
});

it('what is a value by itself and out of bounds is no part of the next one', () => {
  expect(answerOf({ kind: 'number', min: 25 }, 'veinte', 'cinco')).toBe('-');
  expect(answerOf({ kind: 'number', max: 30 }, 'cien', 'dos')).toBe('2');
  expect(answerOf({ kind: 'number', min: 100 }, '1', '200')).toBe('200');
  expect(answerOf({ kind: 'number', integer: true }, 'dos y medio', 'tres')).toBe('3');
  expect(answerOf({ kind: 'date', min: '2027-01-01' }, 'mañana', '5 de enero')).toBe('2027-01-05');
});

it('a button and a caption are no parts, and texts are kept as they come', () => {
  expect(answerOf({ kind: 'number' }, 'más de', '20', 1_000, { type: 'button', payload: '20' })).toBe('20');
  expect(answerOf({ kind: 'number' }, 'más de', '20', 1_000, { type: 'image' })).toBe('20');
  expect(answerOf({ kind: 'text', minLength: 5 }, 'Juan', 'Pérez')).toBe('Pérez');
});

it('two messages with digits are two values, of which the second counts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1_000, max: 99_999 }), (first, second) => {
      expect(answerOf({ kind: 'number', min: 1_000 }, String(first), String(second))).toBe(String(second));
    }),
  );
});

describe('a correction of the answer before, while the next question was on its way', () => {
  const heard = (before: string, reply: string, afterMs: number, more: JsonObject = {}): string => {
    const visited = visit(ask, {
      config: { message: { type: 'text', text: 'And how many?' }, input: { kind: 'text' }, attempts: 2, saveAs: '$context.answer' },
      variables: { $message: { id: 'm0', type: 'text', text: before } },
      nowMs,
      results: [sent, says(reply, nowMs + afterMs, more)],
    });
    return visited.by === 'answered' ? JSON.stringify(visited.writes['$context.answer']).replaceAll('"', '') : '-';
  };
  const rows: readonly (readonly [before: string, reply: string])[] = [
    ['4576', 'perdón, 4567'],
    ['4576', 'sorry, I meant 4567'],
    ['4576', 'Perdón 4567'],
    ['4576', '*4567'],
    ['4576', 'ups, 4567'],
    ['mi dni es 45678912', 'me equivoqué, es 45678913'],
    ['el lunes', 'digo el martes'],
    ['Ana Peres', 'perdón, Ana Pérez'],
    ['anaperes@x.pe', 'disculpa, anaperez@x.pe'],
    ['4576', 'desculpe, 4567'],
    ['4576', 'errei, 4567'],
    ['dos', 'no, tres'],
    ['2', 'no 3'],
    ['2', 'mejor 3'],
    ['2 personas', 'no, mejor tres'],
    ['two', 'make it three'],
    ['dois', 'não, três'],
  ];

  it('is no answer to this question', () => {
    expect(rows.map(([before, reply]) => [before, reply, heard(before, reply, 1_500)])).toEqual(rows.map((row) => [...row, '-']));
  });

  it('is an answer once the question may have been read, where nothing like it was said before, and where it names the question', () => {
    for (const [before, reply] of rows) {
      expect(heard(before, reply, togetherMs)).toBe('-');
      expect(heard(before, reply, togetherMs + 1)).toBe(reply);
      expect(heard('hola', reply, 1_500)).toBe(reply);
      expect(heard(before, reply, 1_500, { replyTo: 'm' })).toBe(reply);
    }
    expect(heard('4576', '4567', 1_500)).toBe('4567');
    expect(heard('4576', 'perdón', 1_500)).toBe('perdón');
    expect(heard('reservar', 'era para 4', 1_500)).toBe('era para 4');
    expect(heard('reservar', 'no, 3', 1_500)).toBe('no, 3');
    expect(heard('somos 2 y un bebé', 'no, 3', 1_500)).toBe('no, 3');
    expect(heard('2', 'no tengo 3', 1_500)).toBe('no tengo 3');
    expect(heard('2', 'no, gracias', 1_500)).toBe('no, gracias');
  });
});
