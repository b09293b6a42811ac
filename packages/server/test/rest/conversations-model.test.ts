import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withPlace } from '../data/open-for-test.ts';
import { besideModel } from './conversations-beside.ts';
import { step, teamNames } from './conversations-model.ts';
import { deskOf, helpDesk } from './conversations-stage.ts';

const nina = { id: 12, names: 'Nina', email: 'nina@acme.test', teamIds: [6] };
const changes = {
  '/companies/0/workflows': [],
  '/companies/0/teams/-': { id: 6, name: teamNames.get(6) ?? '' },
  '/companies/0/operators/-': nina,
};

describe('operators at work', () => {
  it(
    'leave the records and figures of a naive model, for any actions (CON-11 to CON-19, STA-04 to STA-09)',
    withPlace(async ({ open, clock }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk({}, changes) });
      const beside = besideModel(deskOf(service), clock);
      for (const [index, next] of fc.sample(step, 300).entries()) {
        await beside.does(next);
        if (index % 20 !== 19) continue;
        const { shown, expected } = await beside.looks();
        expect(shown).toMatchObject(expected);
      }
    }),
  );
});
