import { describe, expect, it } from 'vitest';
import { checkJson } from './check-json.ts';

const door = 'packages/server/src/webhooks/read-body.ts';
const listed = 'packages/stores/src/rows.ts';

describe('the check of JSON from outside', () => {
  it.each(['JSON.parse(body)', 'lines.map(JSON.parse)', 'JSON\n.parse(body)', 'await answer.json()', 'c.req.json()'])(
    'refuses %s',
    (parses) => {
      expect(checkJson(door, `const a = ${parses};`)).toEqual([
        expect.stringMatching(/^packages\/server\/src\/webhooks\/read-body\.ts:1: [^]* use parseJsonText of @hilo\/engine\/contract$/),
      ]);
    },
  );

  it.each([
    'parseJsonText(body)',
    'c.json({ a: 1 })',
    'Json.parse(value)',
    '"JSON.parse(body)"',
    '1 // JSON.parse(body)',
    'schema.json',
    'delivery.json()',
  ])('accepts %s', (text) => {
    expect(checkJson(door, `const a = ${text};`)).toEqual([]);
  });

  it('accepts what a listed file parses, and names one that is listed for nothing', () => {
    expect(checkJson(listed, 'const a = JSON.parse(row);')).toEqual([]);
    expect(checkJson(listed, 'const a = 1;')).toEqual([expect.stringContaining('take it from the list')]);
  });
});
