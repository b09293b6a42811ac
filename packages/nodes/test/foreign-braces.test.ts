// Values in the notations of other products: the check warns with what to write here and a fix that works, and leaves texts that are meant so.
import { checkCanvasText } from '@hilo/engine';
import { applyPatch } from '@hilo/engine/authoring';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';

const canvasOf = (type: string, data: JsonObject, ports: readonly string[]): Json => ({
  schemaVersion: 1,
  id: 'c',
  name: 'c',
  variables: { city: { default: 'Lima' }, order: { default: { total: 12 } } },
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hi'] } },
    { id: 'ask', type: 'ask', data: { message: { type: 'text', text: 'Which city?' }, input: { kind: 'text' }, saveAs: '$context.city' } },
    { id: 'tell', type, data },
    { id: 'sum', type: 'log', data: { name: 'sum', data: { total: '{{$context.order.total}}' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'tell' },
    ...ports.map((sourceHandle) => ({ source: 'tell', sourceHandle, target: 'sum' })),
    { source: 'sum', target: 'done' },
  ],
});
const check = (canvas: Json) => checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes });
const textCanvas = (text: string): Json => canvasOf('message', { message: { type: 'text', text } }, ['sent']);
const warn = (canvas: Json) => check(canvas).filter(({ code }) => code === 'PATH_AS_TEXT');

const warned: readonly (readonly [text: string, written: string, fixed?: string])[] = [
  ['{%if city%}A{%else%}B{%endif%}', '{%if city%}'],
  ['{% for x in order.lines %}- {% endfor %}', '{% for x in order.lines %}'],
  ['<% if (city) { %>A<% } %>', '<% if (city) { %>'],
  ['Hello <%= city %>', '<%= city %>', 'Hello {{$context.city}}'],
  ['Hello <%- user.name %>', '<%- user.name %>', 'Hello {{$user.names}}'],
  ['Hello <?= $city ?>', '<?= $city ?>', 'Hello {{$context.city}}'],
  ['Hello <?php echo $city; ?>', '<?php echo $city; ?>', 'Hello {{$context.city}}'],
  ['Hello {{city}', '{{city}', 'Hello {{$context.city}}'],
  ['Hello {{ user.names }', '{{ user.names }', 'Hello {{$user.names}}'],
  ['Hello {city}}', '{city}}', 'Hello {{$context.city}}'],
  ['Hello {{city} }', '{{city} }', 'Hello {{$context.city}}'],
  ['={{$context.city}}', '=', '{{$context.city}}'],
  ['=Hello {{$context.city}}', '=', 'Hello {{$context.city}}'],
  ['Hello ${city}', '${city}', 'Hello {{$context.city}}'],
  ['Hello ${user.name}!', '${user.name}', 'Hello {{$user.names}}!'],
  ['Hello #{city}', '#{city}', 'Hello {{$context.city}}'],
  ['Hello %{city}', '%{city}', 'Hello {{$context.city}}'],
  ['Hello @{city}', '@{city}', 'Hello {{$context.city}}'],
  ['Hello {!Contact.Name}', '{!Contact.Name}', 'Hello {{$user.names}}'],
  ['Hello [[city]]', '[[city]]', 'Hello {{$context.city}}'],
  ['Hello [[ first_name ]]', '[[ first_name ]]', 'Hello {{$user.names}}'],
  ['Hello %city%, hi', '%city%', 'Hello {{$context.city}}, hi'],
  ['Hello %FIRSTNAME%', '%FIRSTNAME%', 'Hello {{$user.names}}'],
  ['Hello {city}', '{city}', 'Hello {{$context.city}}'],
  ['Hello { city }!', '{ city }', 'Hello {{$context.city}}!'],
  ['Hello {CITY}', '{CITY}', 'Hello {{$context.city}}'],
  ['Hola {nombre}', '{nombre}', 'Hola {{$user.names}}'],
  ['Hello *{first_name}*', '{first_name}', 'Hello *{{$user.names}}*'],
  ['Hello {contact.first_name}', '{contact.first_name}', 'Hello {{$user.names}}'],
  ['Hello {$user.name}', '{$user.name}', 'Hello {{$user.names}}'],
  ['Hello {user.phone}', '{user.phone}', 'Hello {{$user.phone}}'],
  ['You wrote {message.text}', '{message.text}', 'You wrote {{$message.text}}'],
  ['It costs {order.total}', '{order.total}', 'It costs {{$context.order.total}}'],
  ['It costs {total}', '{total}', 'It costs {{$context.order.total}}'],
  ['It costs ${total}', '${total}', 'It costs {{$context.order.total}}'],
  ['{city | default("you")}, hi', '{city | default("you")}', '{{$context.city ?? "you"}}, hi'],
  ['Hello {city || "you"}', '{city || "you"}', 'Hello {{$context.city ?? "you"}}'],
  ['Hello {{city | upper}', '{{city | upper}'],
  ['Your order {order_id}', '{order_id}', 'Your order {{$context.order_id ?? ""}}'],
  ['https://a.example/orders/{orderId}', '{orderId}', 'https://a.example/orders/{{$context.orderId ?? ""}}'],
  ['Hello *|FNAME|*', '*|FNAME|*', 'Hello {{$user.names}}'],
  ['Hello %(city)s', '%(city)s', 'Hello {{$context.city}}'],
  ['Hello $city!', '$city', 'Hello {{$context.city}}!'],
  ['Hello [city]!', '[city]', 'Hello {{$context.city}}!'],
  ['{{$user.names}}: {city}', '{city}', '{{$user.names}}: {{$context.city}}'],
  ['Order {{1}} is ready', '{{1}}'],
];

