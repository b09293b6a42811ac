import { isReservedName, type Json, type JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isRecord, shownText } from '../../canvas/canvas-json.ts';
import { days, hoursOf, isWeek, openDay, shownClosing, withHours, writtenClosing } from './hours.ts';
import { isAssignments, isCases } from './assignments.ts';
import { cardsOf, emptyCard, withCards } from './cards.ts';
import { isWays, wordOf } from './named-ways.ts';
import { fieldTypes, isFields, retyped } from './fields.ts';
import { filledIn, freeName, withName } from './pairs.ts';
import { functionTool, pickFunctions, serverTool, toolName, workflowTool } from './tools.ts';
import { isMethod, methodsOf, usualMethod } from './methods.ts';
import { readMoment, writeMoment } from './moment.ts';
import { pathOf, shownName } from './names.ts';
import { isComparison, isSentence, join, joined, joinsRules, valueOf, withComparison } from './rules.ts';

/** Whether a node takes this data. */
const takes = (type: string, data: JsonObject): boolean =>
  standardNodes.find((node) => node.type === type)?.config.safeParse(data).success === true;

/** The schema of the data of an API call, as the studio has it. */
const apiSchema = () =>
  z.toJSONSchema(standardNodes.find(({ type }) => type === 'api')?.config ?? z.never(), { io: 'input', unrepresentable: 'any' });

const configs = (type: 'condition' | 'business-hours') => arbitraries.nodeConfigs[type] as fc.Arbitrary<JsonObject>;

describe('the editor of a call', () => {
  it('offers the methods that the node takes, and shows only what it can write', () => {
    const { properties } = z.object({ properties: z.object({ method: z.record(z.string(), z.json()) }) }).parse(apiSchema());
    const methods = methodsOf(properties.method, {}, undefined);
    expect(methods).toContain('PATCH');
    for (const method of methods) expect(takes('api', { url: 'https://shop.test', method })).toBe(true);
    expect(methods[0]).toBe(usualMethod);
    expect(methodsOf(properties.method, {}, 'HEAD')).toEqual([...methods, 'HEAD']); // shown, so that it is seen to be wrong
    expect([undefined, ...methods].filter((method) => !isMethod(method))).toEqual([]);
    expect(['{{$context.method}}', 1].map(isMethod)).toEqual([false, false]);
    expect(takes('api', { url: 'https://shop.test', method: 'POST', body: { order: '{{$context.order}}' } })).toBe(true);
  });
});

describe('the editor of conditions', () => {
  const rules = configs('condition').map(({ branches }) =>
    (branches as readonly JsonObject[]).flatMap(({ rule }) => (isRecord(rule) ? [rule] : [])),
  );

  it('changes nothing of what it says, whatever the condition', () => {
    fc.assert(
      fc.property(rules, (all) => {
        for (const rule of all.filter((one) => isSentence(one))) {
          const { op, rules: inner } = rule;
          const again = joinsRules(op) ? joined(shownText(op), inner as readonly Json[]) : withComparison(rule, shownText(op));
          const isSingle = Array.isArray(inner) && inner.length === 1;
          expect(again).toEqual(isSingle ? inner[0] : rule);
        }
      }),
    );
  });

  it('leaves what it cannot say to the generated form', () => {
    const plain = { op: 'eq', left: '$context.a', right: 1 };
    expect(isSentence(plain)).toBe(true);
    expect(isSentence({ op: 'all', rules: [plain, { op: 'exists', left: '$context.b' }] })).toBe(true);
    for (const rule of [
      { op: 'not', rule: plain },
      { op: 'all', rules: [{ op: 'any', rules: [plain] }] },
      { op: 'all', rules: [] },
      { ...plain, note: 'kept' },
      { ...plain, right: [1] },
      { op: 'expression', expression: '{{true}}' },
      'eq',
      undefined,
    ])
      expect(isSentence(rule)).toBe(false);
  });

  it('writes conditions that the node takes', () => {
    const rule = { op: 'gt', left: '$context.size', right: valueOf('20') };
    const both = join(rule, 'all', { op: 'exists', left: '$context.name' });
    expect(takes('condition', { branches: [{ name: 'Big', rule: both }] })).toBe(true);
    expect(join(both, 'any', rule)).toEqual({ op: 'any', rules: [rule, { op: 'exists', left: '$context.name' }, rule] });
    expect(withComparison(withComparison(rule, 'exists'), 'eq')).toEqual({ op: 'eq', left: '$context.size', right: '' });
    expect(isComparison('exists')).toBe(false);
  });

  it.each([
    ['5', 5],
    ['-1.5', -1.5],
    ['5.', '5.'],
    ['05', '05'],
    ['1e3', '1e3'],
    ['', ''],
    ['five', 'five'],
    ['Infinity', 'Infinity'],
  ])('takes %j for %j', (text, value) => {
    expect(valueOf(text)).toBe(value);
  });
});

