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
});
