import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { checkCanvas, type CheckOptions } from './check.ts';
import { findNearestName } from '../expressions/nearest-name.ts';

const begin = { id: 'begin', type: 'start' };

/** The problems of a canvas with a node that reads these texts. */
const check = (...texts: readonly string[]) => {
  const read = { id: 'read', type: 'step', data: { texts: texts.map((value) => ({ value })) } };
  const canvas = canvasOf([begin, read, { id: 'done', type: 'end' }], ['begin → read', 'read → done']);
  return checkCanvas(Canvas.parse(canvas), { nodes: smallNodes });
};

const place = (index: number): string => `/nodes/1/data/texts/${index}/value`;

describe('a field of contacts that is read', () => {
  const checkFor = (read: string, userFields: CheckOptions['userFields']) => {
    const node = { id: 'read', type: 'step', data: { texts: [{ value: `{{${read}}}` }] } };
    const canvas = canvasOf([begin, node, { id: 'done', type: 'end' }], ['begin → read', 'read → done']);
    return checkCanvas(Canvas.parse(canvas), { nodes: smallNodes, ...(userFields !== undefined && { userFields }) });
  };
  const city = [{ key: 'city', type: 'text' }] as const;

  it.each([
    ['$user.fields.cty', city, '$user.fields.cty is never filled; did you mean $user.fields.city?'],
    ['$user.fields.renewal ?? ""', city, '$user.fields.renewal is never filled; there are city'],
    ['$user.fields.city', [], '$user.fields.city is never filled; the company declares no fields of contacts'],
  ] as const)('is reported as a warning when the company does not declare it: %s', (read, declared, message) => {
    expect(checkFor(read, declared)).toMatchObject([{ code: 'UNKNOWN_VARIABLE_FIELD', severity: 'warning', pointer: place(0), message }]);
  });

  it('is nothing where it is declared, where all are read, or where no company is known', () => {
    for (const read of ['$user.fields.city', '$user.fields']) expect(checkFor(read, city)).toEqual([]);
    expect(checkFor('$user.fields.cty', undefined)).toEqual([]);
  });
});

describe('a field that is read of what Hilo fills', () => {
  it.each([
    ['$user.name', '$user.name is never filled; did you mean $user.names?'],
    ['$user.phoneNumbr', '$user.phoneNumbr is never filled; did you mean $user.phoneNumber?'],
    ['$company.titel', '$company.titel is never filled; there are id, name, plan, kind, settings, locale, timeZone, fields'],
    ['$bot.chanel', '$bot.chanel is never filled; did you mean $bot.channel?'],
    ['$message.txt', '$message.txt is never filled; did you mean $message.text?'],
  ])('is reported as a warning when it does not exist: %s', (read, message) => {
    expect(check(`{{${read}}}`)).toMatchObject([{ code: 'UNKNOWN_VARIABLE_FIELD', severity: 'warning', nodeId: 'read', message }]);
  });

  it('is reported even when a default hides it, once a node with all its places', () => {
    const [problem, ...others] = check('{{$user.name ?? "you"}} {{$user.name}}', '{{$user.names}}', '{{$user.name}}');
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'UNKNOWN_VARIABLE_FIELD', pointer: place(0), places: [place(0), place(2)] });
    expect(check('{{$user.name}}')[0]).not.toHaveProperty('places');
  });

  it('is nothing where Hilo fills it, below it, or where the whole scope is read', () => {
    const reads = [
      '$user.names',
      '$company.settings.ordersUrl',
      '$bot.id',
      '$message.coordinates.lat',
      ...['at', 'replyTo', 'response.size', 'referral.ref', 'referredProduct', 'order', 'mimeType', 'mediaId'].map(
        (name) => `$message.${name}`,
      ),
      '$user',
      '$error.cause',
      '$memory.any',
    ];
    for (const read of reads) expect(check(`{{${read}}}`)).toEqual([]);
  });
});