describe('the editor of opening hours', () => {
  it('changes nothing of the days that it does not touch', () => {
    fc.assert(
      fc.property(configs('business-hours'), fc.constantFrom(...days), ({ week }, day) => {
        fc.pre(isWeek(week));
        expect(hoursOf(withHours(week, day, hoursOf(week, day)), day)).toEqual(hoursOf(week, day));
        for (const other of days.filter((one) => one !== day)) {
          expect(hoursOf(withHours(week, day, []), other)).toEqual(hoursOf(week, other));
          expect(hoursOf(openDay(week, day), other)).toEqual(hoursOf(week, other));
        }
        expect(takes('business-hours', { week: openDay(week, day) })).toBe(true);
      }),
    );
  });

  it('opens a day like the last one before it, and shows midnight as the browser can', () => {
    const week = withHours(openDay(undefined, 'mon'), 'tue', [['20:00', '24:00']]);
    expect(week).toEqual({ mon: [['09:00', '18:00']], tue: [['20:00', '24:00']] });
    expect(openDay(week, 'fri')['fri']).toEqual([['20:00', '24:00']]);
    expect(withHours(week, 'mon', [])).toEqual({ tue: [['20:00', '24:00']] });
    expect([shownClosing('24:00'), writtenClosing('00:00'), shownClosing('23:59')]).toEqual(['00:00', '24:00', '23:59']);
    expect([isWeek({ mon: [['9:00', '18:00']] }), isWeek({ mon: '{{$context.hours}}' }), isWeek({ day: [] })]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('the editor of moments', () => {
  it.each([
    [{ day: '$context.day', time: '$context.time' }, '{{instant($context.day, $context.time)}}'],
    [{ day: '$context.day', time: '15:30' }, '{{instant($context.day, "15:30")}}'],
    [{ day: '', time: '' }, ''],
  ])('says %j as %s, and reads it again', (moment, text) => {
    expect(writeMoment(moment)).toBe(text);
    expect(readMoment(text)).toEqual(moment);
    expect(text === '' || takes('wait-until', { at: text })).toBe(true);
  });

  it('is in the morning as long as no time is written, and leaves other expressions alone', () => {
    expect(writeMoment({ day: '$context.day', time: '' })).toBe('{{instant($context.day, "09:00")}}');
    expect(writeMoment({ day: '$context.day', time: '"), now(' })).toBe('{{instant($context.day, "09:00")}}');
    for (const text of ['{{$context.at}}', '2031-03-01T09:00:00Z', '{{instant($context.day, $context.time, "UTC")}}'])
      expect(readMoment(text)).toBeUndefined();
  });
});

describe('names of variables', () => {
  it('are written without the scope of the conversation; a path or an expression is itself', () => {
    for (const path of ['$context.name', '$memory.cart', '{{size($context.items)}}', '$user.phone', ''])
      expect(pathOf(shownName(path))).toBe(path);
    expect(pathOf('order.id')).toBe('$context.order.id');
  });
});

describe('the editors of set and switch', () => {
  const setData = arbitraries.nodeConfigs.set;
  const switchData = arbitraries.nodeConfigs.switch;

  it('show what they would write, and leave everything else to the generated form', () => {
    fc.assert(
      fc.property(setData, switchData, ({ assignments }, { cases }) => {
        const rows = isAssignments(assignments) ? assignments : [];
        for (const { path, value } of rows) expect([pathOf(shownName(shownText(path))), typeof value]).toEqual([path, 'string']);
        const shown = isCases(cases) ? cases : [];
        expect(shown.map(String).map(valueOf)).toEqual(shown);
      }),
    );
    const row = { path: '$context.a', value: 'x' };
    expect([[row], [{ ...row, ttl: 'P1D' }], [{ ...row, value: 7 }], [{ ...row, more: 1 }], [], undefined].map(isAssignments)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([['a', 7], ['7'], [true], [''], undefined].map((cases) => isCases(cases))).toEqual([true, false, false, true, false]);
  });
});

describe('the editor of carousels', () => {
  const texts = fc.record({ picture: fc.string(), text: fc.string(), button: fc.string(), opens: fc.string() });

  it('reads back the cards that it wrote, numbered from 0, and leaves what it cannot say to the generated form', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 10 }), (cards) => {
        const message = withCards({ type: 'carousel', text: 'New' }, cards);
        expect(cardsOf(message)).toEqual(cards);
        expect(JSON.stringify(message).match(/"card_index":\d+/g) ?? []).toEqual(cards.map((_, index) => `"card_index":${index}`));
      }),
    );
    const message = withCards({ type: 'carousel', text: 'New' }, [emptyCard]);
    expect(cardsOf({ ...message, note: 'kept' })).toBeUndefined();
    expect(cardsOf({ ...message, type: 'text' })).toBeUndefined();
    expect(cardsOf({ type: 'carousel', text: 'New', parameters: { cards: [{ body: { text: 7 } }] } })).toBeUndefined();
  });

  it('writes a message that the node takes', () => {
    const card = { picture: 'https://example.com/shoe.jpg', text: 'Shoe', button: 'Open', opens: 'https://example.com/shoe' };
    expect(takes('message', { message: withCards({ type: 'carousel', text: 'New' }, [card, card]) })).toBe(true);
  });
});

describe('lines of names and values', () => {
  it('a value keeps its place under another name, and never takes that of another', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.string(), { minKeys: 1 }),
        fc.stringMatching(/^[a-z]{0,4}$/),
        (pairs, wanted) => {
          const [first = ''] = Object.keys(pairs);
          const after = withName(pairs, first, wanted);
          expect(Object.values(after)).toEqual(Object.values(pairs));
          expect(Object.hasOwn(after, freeName(after))).toBe(false);
        },
      ),
    );
  });

  it('a template shows the values it has', () => {
    expect(filledIn('Hi {{1}}, {{ day }}!', { 1: 'Ana', day: '' })).toBe('Hi Ana, {{ day }}!');
    expect(filledIn('{{1}}', { 1: '$& {{2}}' })).toBe('$& {{2}}');
  });
});

