// Names and short texts that one person types and another reads, at every door: what nobody sees is refused in words, or left out of what
// somebody is called who is not there to be refused.
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';

const ofEditor = { roles: ['editor'], companies: ['1'] };
const campaign = (name: string) => ({ name, botId: 'bot_wa', templateId: 'payment_reminder', audience: { users: ['51999000111'] } });
const company = '/companies/1';
const workflow = '/workflows/order-status';
const where = '?companyId=1';

type Row = readonly [what: string, method: string, path: (name: string) => string, body: (name: string) => object];
const names: readonly Row[] = [
  ['an admin token', 'POST', () => '/tokens', (name) => ({ name, ...ofEditor })],
  ['a user of the service', 'PUT', (name) => `/users/${encodeURIComponent(name)}`, () => ofEditor],
  ['a company', 'PUT', () => company, (name) => ({ name, plan: 'enterprise' })],
  [
    'a bot',
    'PUT',
    () => `${company}/bots/b9`,
    (name) => ({ name, channel: 'web', connectedAt: '2031-01-01T00:00:00Z', provider: { kind: 'log' } }),
  ],
  ['a team', 'PUT', () => `${company}/teams/99`, (name) => ({ name })],
  ['an operator', 'PUT', () => `${company}/operators/99`, (names_) => ({ names: names_, email: 'a@b.example' })],
  ['a tag', 'PUT', () => `${company}/tags/99`, (name) => ({ name, color: '#000000', textColor: '#ffffff', language: 'en' })],
  ['a campaign', 'POST', () => `${company}/campaigns`, campaign],
  ['a segment', 'PUT', (name) => `${company}/segments/${encodeURIComponent(name)}`, () => ({ condition: 'user.consent == "granted"' })],
  ['a group', 'PUT', (name) => `${company}/groups/${encodeURIComponent(name)}/contacts/phone:51999000111`, () => ({})],
  ['a folder', 'PUT', () => `${workflow}/folder${where}`, (folder) => ({ folder })],
  ['a node somebody is at', 'PUT', () => `${workflow}/authors/tab-of-ana${where}`, (nodeId) => ({ nodeId })],
];
const texts: readonly Row[] = [
  ['a comment', 'POST', () => `${workflow}/comments${where}`, (text) => ({ text })],
  ['a note of a version', 'POST', () => `${workflow}/publish${where}`, (note) => ({ note })],
];

describe('what one person types and another reads', () => {
  it(
    'holds nothing that nobody sees, at any door',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const app = createApp(service);
      const ask = async (method: string, path: string, body: object) => {
        const headers = { authorization: `Bearer ${service.settings.adminToken}`, 'content-type': 'application/json' };
        const answer = await app.request(`http://hilo.test/admin/v1${path}`, { method, headers, body: JSON.stringify(body) });
        return { status: answer.status, text: await answer.text() };
      };
      const isRefused = async ([what, method, path, body]: Row, name: string): Promise<void> => {
        const { status, text } = await ask(method, path(name), body(name));
        expect([what, JSON.stringify(name), status, status === 422 || text.includes('U+')]).toEqual([
          what,
          JSON.stringify(name),
          422,
          true,
        ]);
      };
      for (const row of names) {
        for (const sign of [
          '\u202e',
          '\u200b',
          '\u2066',
          '\u009b',
          '\u0007',
          '\u00ad',
          '\u200d',
          '\u2028',
          '\u3164',
          '\ufeff',
          '\u{e0061}',
        ])
          await isRefused(row, `ad${sign}min`);
        const [what, method, path, body] = row;
        const { status } = await ask(method, path('Ana'), body('Ana'));
        expect([what, status]).not.toEqual([what, 422]);
      }
      for (const row of texts) for (const sign of ['\u202e', '\u001b[2J']) await isRefused(row, `fine\n${sign}enif`);

      const names_ = 'Ana\u202e\n\u200bMaría 👩‍⚕️\u0007';
      for (const [method, path] of [
        ['PUT', 'users/51999000111'],
        ['PATCH', 'contacts/phone:51999000111'],
        ['PUT', 'contacts/phone:51999000111'],
      ] as const)
        expect((await ask(method, `${company}/${path}`, { names: names_ })).text).toContain('"names":"Ana María 👩‍⚕️"');
    }),
  );
});
