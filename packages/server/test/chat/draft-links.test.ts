// A draft that is tried by a link: who comes by it talks to the draft, and to nothing that is published.
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restStage, type RestStage } from '../rest/rest-stage.ts';
import { type Browser, chatApp, openBrowser } from './chat-stage.ts';

let stage: RestStage;
let ask: Awaited<ReturnType<typeof chatApp>>;
beforeAll(async () => {
  stage = await restStage();
  ask = await chatApp(stage.service);
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Says one text and ends; its start takes one keyword alone. */
const draftOf = (id: string, text: string): JsonObject => ({
  schemaVersion: 1,
  id,
  name: id,
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['sale'] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});

const admin = async (method: string, path: string, body: unknown): Promise<{ readonly status: number; readonly body: JsonObject }> => {
  const { adminToken } = stage.service.settings;
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const response = await ask(`/admin/v1/${path}?companyId=1`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as JsonObject };
};
const save = (id: string, text: string) => admin('PUT', `workflows/${id}`, draftOf(id, text));
const linkTo = (id: string, botId = 'help') => admin('POST', `workflows/${id}/draft-links`, { botId });
const tokenIn = ({ body }: Awaited<ReturnType<typeof linkTo>>): string =>
  JSON.stringify(body['path']).slice(1, -1).split('#draft=')[1] ?? '';

const openBy = (draft: unknown, botId = 'help') => ask(`/chat/${botId}/session`, { method: 'POST', body: JSON.stringify({ draft }) });
/** A browser that came by a link. */
async function comeBy(draft: string): Promise<Browser> {
  const { token } = (await (await openBy(draft)).json()) as { readonly token: string };
  return openBrowser(ask, 'help', token);
}
const textOf = async (visitor: Browser, at: number): Promise<string | undefined> => {
  const reader = await visitor.events();
  const seen = await reader.messages(at + 1);
  await reader.cancel();
  return seen[at]?.message.text;
};

describe('a link to a draft', () => {
  it('lets who comes by it talk to the draft as it is saved then, again and again; others meet what is published', async () => {
    await save('new', 'First: {{$message.text}}');
    const link = await linkTo('new');
    expect(link).toMatchObject({ status: 200, body: { path: expect.stringMatching(/^\/chat\/help#draft=[\w-]+\.[\w-]{22}$/) as string } });
    const visitor = await comeBy(tokenIn(link));
    await visitor.say('anything at all');
    expect(await textOf(visitor, 1)).toBe('First: anything at all');
    await save('new', 'Second: {{$message.text}}');
    await visitor.say('sale');
    expect(await textOf(visitor, 3)).toBe('Second: sale');
    // Another message once it has ended does not meet the bot as it is published.
    await visitor.say('hello');
    expect(await textOf(visitor, 5)).toBe('Second: hello');
    const other = await openBrowser(ask);
    await other.say('sale');
    expect(await textOf(other, 1)).toBe('You said sale');
  });

  it('ends its sessions with itself, and is of one bot', async () => {
    await save('short', 'Hi');
    const draft = tokenIn(await linkTo('short'));
    const opened = (await (await openBy(draft)).json()) as { readonly token: string; readonly expiresAt: string };
    const endsAtMs = Date.parse(opened.expiresAt);
    expect(endsAtMs - stage.clock.now()).toBeLessThanOrEqual(3_600_000);
    const headers = { authorization: `Bearer ${opened.token}` };
    const again = (await (await ask('/chat/help/session', { method: 'POST', headers })).json()) as { readonly expiresAt: string };
    expect(Date.parse(again.expiresAt)).toBe(endsAtMs); // renewed, it ends when it would have
    expect((await openBy(draft, 'shop')).status).toBe(401);
    expect((await openBy(draft, 'other')).status).toBe(401);
    stage.clock.advanceTo(stage.clock.now() + 3_600_001);
    expect((await openBy(draft)).status).toBe(401);
  });

  it('is to the chat of the first bot that has one, where none is named', async () => {
    expect(await admin('POST', 'workflows/echo/draft-links', {})).toMatchObject({
      status: 200,
      body: { botId: expect.any(String) as string },
    });
  });

  it.each<[string, unknown, number]>([
    ['no token', '', 401],
    ['another text', 'MTIzNDU.aaaaaaaaaaaaaaaaaaaaaa', 401],
    ['a number', 7, 400],
    ['a token that is too long', 'x'.repeat(2_049), 400],
  ])('is refused for %s', async (_what, draft, status) => {
    expect((await openBy(draft)).status).toBe(status);
  });

  it.each<[string, string, JsonObject, number]>([
    ['a workflow that is not there', 'none', { botId: 'help' }, 404],
    ['a bot that is not there', 'echo', { botId: 'none' }, 404],
    ['a bot without a web chat', 'echo', { botId: 'silent' }, 409],
    ['a bot that is a number', 'echo', { botId: 7 }, 422],
  ])('is not made for %s', async (_what, id, body, status) => {
    expect((await admin('POST', `workflows/${id}/draft-links`, body)).status).toBe(status);
  });
});
