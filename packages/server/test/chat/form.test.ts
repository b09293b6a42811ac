/** Forms in the web chat: the fields reach the page, values come back typed, and faults are named beside their fields. */
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restStage, type RestStage } from '../rest/rest-stage.ts';
import { type Browser, chatApp, openBrowser } from './chat-stage.ts';

let stage: RestStage;
let ask: Awaited<ReturnType<typeof chatApp>>;
beforeAll(async () => {
  stage = await restStage();
  const example = await readFile(new URL('../../../../examples/canvases/apply.json', import.meta.url), 'utf8');
  ask = await chatApp(stage.service, JSON.parse(example) as JsonObject);
});
afterAll(() => stage[Symbol.asyncDispose]());

const send = async (visitor: Browser, id: string, of: string, values: unknown) => {
  const response = await visitor.call('messages', { method: 'POST', body: JSON.stringify({ id, type: 'form', of, values }) });
  return { status: response.status, body: (await response.json()) as JsonObject };
};

describe('a form in the web chat', () => {
  it('is drawn from its fields, and offered again with its faults until it is filled in', async () => {
    const visitor = await openBrowser(ask);
    const reader = await visitor.events();
    await visitor.say('apply');
    const [, offer] = await reader.messages(2);
    expect(offer?.message).toMatchObject({
      type: 'flow',
      parameters: { form: { submit: 'Fill in', fields: { age: { label: 'Your age' } } } },
    });
    expect(await send(visitor, 'form-0001', offer?.messageId ?? '', { age: '17', plan: 'Full' })).toMatchObject({
      status: 200,
      // A form may be quicker than the commit that opens its question: then it is kept for it.
      body: { outcome: expect.stringMatching(/^(?:resumed|queued)$/) as string },
    });
    const [mine, again] = await reader.messages(2);
    expect(mine?.message).toMatchObject({ type: 'flow', response: { age: '17', plan: 'Full', flow_token: offer?.messageId } });
    expect(again?.message).toMatchObject({
      text: '"Your age" must be 18 or more.',
      parameters: { form: { problems: [{ field: 'age' }] } },
    });
    await send(visitor, 'form-0002', again?.messageId ?? '', { age: '33', plan: 'Full', more: 'x' });
    const [, done] = await reader.messages(2);
    expect(done?.message).toMatchObject({ text: '33 Full' });
    await reader.cancel();
  });

  it.each<[string, unknown, unknown]>([
    ['no message that it belongs to', '', {}],
    ['no values', 'm', undefined],
    ['a list of values', 'm', []],
    ['more than 30 kB', 'm', { age: 'x'.repeat(30_000) }],
  ])('is refused with %s', async (_what, of, values) => {
    const visitor = await openBrowser(ask);
    const { status, body } = await send(visitor, 'form-0001', of as string, values);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
  });
});
