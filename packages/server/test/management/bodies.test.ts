import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setStage, type Stage } from '../http/calls.ts';
import { keys } from '../http/fake-service.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.service.close());

describe('a body of operators (GEN-09, P33)', () => {
  it.for([
    ['encoded', '{}', { 'content-encoding': 'gzip' }, 400],
    ['over 1 MB', 'x'.repeat(1_048_577), {}, 413],
  ] as const)(
    'that is %s is refused by the route that reads it, and is not read for an unknown resource',
    async ([, body, more, refused]) => {
      const statusOf = async (method: string, path: string) =>
        (await stage.call(`/admin/v1${path}`, { method, body, headers: { authorization: `Bearer ${keys.admin}`, ...more } })).status;
      expect(await statusOf('POST', '/validate')).toBe(refused);
      expect(await statusOf('PUT', '/workflows/order?companyId=1')).toBe(refused);
      expect(await statusOf('PUT', '/workflows/order?companyId=99')).toBe(404);
      expect(await statusOf('POST', '/workflows/nothing/publish')).toBe(404);
      expect(await statusOf('POST', '/executions/nothing/cancel')).toBe(404);
      expect(await statusOf('POST', '/nothing')).toBe(404);
    },
  );

  it.for([
    ['PUT', '/workflows/order?companyId=1'],
    ['POST', '/describe?companyId=1'],
  ] as const)('of %s %s is JSON, or says nothing of what it is', async ([method, path]) => {
    const ask = async (body: string | Uint8Array<ArrayBuffer>, type?: string) => {
      const headers = { authorization: `Bearer ${keys.admin}`, ...(type !== undefined && { 'content-type': type }) };
      const answer = await stage.call(`/admin/v1${path}`, { method, body, headers });
      return [answer.status, JSON.stringify(answer.body)];
    };
    for (const type of ['text/plain', 'text/plain; charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect(await ask('{}', type)).toEqual([400, expect.stringContaining('The body is JSON: send it as application/json')]);
    const text = expect.not.stringContaining('send it as') as unknown;
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.hilo+json', undefined])
      expect(await ask(new TextEncoder().encode('{}'), type)).toEqual([expect.any(Number), text]);
  });
});