describe('what a model may do', () => {
  it('tools that are picked are tools that an agent takes, each with a name of its own', () => {
    const workflow = {
      id: 'order-status',
      name: 'Order status',
      inputs: {
        order: { type: 'string', description: 'Such as A-17' },
        note: { type: 'object' },
        from: { type: 'number', default: 1 },
        most: { type: 'number', optional: true },
        tags: { type: 'array' },
        other: {},
        odd: { type: 'constructor' },
      },
    };
    const listed = { name: 'search', description: '', schema: { type: 'object', properties: {} }, readOnly: true };
    const one = workflowTool(workflow, []);
    const two = workflowTool(workflow, [one]);
    const three = functionTool({ id: 'fn_echo', name: 'exit_Echo!' }, [one, two]);
    const four = serverTool({ url: 'https://tools.example.com/mcp', credentialId: '' }, listed, [one, two, three]);
    const agent = {
      model: { baseUrl: 'https://models.example/v1', name: 'small' },
      instructions: 'Help.',
      exits: [{ name: 'done', when: 'It is done.' }],
    };
    expect(takes('agent', { ...agent, tools: [one, two, three, four] })).toBe(true);
    expect(new Set([one, two, three, four].map(({ name }) => name)).size).toBe(4);
    expect(one['inputs']).toEqual({
      order: { type: 'text', description: 'Such as A-17' },
      from: { type: 'number', required: false },
      most: { type: 'number', required: false },
      tags: { type: 'list', of: 'text' },
      other: { type: 'text' },
    });
  });

  it('the tools of a function are picked one by one, with the inputs that they declare', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        sku: { type: 'string', description: 'Such as A-17' },
        count: { type: 'integer' },
        sizes: { type: 'array', items: { type: 'number' } },
        odd: { type: 'object' },
        constructor: { type: 'string' },
        'with-dash': { type: 'string' },
        other: {},
        none: null,
      },
      required: ['sku'],
    };
    const stock = { name: 'exit_Stock', description: 'How many are left', inputSchema };
    const picked = pickFunctions([
      { id: 'fn_plain', name: 'plain' },
      { id: 'fn_shop', name: 'Shop', tools: [stock, { ...stock, name: 'price', description: '' }] },
    ]);
    const tools = picked.reduce<JsonObject[]>((before, one) => [...before, functionTool(one, before)], []);
    expect(tools).toMatchObject([
      { name: 'plain', functionId: 'fn_plain' },
      { name: 'stock', functionId: 'fn_shop', tool: 'exit_Stock', description: 'How many are left' },
      { name: 'price', functionId: 'fn_shop', tool: 'price', description: 'price' },
    ]);
    expect(tools[1]?.['inputs']).toEqual({
      sku: { type: 'text', description: 'Such as A-17' },
      count: { type: 'number', integer: true, required: false },
      sizes: { type: 'list', of: 'number', required: false },
      other: { type: 'text', required: false },
    });
    const agent = { model: { baseUrl: 'https://models.example/v1', name: 'small' }, instructions: 'Help.' };
    expect(takes('agent', { ...agent, exits: [{ name: 'done', when: 'It is done.' }], tools })).toBe(true);
  });

  it('a way is written as a word that a model can say', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(wordOf(text)).toMatch(/^(?:[a-zA-Z]\w{0,39})?$/);
        expect(toolName(text, [])).toMatch(/^(?!exit_)[a-z]\w{0,40}$/);
      }),
    );
    for (const name of ['constructor', 'prototype', 'true', 'null', '__proto__'])
      for (const given of [wordOf(name), toolName(name, []), toolName(`exit_${name}`, []), toolName(name.toUpperCase(), [])])
        expect(isReservedName(given)).toBe(false);
    expect(wordOf('Niño está: sí')).toBe('Nino_esta_si');
    expect(isWays([{ name: 'a', when: 'b', examples: ['c'] }])).toBe(true);
    expect(isWays([{ name: 7 }])).toBe(false);
  });

  it('a value that an exit gives can be of each type, and keeps what it is when its type changes', () => {
    const exit = (fields: JsonObject): JsonObject => ({
      model: { baseUrl: 'https://models.example/v1', name: 'small' },
      instructions: 'Help.',
      exits: [{ name: 'done', when: 'It is done.', fields }],
    });
    const kept = { label: 'Size', description: 'How many', required: false };
    for (const before of fieldTypes)
      for (const type of fieldTypes) {
        const field = retyped(retyped({ type: 'text', ...kept }, before), type);
        expect(field).toMatchObject({ type, ...kept });
        const filled = type === 'option' ? { ...field, options: [{ title: 'A' }, { title: 'B' }] } : field;
        expect(isFields({ size: filled })).toBe(true);
        expect(takes('agent', exit({ size: filled }))).toBe(true);
      }
    expect([undefined, {}, { a: { type: 'text' } }, { a: 7 }, { a: { type: 'constructor' } }, [], 'a'].map(isFields)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
