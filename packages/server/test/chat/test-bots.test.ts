// A bot for tests: what is written to it is answered by the drafts of its company, beside a bot that answers with what is published.
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restStage, type RestStage } from '../rest/rest-stage.ts';
import { chatApp, chatWorkspace, openBrowser } from './chat-stage.ts';

let stage: RestStage;
let ask: Awaited<ReturnType<typeof chatApp>>;
beforeAll(async () => {
  stage = await restStage();
  ask = await chatApp(stage.service);
  const [company = {}] = chatWorkspace()['companies'] as readonly JsonObject[];
  const [help, ...bots] = company['bots'] as readonly JsonObject[];
  const trial = { ...help, id: 'trial', settings: { environment: 'test' } };
  const settings = { shop: 'live', both: 'same', test: { shop: 'test' } };
  await stage.service.importWorkspace({ workspace: { companies: [{ ...company, settings, bots: [help ?? {}, ...bots, trial] }] } });
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Says one text and ends. */
const saying = (id: string, text: string, start: JsonObject): JsonObject => ({
  schemaVersion: 1,
  id,
  name: id,
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: start },
    { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});

async function admin(method: string, path: string, body?: unknown): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${stage.service.settings.adminToken}`, 'content-type': 'application/json' };
  const response = await ask(`/admin/v1/${path}${path.startsWith('companies') ? '' : '?companyId=1'}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as JsonObject) };
}

/** The answer of a bot to somebody new. */
async function answerOf(botId: string, text: string): Promise<string | undefined> {
  const visitor = await openBrowser(ask, botId);
  await visitor.say(text);
  const reader = await visitor.events();
  const [, answer] = await reader.messages(2);
  await reader.cancel();
  return answer?.message.text;
}

describe('a bot for tests', () => {
  it('answers with the drafts as they are saved then, with settings of tests; other bots with what is published', async () => {
    const settings = '{{$company.settings.shop}} {{$company.settings.both}}';
    expect(await admin('PUT', 'workflows/sale', saying('sale', `One ${settings}`, { keywords: ['sale'] }))).toMatchObject({ status: 200 });
    expect([await answerOf('trial', 'sale'), await answerOf('help', 'sale')]).toEqual(['One test same', 'You said sale']);
    await admin('PUT', 'workflows/sale', saying('sale', `Two ${settings}`, { keywords: ['sale', 'offer'] }));
    expect([await answerOf('trial', 'offer'), await answerOf('help', 'offer')]).toEqual(['Two test same', 'You said offer']);
    await admin('POST', 'workflows/sale/publish', {});
    await admin('PUT', 'workflows/sale', saying('sale', 'Three', { keywords: ['sale'] }));
    expect([await answerOf('trial', 'sale'), await answerOf('help', 'sale')]).toEqual(['Three', 'Two live same']);
    // A draft that is published and unchanged answers too.
    expect([await answerOf('trial', 'offer'), await answerOf('help', 'hello')]).toEqual(['You said offer', 'You said hello']);
  });

  it('is what a test of a draft reads, too: the studio is told the settings of tests', async () => {
    expect(await admin('GET', 'references')).toMatchObject({ status: 200, settings: { shop: 'test', both: 'same' } });
  });

  it('leaves out drafts that are archived', async () => {
    await admin('PUT', 'workflows/old', saying('old', 'Old', { keywords: ['old'] }));
    expect(await answerOf('trial', 'old')).toBe('Old');
    await admin('POST', 'workflows/old/archive', {});
    expect(await answerOf('trial', 'old')).toBe('You said old');
  });

  it('is told of by the overview, with the drafts that answer', async () => {
    await admin('PUT', 'workflows/new', saying('new', 'New', { keywords: ['never published'] }));
    const { bots } = (await admin('GET', 'companies/1/overview')) as { readonly bots?: readonly JsonObject[] };
    const found = (bots ?? []).map(({ id, environment, answers }) => [
      id,
      environment,
      JSON.stringify(answers).includes('"never published"'),
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['trial', 'test', true],
        ['help', 'live', false],
      ]),
    );
  });
});
