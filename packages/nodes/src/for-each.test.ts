import type { Json, JsonObject } from '@hilo/engine/contract';
import { type Visited, visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEach } from './for-each.ts';

const config = { items: '{{$context.list}}' };

/** Goes round until the node leaves by `done`, as an engine would; `around` is `$item` before. */
function loop(list: Json, around?: Json) {
  const items: Json[] = [];
  let scopes: JsonObject = { $context: { list }, ...(around !== undefined && { $item: around }) };
  let memo: Json = null;
  for (;;) {
    const { by, writes, outcome }: Visited = visit(forEach, { config, variables: scopes, memo });
    const { $item } = writes;
    const { $item: _before, ...others } = scopes;
    scopes = $item === undefined ? others : { ...others, $item };
    memo = outcome.kind === 'leave' ? (outcome.memo ?? null) : null;
    if (by === 'done') return { items, after: scopes['$item'], memo };
    if ($item !== undefined) items.push($item);
  }
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('for-each', () => {
  it('leaves by each once for every item, in order, then by done with $item and the memo as before', () =>
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 12 }),
        fc.option(fc.integer(), { nil: undefined }),
        (list, around) => {
          const plain = JSON.parse(JSON.stringify(list)) as Json[];
          expect(loop(plain, around)).toEqual({ items: plain, after: around, memo: null });
        },
      ),
    ));

  it('iterates over the list of its first visit, whatever the body does to it', () => {
    const first = visit(forEach, { config, variables: { $context: { list: ['a', 'b'] } } });
    const memo = first.outcome.kind === 'leave' ? (first.outcome.memo ?? null) : null;
    const second = visit(forEach, { config, variables: { $context: { list: [] } }, memo });
    expect(second.writes).toEqual({ $item: 'b' });
  });

  it('accepts a constant list', () => {
    expect(visit(forEach, { config: { items: [1, '{{$context.a}}'] }, variables: { $context: { a: 2 } } }).writes).toEqual({ $item: 1 });
  });

  it('goes through at most 200 items', () => {
    expect([199, 200].map((count) => loop(many(count)).items.length)).toEqual([199, 200]);
    expect(() => loop(many(201))).toThrow('The list has 201 items');
    expect([200, 201].map((count) => forEach.config.safeParse({ items: many(count) }).success)).toEqual([true, false]);
  });

  it.each([['abc'], [1], [null], [{ a: 1 }]])('fails for %j, which is no list', (list) => {
    expect(() => loop(list)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    expect(forEach.config.safeParse({ items: list }).success).toBe(false);
  });

  it.each(['{{', 'all of {{$context.list}}', '{{$context.list}}{{$context.list}}'])(
    'refuses the text %j, which never becomes a list (P15)',
    (items) => {
      expect(forEach.config.safeParse({ items }).success).toBe(false);
    },
  );
});
