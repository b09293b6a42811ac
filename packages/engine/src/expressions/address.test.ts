import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../contract/json.ts';
import { compileAddress, compileJson } from './template.ts';

const render = (source: string, values: { readonly [name: string]: Json }): string =>
  compileAddress(source)({ get: ([, name]) => values[String(name)] });

const reason = (source: string, a: Json): string => {
  try {
    return render(source, { a });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** Texts as users write them, hostile ones often: half a surrogate pair becomes U+FFFD, as everywhere on the web. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom('/', '\\', '..', '.', '?', '#', '&', '=', '%', '%2e', '%2F', '@', ':', ' ', '+', '\r\n', '\0', 'a', 'ñ', '👍'),
        { maxLength: 8 },
      )
      .map((parts) => parts.join('')),
  )
  .map((text) => text.toWellFormed());
const isSegment = (text: string): boolean => text !== '' && !/^(?:\.|%2e){1,2}$/i.test(text);

describe('an address with values in it', () => {
  it('keeps its path, the names of its query and its host, for any text, and the text decodes to itself', () =>
    fc.assert(
      fc.property(anyText.filter(isSegment), anyText, anyText, anyText, (segment, part, value, fragment) => {
        const source =
          'https://api.example:8443/orders/{{$context.segment}}/x-{{$context.part}}-y/state?q={{$context.value}}&n=1#{{$context.fragment}}';
        const url = new URL(render(source, { segment, part, value, fragment }));
        const [, first, second, third, fourth, ...more] = url.pathname.split('/');
        expect([url.origin, url.username, first, fourth, more.length]).toEqual(['https://api.example:8443', '', 'orders', 'state', 0]);
        expect([decodeURIComponent(second ?? ''), decodeURIComponent(third ?? '')]).toEqual([segment, `x-${part}-y`]);
        expect([...url.searchParams]).toEqual([
          ['q', value],
          ['n', '1'],
        ]);
        expect(decodeURIComponent(url.hash.slice(1))).toBe(fragment);
      }),
    ));

  it('keeps the number of names of its query when a value is a name', () =>
    fc.assert(
      fc.property(anyText, (name) => {
        const url = new URL(render('https://api.example/?{{$context.name}}=1&b=2', { name }));
        expect([...url.searchParams]).toEqual([
          [name, '1'],
          ['b', '2'],
        ]);
      }),
    ));

  it('never leads to another host, for any text in its host', () =>
    fc.assert(
      fc.property(anyText, (a) => {
        const made = reason('https://{{$context.a}}.api.example/orders', a);
        const { hostname } = URL.parse(made) ?? { hostname: 'none.api.example' };
        expect(/cannot be made/.test(made) || hostname.endsWith('.api.example')).toBe(true);
      }),
    ));

  it.each<readonly [string, Json, string]>([
    ['../../admin', '../../admin', '..%2F..%2Fadmin'],
    ['a query', 'a?x=1', 'a%3Fx%3D1'],
    ['a fragment', 'a#b', 'a%23b'],
    ['two segments', 'a/b', 'a%2Fb'],
    ['what is encoded already', '%2e%2e', '%252e%252e'],
    ['a backslash', 'a\\b', 'a%5Cb'],
    ['a number', 7, '7'],
    ['true', true, 'true'],
    ['an object', { a: 1 }, '%7B%22a%22%3A1%7D'],
    ['half a surrogate pair', '\ud800', '%EF%BF%BD'],
    ['control characters', '\r\n', '%0D%0A'],
  ])('has one segment for %s', (_what, a, segment) => {
    expect(reason('https://api.example/orders/{{$context.a}}/state', a)).toBe(`https://api.example/orders/${segment}/state`);
  });

  it.each<readonly [string, string, Json]>([
    ['is empty', 'https://x.example/orders/{{$context.a}}/state', ''],
    ['is empty at the end', 'https://x.example/orders/{{$context.a}}', ''],
    ['is empty before the query', 'https://x.example/orders/{{$context.a}}?a=1', ''],
    ['is null', 'https://x.example/orders/{{$context.a}}/state', null],
    ['is null within a segment', 'https://x.example/orders-{{$context.a}}', null],
    ['is "."', 'https://x.example/orders/{{$context.a}}/state', '.'],
    ['is ".."', 'https://x.example/orders/{{$context.a}}/state', '..'],
    ['makes ".." with what is around it', 'https://x.example/orders/.{{$context.a}}/state', '.'],
    ['makes ".." with a percent sign of the author', 'https://x.example/orders/%2e{{$context.a}}', '.'],
    ['is an empty text encoded', 'https://x.example/{{encodeURIComponent($context.a)}}/state', ''],
    ['is a path behind a whole origin', '{{"https://x.example"}}/{{$context.a}}/state', '..'],
    ['is a host with a path', 'https://{{$context.a}}/state', 'evil.example/?'],
    ['is a host with a user', 'https://{{$context.a}}.x.example/state', 'a@evil.example'],
    ['is a relative path that would name a host', '/{{$context.a}}/b', ''],
  ])('is an error when a value %s', (_what, source, a) => {
    expect(reason(source, a)).toContain('the address cannot be made');
  });

  it.each<readonly [string, string, Json, string]>([
    ['a whole address', '{{$context.a}}', 'https://x.example/a/b?c=d#e', 'https://x.example/a/b?c=d#e'],
    ['an origin', '{{$context.a}}/orders/{{"b/c"}}', 'https://x.example/base', 'https://x.example/base/orders/b%2Fc'],
    ['an origin with a query', '{{$context.a}}&q={{"b&c"}}', 'https://x.example/?a=1', 'https://x.example/?a=1&q=b%26c'],
    ['a part of the host', 'https://{{$context.a}}.x.example/', 'eu-1', 'https://eu-1.x.example/'],
    ['a port', 'http://localhost:{{$context.a}}/', 8080, 'http://localhost:8080/'],
    ['what raw() has', 'https://x.example/{{raw($context.a)}}', 'a/b?c', 'https://x.example/a/b?c'],
    ['an empty raw()', 'https://x.example/a/{{raw($context.a)}}', '', 'https://x.example/a/'],
    ['what is encoded by the author', 'https://x.example/{{encodeURIComponent($context.a)}}', 'a/b', 'https://x.example/a%2Fb'],
    ['the same as a method', 'https://x.example/{{$context.a.encodeURIComponent()}}', 'a/b', 'https://x.example/a%2Fb'],
    ['null in the query', 'https://x.example/?a={{$context.a}}', null, 'https://x.example/?a='],
    ['an empty end of a segment', 'https://x.example/orders{{$context.a}}', '', 'https://x.example/orders'],
    ['a relative address', '/orders/{{$context.a}}', '../b', '/orders/..%2Fb'],
  ])('takes %s', (_what, source, a, made) => expect(reason(source, a)).toBe(made));

  it('lists what is inserted as it is', () => {
    const isAddress = (at: readonly (string | number)[]) => at.at(-1) === 'url';
    const { raws, reads } = compileJson({ a: [{ url: 'https://x.example/{{raw($message.text)}}', text: '{{raw($user.id)}}' }] }, isAddress);
    expect(raws).toMatchObject([{ at: ['a', 0, 'url'], reads: [{ path: ['$message', 'text'] }] }]);
    expect(reads).toHaveLength(2);
  });
});
