// The record of acts in words: each act that management puts on record has them, in both languages.
import { createClient } from '@hilo/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { actsOf, changedFacts } from './audit-acts.ts';
import { auditWords, knownActs } from './audit-words.ts';

it('every act of management has words, in English and in Spanish', async () => {
  const acts = await managementActs();
  expect(acts.length).toBeGreaterThan(60);
  expect(acts.filter((act) => !knownActs.includes(act))).toEqual([]);
  expect(Object.keys(auditWords.en).filter((key) => (auditWords.en[key] ?? '') === '' || (auditWords.es[key] ?? '') === '')).toEqual([]);
});

/** The operations below management that do not only read, as the client calls them: each is on record. */
async function managementActs(): Promise<readonly string[]> {
  let asked = '';
  const client = createClient({
    baseUrl: 'https://bots.example',
    fetch: async (address, how) => {
      asked = `${how?.method} ${address instanceof Request ? address.url : address.toString()}`;
      return Response.json({});
    },
  });
  const anything = new Proxy({}, { get: () => 'x', has: () => true });
  const found: string[] = [];
  for (const [name, call] of Object.entries(client)) {
    await (call as (request: object) => Promise<unknown>)({ path: anything }).catch(() => undefined);
    if (asked.includes('/admin/v1/') && !asked.startsWith('GET')) found.push(name);
  }
  return found;
}

it('an act is shown once, with its outcome where there is one', () => {
  const row = (requestId: string, outcome: string) => ({ requestId, action: 'saveWorkflow', outcome });
  const request = fc.record({ requestId: fc.uuid(), outcome: fc.option(fc.constantFrom('200', '409', 'reported')) });
  fc.assert(
    fc.property(fc.uniqueArray(request, { selector: ({ requestId }) => requestId }), fc.nat(), (requests, cut) => {
      const rows = requests.flatMap(({ requestId, outcome }) => [
        ...(outcome === null ? [] : [row(requestId, outcome)]),
        row(requestId, 'asked'),
      ]);
      expect(actsOf(rows)).toEqual(requests.map(({ requestId, outcome }) => row(requestId, outcome ?? 'asked')));
      const page = rows.slice(cut % (rows.length + 1)); // a page that begins between the two rows of an act shows it, too
      expect(new Set(actsOf(page).map(({ requestId }) => requestId))).toEqual(new Set(page.map(({ requestId }) => requestId)));
    }),
  );
});

it.for([
  [{ revision: 1 }, { revision: 2 }, [{ name: 'revision', from: 1, to: 2 }]],
  [
    { hash: 'a' },
    { hash: 'a', revision: 2 },
    [
      { name: 'hash', from: undefined, to: 'a' },
      { name: 'revision', from: undefined, to: 2 },
    ],
  ],
  [{ folder: 'Sales' }, {}, [{ name: 'folder', from: 'Sales', to: null }]],
  [{ roles: ['viewer'] }, null, [{ name: 'roles', from: undefined, to: ['viewer'] }]],
  [null, null, []],
] as const)('the facts %j and %j are told by what changed', ([before, after, told]) => {
  expect(changedFacts(before, after)).toEqual(told);
});
