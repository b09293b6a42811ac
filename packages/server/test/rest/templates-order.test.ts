import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acme, ana, type RestStage, restStage } from './rest-stage.ts';

let stage: RestStage;
beforeAll(async () => {
  stage = await restStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

/** Reasons for a refusal, with their codes: an earlier line is reported first; of one line, either (GEN-09). */
const order = [
  ['401 '],
  ['404 BOT_NOT_FOUND'],
  ['404 CAMPAIGN_NOT_FOUND'],
  ['400 INVALID_REQUEST no JSON'],
  ['400 INVALID_USER_ID', '400 INVALID_REQUEST a field'],
  ['400 INVALID_REQUEST it is over'],
  ['404 USER_NOT_FOUND'],
  ['400 INVALID_TEMPLATE'],
  ['400 INVALID_PARAMETERS'],
] as const;
type Fault = (typeof order)[number][number] | undefined;

/** One part of a request: valid, or with its defect. */
const part = <Value>(right: Value, ...wrong: readonly (readonly [Fault, Value])[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant([undefined, right] as const) }, fc.constantFrom(...wrong));

const field = '400 INVALID_REQUEST a field';
const request = fc.record({
  as: part<string | null>(`acme-client:${acme}`, ['401 ', null], ['401 ', 'acme-client:no']),
  bot: part('bot_wa', ['404 BOT_NOT_FOUND', 'nobody'], ['404 BOT_NOT_FOUND', 'bot_c2']),
  campaign: part('camp_s', ['404 CAMPAIGN_NOT_FOUND', 'none'], ['400 INVALID_REQUEST it is over', 'camp_d']),
  json: part('', ['400 INVALID_REQUEST no JSON', ',']),
  type: part<unknown>('template', [field, 'text'], [field, undefined]),
  userId: part<unknown>(ana, ['400 INVALID_USER_ID', `+${ana}`], [field, undefined], ['404 USER_NOT_FOUND', 'MX.onlyBsuid9']),
  templateId: part<unknown>('tpl1', [field, 7], ['400 INVALID_TEMPLATE', 'none'], ['400 INVALID_TEMPLATE', 'tpl2']),
  parameters: part<unknown>({ name: 'Ana', code: 'A-1' }, [field, []], ['400 INVALID_PARAMETERS', {}]),
  botId: part<unknown>(undefined, [undefined, 'bot_wa'], [field, 'bot_web']),
});

describe('POST …/template-messages', () => {
  it('reports the first of several faults (GEN-09, TPL-01 to TPL-09)', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ as, bot, campaign, json, ...fields }) => {
        const faults: readonly Fault[] = [as, bot, campaign, json, ...Object.values(fields)].map(([fault]) => fault);
        const first = order.find((line) => line.some((fault) => faults.includes(fault)));
        const body = JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, [, value]]) => [name, value])));
        const path = `/v1/bots/${bot[1]}/campaigns/${campaign[1]}/template-messages`;
        const answer = await stage.ask('POST', path, { body: `${body}${json[1]}`, as: as[1] });
        const { error = '' } = answer.body as { readonly error?: string };
        const expected = first?.map((fault) => fault.split(' ', 2).join(' ')) ?? ['200 '];
        expect(expected).toContain(`${answer.status} ${error}`);
      }),
      { numRuns: fc.readConfigureGlobal().numRuns ?? 500 },
    );
  });
});
