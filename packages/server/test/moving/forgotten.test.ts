// A company that is forgotten where it was: who could reach it does not reach the one that gets its id later.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '@hilo/testing';
import { expect, it } from 'vitest';
import { createAccounts } from '../../src/access/accounts.ts';
import { performMove } from '../../src/tenants/moving/move-files.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { runtimeOfTests } from '../data/runtime.ts';

it.skipIf(runtimeOfTests === 'restate')(
  'is out of the reach of tokens and users, whose other companies and roles stay',
  withPlace(async (place) => {
    const service = await place.open({ secretKey: Buffer.alloc(32, 7).toString('base64') });
    await service.importWorkspace({ workspace: await inlineExample() });
    const { store, clock, log } = service;
    const accounts = createAccounts({ store, clock, log, random: seededRandom(1), seen: { note: () => undefined } });
    const alone = await accounts.addToken('alone', { roles: ['editor'], companies: ['1'] });
    const both = await accounts.addToken('both', { roles: ['viewer'], companies: ['1', '2'] });
    const each = [
      { roles: ['editor'], companies: ['1'] },
      { roles: ['viewer'], companies: ['2', '11'] },
    ] as const;
    await accounts.saveUser('ana', { roles: ['editor', 'viewer'], companies: ['1', '2', '11'], grants: each });
    await accounts.saveUser('eva', { roles: ['editor'], companies: 'all' });

    const move = async (command: Parameters<typeof performMove>[1]): Promise<void> => {
      let isOver = false;
      const moving = performMove(service.moves, command).finally(() => (isOver = true));
      while (!isOver) {
        place.clock.advanceBy(100);
        await setImmediate();
      }
      await moving;
    };
    await move({ do: 'out', companyId: '1', file: join(place.directory, 'company') });
    const reachOf = async (token: string) => (await accounts.ofToken(token))?.reach;
    expect(await reachOf(both.token)).toEqual(new Set(['1', '2'])); // until then the move may be called off
    await move({ do: 'forget', companyId: '1' });

    expect(await reachOf(alone.token)).toEqual(new Set());
    expect(await reachOf(both.token)).toEqual(new Set(['2']));
    expect(await accounts.user('ana')).toMatchObject({
      companies: ['2', '11'],
      grants: [
        { roles: ['editor'], companies: [] },
        { roles: ['viewer'], companies: ['2', '11'] },
      ],
    });
    expect(await accounts.user('eva')).toMatchObject({ companies: 'all', roles: ['editor'] });
  }),
);
