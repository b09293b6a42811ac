// An export of a company with many of everything: complete, in its order, and with turns for others between its pages.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { withPlace } from './open-for-test.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(5, '0'));
const at = '2026-01-10T00:00:00.000Z';

/** More of each than a page, as much as one, and one more than two. */
const companyOf = (id: number, [users, recipients, rooms, conversations]: readonly [number, number, number, number]) => ({
  id,
  name: `Company ${id}`,
  plan: 'growth',
  bots: [{ id: `bot_${id}`, name: 'WA', channel: 'whatsapp', connectedAt: at, provider: { kind: 'log' } }],
  templates: [
    { id: 'promo', botId: `bot_${id}`, elementName: 'promo', language: 'en', category: 'MARKETING', status: 'APPROVED', body: 'Hi {{1}}' },
  ],
  operators: [{ id: 7, names: 'Olga', email: 'olga@example.com', teamIds: [] }],
  tags: [{ id: 1, name: 'VIP', color: '#7c3aed', textColor: '#ffffff', language: 'en', teams: [], channels: ['whatsapp'] }],
  users: many(users).map((number) => ({ id: `519440${number}`, names: `Ana ${number}`, lastMessageAt: { [`bot_${id}`]: at } })),
  campaigns: ['one', 'two'].map((name) => ({
    id: `${name}_${id}`,
    name,
    botId: `bot_${id}`,
    templateId: 'promo',
    elementName: 'promo',
    status: 'COMPLETED',
    createdAt: at,
    recipients: many(recipients).map((number) => ({ userId: `519550${number}`, parameters: { '1': name } })),
  })),
  rooms: many(rooms).map((number) => ({ id: `room_${id}_${number}`, botId: `bot_${id}`, userId: `519660${number}`, tags: [1] })),
  conversations: many(conversations).map((number) => ({
    _id: `case_${id}_${number}`,
    botId: `bot_${id}`,
    userId: `519770${number}`,
    operatorId: 7,
    state: 'resolved',
    endedReason: 'done',
    startAt: at,
    endAt: at,
  })),
});

type Company = ReturnType<typeof companyOf>;
const named = ({ users, campaigns, rooms, conversations }: Company) => ({ users, campaigns, rooms, conversations });

it(
  'has everything once, in its order, and others have their turn meanwhile',
  withPlace(async ({ open }) => {
    const service = await open();
    const companies = [companyOf(1, [1_001, 500, 501, 499]), companyOf(2, [499, 501, 500, 1_000])];
    await service.importWorkspace({ workspace: { companies } });
    let [turns, isOver] = [0, false];
    const others = async (): Promise<void> => {
      for (; !isOver; turns += 1) await turn();
    };
    const served = others();
    const answer = await createManagement(service).request('/workspace');
    const text = await answer.text();
    isOver = true;
    await served;
    const exported = JSON.parse(text) as { readonly companies: readonly Company[] };
    expect(exported).toEqual(JSON.parse(JSON.stringify(await service.exportWorkspace())));
    for (const [index, company] of companies.entries()) expect(exported.companies[index]).toMatchObject(named(company));
    expect(exported.companies.map((company) => Object.values(named(company)).map((all) => all.length))).toEqual(
      companies.map((company) => Object.values(named(company)).map((all) => all.length)),
    );
    expect(turns).toBeGreaterThan(15);
  }),
);
