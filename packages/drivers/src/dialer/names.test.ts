import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNames } from './names.ts';

/** Answers that come when the test says so. */
function stage() {
  const asked: string[] = [];
  const open = new Map<string, PromiseWithResolvers<readonly string[]>>();
  let atOnce = 0;
  let most = 0;
  const ask = async (where: string, name: string): Promise<readonly string[]> => {
    const key = `${where} ${name}`;
    asked.push(key);
    const answer = Promise.withResolvers<readonly string[]>();
    open.set(key, answer);
    if (where === 'system' && name.startsWith('strange')) most = Math.max(most, (atOnce += 1));
    try {
      return await answer.promise;
    } finally {
      if (where === 'system' && name.startsWith('strange')) atOnce -= 1;
    }
  };
  return {
    asked,
    most: () => most,
    answer: (key: string, addresses: readonly string[]) => open.get(key)?.resolve(addresses),
    fail: (key: string) => open.get(key)?.reject(new Error(key)),
    names: createNames({ askSystem: (name) => ask('system', name), askServers: (name) => ask('servers', name) }),
  };
}

const { signal } = new AbortController();
const strange = { isListed: false, signal };

/** Lets every answer that has come arrive. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Why there is no answer. */
const why = (lookup: Promise<unknown>): Promise<string> => lookup.then(() => 'answered', String);

describe('names', () => {
  it('that never answer hold up no other: beside them the name servers are asked, and listed ones ask the system (P23, P24)', async () => {
    const { names, asked, answer, most } = stage();
    for (const slow of [1, 2, 3]) void names(`strange-slow-${slow}`, strange).catch(() => undefined);
    const good = names('strange-good', strange);
    const listed = names('listed', { isListed: true, signal });
    answer('servers strange-good', ['1.1.1.1']);
    answer('system listed', ['127.0.0.1']);
    expect([await good, await listed]).toEqual([['1.1.1.1'], ['127.0.0.1']]);
    expect(asked).toEqual([
      'system strange-slow-1',
      'servers strange-slow-2',
      'servers strange-slow-3',
      'servers strange-good',
      'system listed',
    ]);
    expect(most()).toBe(1);
  });

  it('that only the system knows, such as those of its file of hosts, are found in turn', async () => {
    const { names, asked, answer, fail } = stage();
    const [first, second] = ['strange-1', 'strange-2'].map((name) => names(name, strange));
    const third = why(names('strange-3', strange));
    answer('servers strange-2', []);
    fail('servers strange-3');
    answer('system strange-1', ['1.1.1.1']);
    await turn();
    answer('system strange-2', ['2.2.2.2']);
    await turn();
    fail('system strange-3');
    expect([await first, await second]).toEqual([['1.1.1.1'], ['2.2.2.2']]);
    expect(await third).toBe('Error: system strange-3'); // the system says why, as it does for a name that comes alone
    expect(asked.filter((key) => key.startsWith('system')).length).toBe(3);
  });

  it('for which nobody waits take no turn', async () => {
    const { names, asked, answer } = stage();
    const leaving = new AbortController();
    const first = names('strange-1', strange);
    const left = why(names('strange-2', { isListed: false, signal: leaving.signal }));
    const gone = why(names('strange-3', { isListed: false, signal: AbortSignal.abort() }));
    const last = names('strange-4', strange);
    leaving.abort();
    for (const key of ['servers strange-2', 'servers strange-3', 'servers strange-4']) answer(key, []);
    answer('system strange-1', ['1.1.1.1']);
    await turn();
    answer('system strange-4', ['4.4.4.4']);
    const unwanted = 'Error: Nobody waits for this name any more';
    expect([await left, await gone]).toEqual([unwanted, unwanted]);
    expect([await first, await last]).toEqual([['1.1.1.1'], ['4.4.4.4']]);
    expect(asked.filter((key) => key.startsWith('system'))).toEqual(['system strange-1', 'system strange-4']);
  });

  it('are all answered, whatever comes when, and at most one strange name at a time is the system’s', async () => {
    const step = fc.record({ who: fc.nat(5), where: fc.constantFrom('system', 'servers'), how: fc.constantFrom('some', 'none', 'fails') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { names, asked, answer, fail, most } = stage();
        const lookups = Array.from({ length: 6 }, (_, n) => names(`strange-${n}`, strange).catch(() => 'failed'));
        for (const { who, where, how } of steps) {
          if (how === 'fails') fail(`${where} strange-${who}`);
          else answer(`${where} strange-${who}`, how === 'some' ? ['1.1.1.1'] : []);
          await turn();
        }
        for (let n = 0; n < 6; n += 1) {
          for (const key of asked) answer(key, []);
          await turn();
        }
        expect((await Promise.all(lookups)).length).toBe(6);
        expect(most()).toBe(1);
      }),
      { numRuns: 60 },
    );
  });
});