describe('a name that is read of an object whose names are known', () => {
  const order = { writes: { next: ['$context.order'] }, shapes: { '$context.order': ['number', 'total'] } };
  /** The warnings of a canvas whose nodes write, one after the other, and whose last one reads. */
  const warnings = (read: string, writers: readonly object[], more: object = {}) => {
    const nodes = [...writers, { texts: [{ value: `{{${read}}}` }] }].map((data, index) => ({ id: `n${index}`, type: 'step', data }));
    const edges = ['begin', ...nodes.map(({ id }) => id)].map((id, index) => `${id} → ${nodes[index]?.id ?? 'done'}`);
    const canvas = canvasOf([begin, ...nodes, { id: 'done', type: 'end' }] as Parameters<typeof canvasOf>[0], edges, more as JsonObject);
    const problems = checkCanvas(Canvas.parse(canvas), { nodes: smallNodes });
    return problems.filter(({ code }) => code === 'UNKNOWN_VARIABLE_FIELD').map(({ message }) => message);
  };

  it('is reported with the nearest name, or with all of them', () => {
    expect(warnings('$context.order.numbr', [order])).toEqual([
      '$context.order.numbr is never filled; did you mean $context.order.number?',
    ]);
    expect(warnings('$context.order.weight ?? 5', [order])).toEqual(['$context.order.weight is never filled; there are number, total']);
  });

  it.each<readonly [string, readonly object[]]>([
    ['$context.order.number', [order]],
    ['$context.order', [order]],
    ['$context.order.total.amount', [order]],
    ['$context.other.name ?? 1', [order]],
    ['$context.order.note', [order, { writes: { next: ['$context.order.note'] } }]],
    ['$context.order.note', [order, { writes: { next: ['$context.order.note.by'] } }]],
    ['$context.order.note', [order, { ...order, shapes: { '$context.order': ['note'] } }]],
    ['$context.order.note', [order, { writes: { next: ['$context.order'] } }]],
    [
      '$context.order.item.note',
      [{ writes: { next: ['$context.order.item'] }, shapes: { '$context.order.item': ['id'] } }, { writes: { next: ['$context.order'] } }],
    ],
  ])('is nothing where it may be there: %s', (read, writers) => {
    expect(warnings(read, writers)).toEqual([]);
  });

  it('is nothing where the variable has a default, whose names may be others', () => {
    const more = { variables: { order: { type: 'object', default: { note: '' } } } };
    expect(warnings('$context.order.note', [order], more)).toEqual([]);
  });
});

describe('a variable that nothing writes', () => {
  it('is one problem a node, with its places', () => {
    const problems = check('{{$context.a}} and {{$context.a}}', '{{$context.b}}', '{{$context.a}}');
    expect(problems).toMatchObject([
      { code: 'UNWRITTEN_VARIABLE', pointer: place(0), places: [place(0), place(2)] },
      { code: 'UNWRITTEN_VARIABLE', pointer: place(1) },
    ]);
  });
});

describe('the nearest name', () => {
  const known = ['id', 'names', 'phone', 'phoneNumber'];

  it('is the name itself, in any case, and one that differs by a letter', () => {
    fc.assert(
      fc.property(fc.constantFrom('names', 'phone', 'phoneNumber'), fc.nat(), (name, at) => {
        const cut = at % name.length;
        expect(findNearestName(name.toUpperCase(), known)).toBe(name);
        expect(findNearestName(name.slice(0, cut) + name.slice(cut + 1), known)).toBe(name);
        const swapped =
          name.slice(0, cut) +
          name
            .slice(cut, cut + 2)
            .split('')
            .reverse()
            .join('') +
          name.slice(cut + 2);
        expect(findNearestName(swapped, known)).toBe(name);
      }),
    );
  });

  it('is none for a name without similarity', () => expect(findNearestName('wxyz', known)).toBeUndefined());
});
