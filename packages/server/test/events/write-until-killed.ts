// A process that takes messages of a company with a subscription until it is killed: `node write-until-killed.ts DIRECTORY`.
import { openService } from '../../src/service/open-service.ts';
import { settingsFor } from '../data/settings.ts';
import { silent } from './stage.ts';

const [, , directory = ''] = process.argv;
const service = await openService(settingsFor(directory), { log: silent });
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  bots: [{ id: 'bot_web', name: 'Web', channel: 'web', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
};
await service.importWorkspace({ workspace: { companies: [company] } });
const known = (await service.subscriptions?.all('1')) ?? [];
// Paused: what is told stays in the store.
if (known.length === 0)
  await service.subscriptions?.add('1', { url: 'https://example.com/hook', events: ['message.received'], paused: true });
process.stdout.write('ready\n');
const prefix = `${process.pid}-${Date.now()}`;
for (let number = 0; ; number += 1) {
  const id = `${prefix}-${number}`;
  const user = { id: `user${number % 7}` };
  await service.engine.receiveMessage({ companyId: '1', botId: 'bot_web', eventId: id, user, message: { type: 'text', text: 'hi', id } });
  process.stdout.write('taken\n');
}
