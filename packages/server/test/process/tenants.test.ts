import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { type Answer, accepted, type Caller, callerOf, keys } from './caller.ts';
import { openPlace } from './place.ts';
import { addressesOf, credentialFor, type Ids, idsIn, type Owner, questions, waysToAsk } from './tenants/addresses.ts';
import { otherCompany } from './tenants/other-company.ts';

/** Every route with an id, as listed by the app itself. */
const routesWithIds = async (): Promise<readonly string[]> => {
  const routes = new Set<string>();
  await withPlace(async ({ open }) => {
    for (const { method, path } of createApp(await open({}, { runs: false })).routes)
      if (idsIn(path).length > 0) for (const verb of method === 'ALL' ? ['GET', 'POST'] : [method]) routes.add(`${verb} ${path}`);
  })();
  return [...routes];
};

/** An answer without the requested id, and without what differs between requests. */
const seen = ({ status, headers, text }: Answer, ids: readonly string[]) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name))),
  text: ids
    .reduce((left, id) => left.replaceAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), '<id>'), text)
    .replace(/"generatedAt":"[^"]*"/, ''),
});

/** Data of the first company, to be found in an answer or changed by a request. */
async function stateOf(caller: Caller, { executionId, conversationId }: Ids): Promise<unknown> {
  const headers = { authorization: credentialFor.acme.basic };
  const look = async (path: string) => (await caller.call(`GET ${path}`, { headers })).body;
  return {
    execution: await caller.execution(executionId),
    executions: (await caller.executions('1')).length,
    messages: await Promise.all(['bot_wa', 'bot_web', 'bot_slack'].map((botId) => caller.messages(botId))),
    campaigns: await look('/v1/campaigns'),
    room: await look('/v1/rooms/room_ana'),
    workflows: await look('/admin/v1/workflows?companyId=1'),
    tokens: await look('/admin/v1/functions/fn_echo/tokens?companyId=1'),
    conversation: { ...((await look(`/admin/v1/conversations/${conversationId}?companyId=1`)) as object), conversationDuration: 'grows' },
  };
}

/** Starts an execution, and sends a message by it. */
async function idsOf(caller: Caller, path: string, key: string, companyId: string, botId: string) {
  const invoice = { user: { id: '5215512345678' }, number: 'F-1', amount: '10' };
  const { executionId } = accepted(await caller.hook(path, invoice, { 'x-api-key': key }));
  expect(await caller.settled(executionId, companyId)).toMatchObject({ status: 'waiting' });
  const [message] = await caller.messages(botId, '5215512345678');
  return { executionId, messageId: message?.messageId ?? '' };
}

describe('the ids of a company (P28, GEN-08)', () => {
  it('are unknown to the credentials of another, on every route with an id', async () => {
    const routes = await routesWithIds();
    expect(routes.length).toBeGreaterThan(30);
    using place = openPlace(changed(await inlineExample(), { '/companies/1': otherCompany }));
    await using service = await place.start();
    const caller = callerOf(service.url);
    const owners: Owner = {
      acme: { ...questions.acme, ...(await idsOf(caller, 'payment-reminder/whatsapp/wh1', keys.acme, '1', 'bot_wa')) },
      other: { ...questions.other, ...(await idsOf(caller, 'own/whatsapp/own-hook', keys.other, '2', 'bot_c2')) },
      nobody: questions.nobody,
    };
    const transcript = '/admin/v1/workflows/payment-reminder/transcripts/1?companyId=1';
    expect((await caller.call(`PUT ${transcript}`, { body: 'user: hi', headers: { 'content-type': 'text/plain' } })).status).toBe(200);
    // The ids are real: who they belong to is answered. A function is called by POST alone.
    for (const route of routes.filter((name) => name.startsWith('GET ') && name !== 'GET /functions/:functionId'))
      for (const { request, options } of addressesOf(route, owners.acme, 'acme')) {
        const { status } = await caller.call(request, options);
        expect({ request, isThere: status !== 404 }).toEqual({ request, isThere: true });
      }

    const before = await stateOf(caller, owners.acme);
    const differing: object[] = [];
    let compared = 0;
    for (const { what, ids, theirs, unknown } of waysToAsk(routes, owners)) {
      const [asked, never] = [await caller.call(theirs.request, theirs.options), await caller.call(unknown.request, unknown.options)];
      const [first, second] = [seen(asked, ids.theirs), seen(never, ids.unknown)];
      if (JSON.stringify(first) !== JSON.stringify(second)) differing.push({ what, theirs: first, unknown: second });
      compared += 1;
    }
    expect(differing).toEqual([]);
    expect(compared).toBeGreaterThan(routes.length);
    expect(await stateOf(caller, owners.acme)).toEqual(before);
  });
});
