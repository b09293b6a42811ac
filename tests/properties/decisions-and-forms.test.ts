/** The examples of a decision, of forms and of their screens hold whatever a model, an application or a provider sends them. */
import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/index.ts';
import { arbitraries } from '../../packages/testing/src/index.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';

const canvasOf = (id: string): string => readFileSync(new URL(`../../examples/canvases/${id}.json`, import.meta.url), 'utf8');

const answered = (text: string, finish = 'stop'): Json => ({ kind: 'answered', text, finish, usage: {}, tookMs: 1 });
const modelAnswer: fc.Arbitrary<Json> = fc.oneof(
  fc
    .record({
      choice: fc.constantFrom<Json>('refund', 'status', 'none', 'otherwise', 'error', '__proto__', 7),
      confidence: fc.constantFrom<Json>(-1, 0, 0.69, 0.7, 1, 2, 'high'),
      reason: fc.oneof(fc.string(), fc.constant('x'.repeat(600))),
    })
    .map((answer) => answered(JSON.stringify(answer))),
  fc.oneof(fc.json(), fc.string(), fc.constant('{"choice":"refund"')).map((text) => answered(text)),
  fc.constantFrom('length', 'refused', 'other').map((finish) => answered('', finish)),
  fc
    .constantFrom('timeout', 'unreachable', 'malformed', 'rate-limited')
    .map((reason) => ({ kind: 'failed', reason, message: 'Why', tookMs: 1 })),
);

describe('the router of a support bot', () => {
  it('says one thing whatever its model answers, and moves no money unless the model was sure of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(modelAnswer, { minLength: 1, maxLength: 5 }), async (answers) => {
        const given: Json[] = [];
        const next = (): Json => {
          const answer = answers[given.length % answers.length] ?? null;
          given.push(answer);
          return answer;
        };
        const conversation = await simulate({ canvases: [canvasOf('support-router')], answers: next });
        await conversation.says('I want my money back');
        await conversation.passes('PT10M'); // a model that is down is asked once more after a while
        expect((await conversation.execution())?.state.status).toBe('completed');
        expect(conversation.sent.length).toBe(1);
        const last = given.at(-1);
        const isSure = (choice: string): boolean =>
          [0.7, 1].some((confidence) => JSON.stringify(last).includes(`{\\"choice\\":\\"${choice}\\",\\"confidence\\":${confidence},`));
        const said = conversation.transcript().match(/bot: .*/)?.[0] ?? '';
        const isSaid = { refund: said.includes('money back within'), status: said.includes('on its way') };
        expect([isSaid.refund && !isSure('refund'), isSaid.status && !isSure('status')]).toEqual([false, false]);
      }),
      fewRuns(200),
    );
  });
});

const likely = {
  age: fc.constantFrom<Json>('17', '18', 18, '33', 33.5, '1e3', '0x12', null),
  plan: fc.constantFrom<Json>('Full', 'Basic', 'basic', 'Gold', ['Full'], null),
  day: fc.constantFrom<Json>('1924992000000', 1_924_992_000_000, '2031-01-01', '2031-02-30', 'tomorrow', null),
  time: fc.constantFrom<Json>('15:00', '25:00', '15:00:00', 'noon', null),
};
/** What an application may send as the fields of a form. */
const response: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: fc.record(likely, { requiredKeys: [] }) as fc.Arbitrary<JsonObject> },
  fc
    .tuple(fc.constantFrom('age', 'day', '__proto__', 'constructor', 'more'), arbitraries.jsonValue)
    .map(([name, value]) => ({ [name]: value })),
  arbitraries.jsonObject,
);
const fits = (value: Json | undefined, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

describe.each([
  {
    id: 'apply',
    word: 'apply',
    name: 'form',
    isRight: ({ age, plan }: JsonObject) => Number.isInteger(age) && Number(age) >= 18 && fits(plan, /^(?:Basic|Full)$/),
  },
  {
    id: 'book-visit',
    word: 'visit',
    name: 'visit',
    isRight: ({ day, time }: JsonObject) => fits(day, /^\d{4}-\d{2}-\d{2}$/) && fits(time, /^\d{2}:\d{2}$/),
  },
])('the form of $id', ({ id, word, name, isRight }) => {
  it('keeps valid values, asks again or gives up, whatever an application sends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(response, { minLength: 1, maxLength: 3 }), async (sent) => {
        const conversation = await simulate({ canvases: [canvasOf(id), canvasOf('visit-slots')] });
        await conversation.says(word);
        for (const fields of sent)
          if ((await conversation.execution())?.state.status === 'waiting')
            await conversation.says({ type: 'flow', text: '', name: '', response: fields });
        const { variables, status } = (await conversation.execution())?.state ?? {};
        expect(['waiting', 'completed']).toContain(status);
        const kept = (variables?.['$context'] as JsonObject | undefined)?.[name];
        expect(kept === undefined || isRight(kept as JsonObject)).toBe(true);
      }),
      { ...fewRuns(100), examples: [[[{ age: '33', plan: 'Full', day: '1924992000000', time: '15:00', more: 'x' }]]] },
    );
  });
});

it('the screens of a form are answered whatever it sends, for the context of its question', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), arbitraries.jsonObject, fc.constantFrom('INIT', 'BACK', 'data_exchange'), async (city, data, action) => {
      const conversation = await simulate(canvasOf('visit-slots'));
      await conversation.plays({ kind: 'starts', inputs: { action, screen: null, data, context: { city } } });
      expect((await conversation.execution())?.state.ending).toMatchObject({
        outputs: { screen: 'TIMES', data: { city, times: ['09:30', '15:00'] } },
      });
    }),
    fewRuns(100),
  );
});
