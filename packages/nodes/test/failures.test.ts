import type { JsonObject } from '@hilo/engine/contract';
import { simulate } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { flow } from './flows.ts';

/** How often a call is made that is always answered with a status. */
async function attempts(status: number, retry: JsonObject = {}): Promise<number> {
  const canvas = flow(
    [
      ['begin', 'start', { keywords: ['go'] }],
      ['call', 'api', { url: 'https://x.example/', retry: { attempts: 3, delay: 'PT2S', jitter: 'none', ...retry } }],
      ['done', 'end'],
    ],
    ['next', 'success'],
  );
  const talk = await simulate(canvas);
  await talk.says('go');
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await talk.apiAnswers({ status });
    await talk.passes('PT1M');
  }
  return talk.calls.filter(({ effect }) => effect === 'http.request').length;
}

describe('retry', () => {
  it.each([400, 401, 403, 404, 409, 410, 422])('leaves out a request that was refused for what it is: %i', async (status) => {
    expect(await attempts(status)).toBe(1);
  });

  it.each([402, 405, 408, 425, 429, 500, 502, 503, 504])('tries %i again', async (status) => {
    expect(await attempts(status)).toBe(3);
  });

  it('tries again what its author names', async () => {
    expect(await attempts(404, { on: [404, 409] })).toBe(3);
    expect(await attempts(400, { on: [404, 409] })).toBe(1);
  });
});

describe('the failure of a child', () => {
  const caller = (told: string): JsonObject =>
    flow(
      [
        ['begin', 'start', { keywords: ['go'] }],
        ['run', 'workflow', { workflowId: 'child' }],
        ['say', 'message', { message: { type: 'text', text: told } }],
        ['done', 'end'],
      ],
      [],
      {
        edges: [
          { source: 'begin', target: 'run' },
          { source: 'run', sourceHandle: 'success', target: 'done' },
          { source: 'run', sourceHandle: 'error', target: 'say' },
          { source: 'say', sourceHandle: 'sent', target: 'done' },
        ],
      },
    );
  const child = (more: JsonObject = {}): JsonObject =>
    flow(
      [
        ['first', 'start', { fallback: true }],
        ['ask', 'api', { url: 'https://x.example/1', ...more }],
        ['last', 'end'],
      ],
      ['next', 'success'],
      { id: 'child', kind: 'tool' },
    );

  it('is in $error with the fields of its cause, its node and its attempt', async () => {
    const told = '{{$error.cause}} {{$error.status}} {{$error.nodeId}} {{$error.attempt}}: {{$error.message}}';
    const talk = await simulate({ canvases: [caller(told), child({ retry: { attempts: 2, delay: 'PT1S' } })] });
    await talk.says('go');
    await talk.apiAnswers({ status: 503 });
    await talk.passes('PT1M');
    await talk.apiAnswers({ status: 503 });
    expect(talk.sent).toMatchObject([{ text: 'HTTP_STATUS 503 ask 2: The call was answered with status 503' }]);
  });
});