const meant: readonly string[] = [
  ':{',
  'Oh no :{ sorry }:',
  ':-{ {-: ',
  '50%',
  '50% off, 20% more',
  '100% city 100%',
  'From 10% to 20%',
  '%20',
  'https://a.example/?q=%C3%A1%20city%20b',
  '{}',
  '{ }',
  '{{',
  '}}',
  '{ {',
  '{"city": "Lima"}',
  '{ "city": "Lima", "n": {"a": 1} }',
  'Send {"name":"Ana"} as JSON',
  '{city: "Lima"}',
  '[["09:00", "18:00"]]',
  '[[1, 2], [3]]',
  '[]',
  '[x] done',
  '[ ] to do',
  '[here](https://a.example)',
  '[city](https://a.example/city)',
  '[1]',
  '^[A-Z]{3}$',
  String.raw`^\d{4}-\d{2}$`,
  'a{2,5}',
  String.raw`\p{L}+`,
  String.raw`\u{1F600}`,
  String.raw`\textbf{bold} and \frac{a}{b}`,
  'x^{n} + y_{n}',
  '{a, b, c}',
  '{1, 2, 3}',
  '{0}',
  '{red|green|blue}',
  'function f() { return }',
  'const {city, total} = order',
  'rows.map((row) => {done})',
  'a { color: red }',
  '{ orders { id } }',
  'query { me { id } }',
  'Write `{city}` in your text',
  '```\nHello {city}\n```',
  String.raw`Hello \{city\}`,
  '$5.00',
  'US$ 20',
  '$$$',
  '$PATH is one',
  '${5}',
  'A & B <b>bold</b>',
  '1 < 2 % 3 > 0',
  '<name@a.example>',
  'Answer with <number>',
  '= 12',
  '=== {{$context.city}} ===',
  '=SUM(A1:A{{size($context.city)}})',
  '=',
  '=)',
  '*bold* _it_ ~no~',
  '**|**',
  '(%)',
  '%s and %d',
  '{{$user.names}}',
  '{{"{city}"}}',
  '{{ $context.city + "}" }} {',
  '{{ {"city": 1}.city }}',
  'Écris {',
  'a} {b',
];

describe('the notation of another product', () => {
  it.each(warned.map((row) => ({ row, text: row[0] })))('is told and mended in $text', ({ row: [text, written, fixed] }) => {
    const [found, ...others] = warn(textCanvas(text));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ severity: 'warning', pointer: '/nodes/2/data/message/text' });
    expect(found?.message).toContain(`"${written}" `);
    const { start = 0, end = 0 } = found?.range ?? {};
    expect(text.slice(start, end)).toBe(written);
    const [fix] = found?.fixes ?? [];
    const mended = applyPatch(textCanvas(text), fix?.patch ?? []) as Json;
    expect(mended).toEqual(textCanvas(fixed ?? text));
    expect(check(mended).filter(({ code, severity }) => (fixed !== undefined && code === 'PATH_AS_TEXT') || severity === 'error')).toEqual(
      [],
    );
  });

  it.each(meant)('is not seen in %j', (text) => expect(warn(textCanvas(text))).toEqual([]));

  it('is told in every field that is a template', () => {
    const at = (type: string, data: JsonObject, ports: readonly string[]) =>
      warn(canvasOf(type, data, ports)).map(({ pointer }) => pointer);
    expect(at('set', { assignments: [{ path: '$context.a', value: { to: ['{city}'] } }] }, ['next'])).toEqual([
      '/nodes/2/data/assignments/0/value/to/0',
    ]);
    expect(at('api', { url: 'https://a.example/{city}', body: { q: '<%= city %>' } }, ['success'])).toEqual([
      '/nodes/2/data/body/q',
      '/nodes/2/data/url',
    ]);
    expect(at('log', { name: 'seen', data: { city: '%city%' } }, ['next'])).toEqual(['/nodes/2/data/data/city']);
    expect(at('switch', { value: '{city}', cases: ['Lima'] }, ['Lima', 'else'])).toEqual(['/nodes/2/data/value']);
  });

  it('is looked for in linear time, and never throws', () => {
    const pieces = [
      '{',
      '}',
      '{{',
      '}}',
      '<%',
      '%>',
      '[[',
      ']]',
      '%',
      '$',
      'city',
      '.',
      ' ',
      '|',
      '`',
      '\\',
      'é',
      '=',
      '*|',
      '|*',
      '"',
      '1',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (text) => {
        for (const { fixes = [] } of warn(textCanvas(`a${text.join('')}`))) expect(fixes.length).toBeLessThan(2);
      }),
    );
    expect(warn(textCanvas('{city.'.repeat(600)))).toEqual([]);
  });
});
