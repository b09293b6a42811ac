// Who else has a workflow open is told by person.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listOthers } from './list-others.ts';

const names = ['user ana', 'user ana+0123456789abcdef', 'operator ana', 'token ci', 'admin session', 'admin token', 'operator'];
const isCommon = (name: string): boolean => ['admin session', 'admin token', 'operator'].includes(name);
const page = fc.record({
  tab: fc.nat({ max: 30 }).map((at) => `tab-${at}`),
  name: fc.constantFrom(...names),
  nodeId: fc.option(fc.constantFrom('hello', 'done'), { nil: undefined }),
});

it('names each person once, where they were seen last, and never the one who asks: whoever shares a name with others is there by page', () => {
  fc.assert(
    fc.property(fc.uniqueArray(page, { selector: ({ tab }) => tab, maxLength: 20 }), page, (pages, asking) => {
      const told = listOthers(pages, asking);
      const others = pages.filter(({ tab }) => tab !== asking.tab);
      for (const name of names) {
        const own = others.filter((one) => one.name === name).map(({ nodeId = null }) => nodeId);
        const expected = isCommon(name) ? own : name === asking.name ? [] : own.slice(0, 1);
        expect(told.filter((one) => one.name === name).map(({ nodeId }) => nodeId)).toEqual(expected);
      }
      expect(told.map(({ name }) => name)).toEqual(told.map(({ name }) => name).toSorted());
    }),
  );
});
