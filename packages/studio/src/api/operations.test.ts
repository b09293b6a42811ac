import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { loadOperations, readLines } from './operations.ts';

describe('an answer by lines', () => {
  it('is read line by line, however it is cut, and the last one is the result', async () => {
    const lines = fc.array(fc.record({ read: fc.nat(), text: fc.string({ unit: 'grapheme' }) }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(400), { maxLength: 8 }), fc.boolean(), async (sent, cuts, endsWithLine) => {
        const bytes = new TextEncoder().encode(`${sent.map((line) => JSON.stringify(line)).join('\n')}${endsWithLine ? '\n' : ''}`);
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const parts = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        const seen: unknown[] = [];
        const body = new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        });
        const last = await readLines(new Response(body), (line) => seen.push(line));
        expect([...seen, last]).toEqual(sent);
      }),
    );
  });

  it('whose last line tells of a failure is one, and so is one that has no line', async () => {
    const failed = '{"read":1}\n{"error":"PLAN_CHANGED","message":"Plan again"}\n';
    await expect(readLines(new Response(failed), () => undefined)).rejects.toMatchObject({ code: 'PLAN_CHANGED', message: 'Plan again' });
    await expect(readLines(new Response(''), () => undefined)).rejects.toBeInstanceOf(ApiError);
  });
});

it('operations are sent as the host sends everything', async () => {
  const asked: string[] = [];
  const operations = await loadOperations('https://bots.example', async (address, how) => {
    asked.push(`${how?.method} ${typeof address === 'string' ? address : 'another'}`);
    return Response.json({ jobId: 'j' }, { status: 202 });
  });
  const answer = await operations.migrateExecutions({
    path: { workflowId: 'a/b' },
    query: { companyId: '1' },
    body: { migration: { from: 1, to: 2 } },
  });
  expect(answer).toEqual({ jobId: 'j' });
  expect(asked).toEqual(['POST https://bots.example/admin/v1/workflows/a%2Fb/migrations?companyId=1']);
});
