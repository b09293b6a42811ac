import { channels } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invalid, simple } from '../refusals.ts';
import { type FakeManagement, fakeManagement, pausing } from './fake-management.ts';

let management: FakeManagement;
beforeAll(async () => {
  management = await fakeManagement();
});
afterAll(() => management[Symbol.asyncDispose]());

const noCompany = (id: string) => simple(404, 'COMPANY_NOT_FOUND', `There is no company "${id}"`);
const noWorkflow = (id: string) => simple(404, 'WORKFLOW_NOT_FOUND', `There is no workflow "${id}": PUT a canvas here to make it`);
const noExecution = (id: string) => simple(404, 'EXECUTION_NOT_FOUND', `There is no execution "${id}"`);
const noVersion = (number: string) => simple(404, 'VERSION_NOT_FOUND', `Workflow "w" has no version ${number}`);
const noBot = (id: string) => simple(404, 'BOT_NOT_FOUND', `There is no bot "${id}"`);
const whichCompany = invalid({ companyId: 'there are several companies: choose one, such as ?companyId=1' });
const badLimit = invalid({ limit: 'limit is a whole number' });
const badCursor = invalid({ cursor: 'cursor is the nextCursor of the page before' });
const otherCursor = invalid({ cursor: 'cursor is the nextCursor of the page before, in the same order' });
const cursorOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const sorts = ['workflowId', 'name', 'updatedAt', 'waiting'].flatMap((name) => [name, `-${name}`]).join(', ');
const outside = invalid({ limit: 'limit is 1 to 200' });
const notJson = (message: string) => simple(400, 'INVALID_REQUEST', message);
const statuses = 'running, waiting, completed, failed, cancelled, expired, quarantined';

const w = '/workflows/w?companyId=1';
const deep = `${'['.repeat(65)}${']'.repeat(65)}`;

const table: readonly (readonly [request: string, answer: { readonly status: number; readonly body: unknown }, body?: unknown])[] = [
  // Which company
  ['GET /workflows', whichCompany],
  ['GET /workflows/w', noWorkflow('w')],
  ['PUT /workflows/w', whichCompany, pausing({ id: 'w' })],
  ['POST /workflows/w/publish', noWorkflow('w')],
  ['GET /executions/e', noExecution('e')],
  ['POST /executions/e/cancel', noExecution('e'), '{'],
  ['GET /workflows?companyId=3', noCompany('3')],
  ['POST /signals', whichCompany, { name: 'paid', correlation: 'A-1' }],
  ['POST /signals?companyId=1', { status: 200, body: { executionIds: [] } }, { name: 'paid', correlation: 'A-1' }],
  ['GET /workflows/w?companyId=__proto__', noCompany('__proto__')],
  ['PUT /workflows/w?companyId=3', noCompany('3'), '{ not read before the company is known'],
  ['POST /validate?companyId=constructor', noCompany('constructor'), '{'],
  ['GET /executions?companyId=01', noCompany('01')],
  ['GET /executions/e/history?companyId=%31%20', noCompany('1 ')],
  ['GET /bots/bot_wa/messages?companyId=3', noCompany('3')],
  ['GET /workflows?companyId=', invalid({ companyId: 'companyId is empty' })],
  ['GET /workflows?companyId=1&companyId=2', invalid({ companyId: 'companyId may be in the query once' })],
  ['GET /executions?companyId=1&from=2026', invalid({ from: 'from is an instant in ISO 8601 with a zone, such as 2026-01-31T23:59:59Z' })],
  ['GET /executions?companyId=1&channel=sms', invalid({ channel: `channel is ${channels.join(', ')}` })],
  [`GET /workflows/w/diff?companyId=1`, invalid({ from: 'from is missing' })],
  // Unknown resources
  [`GET ${w}`, noWorkflow('w')],
  ['POST /workflows/w/publish?companyId=1', noWorkflow('w')],
  ['GET /workflows/w/versions?companyId=1', noWorkflow('w')],
  ['GET /workflows/a%2Fb?companyId=1', noWorkflow('a/b')],
  ['GET /workflows/__proto__?companyId=1', noWorkflow('__proto__')],
  ['GET /workflows/w/versions/1?companyId=1', noVersion('1')],
  ['GET /workflows/w/versions/0?companyId=1', noVersion('0')],
  ['GET /workflows/w/versions/-1?companyId=1', noVersion('-1')],
  ['GET /workflows/w/versions/1e3?companyId=1', noVersion('1e3')],
  ['GET /workflows/w/versions/draft?companyId=1', noVersion('draft')],
  ['GET /workflows/w/versions/99999999999999999999?companyId=1', noVersion('99999999999999999999')],
  ['GET /executions/e?companyId=1', noExecution('e')],
  ['GET /executions/%00?companyId=1', noExecution('\0')],
  ['GET /executions/e/history?companyId=1', noExecution('e')],
  ['POST /executions/e/cancel?companyId=1', noExecution('e'), '{ not read before the execution is found'],
  ['POST /executions/e/release?companyId=1', noExecution('e')],
  ['GET /bots/nobody/messages', noBot('nobody')],
  ['GET /bots/nobody/messages?limit=many', noBot('nobody')],
  ['GET /bots/bot_other/messages?companyId=1', noBot('bot_other')],
  // Lists
  ['GET /workflows?companyId=1&limit=many', badLimit],
  ['GET /workflows?companyId=1&limit=', badLimit],
  ['GET /workflows?companyId=1&limit=-1', badLimit],
  ['GET /workflows?companyId=1&limit=1.5', badLimit],
  ['GET /workflows?companyId=1&limit=0', outside],
  ['GET /workflows?companyId=1&limit=201', outside],
  ['GET /workflows?companyId=1&cursor=%20', badCursor],
  ['GET /workflows?companyId=1&cursor=zzz', otherCursor],
  [`GET /workflows?companyId=1&cursor=${cursorOf(['-name', 'a', 'a'])}`, otherCursor],
  [`GET /workflows?companyId=1&cursor=${cursorOf(['workflowId', 'a'])}`, otherCursor],
  [`GET /workflows?companyId=1&cursor=${cursorOf(null)}`, otherCursor],
  ['GET /workflows?companyId=1&sort=age', invalid({ sort: `sort is ${sorts}` })],
  ['GET /executions?companyId=1&limit=0', outside],
  ['GET /executions?companyId=1&limit=1e2', badLimit],
  ['GET /executions?companyId=1&cursor=newest', badCursor],
  ['GET /executions?companyId=1&cursor=1%27--', badCursor],
  ['GET /executions?companyId=1&cursor=42', badCursor],
  ['GET /executions?companyId=1&cursor=messages-42', badCursor],
  ['GET /executions?companyId=1&cursor=executions-', badCursor],
  ['GET /conversations?companyId=1&cursor=payments-42', badCursor],
  ['GET /workflows?companyId=1&cursor=executions-42', otherCursor],
  ['GET /executions?companyId=1&status=done', invalid({ status: `status is ${statuses}` })],
  ['GET /executions?companyId=1&status=failed&status=waiting', invalid({ status: 'status may be in the query once' })],
  ['GET /executions?companyId=1&status=WAITING', invalid({ status: `status is ${statuses}` })],
  ['GET /executions?companyId=1&userId=', invalid({ userId: 'userId is empty' })],
  ['GET /executions?limit=0&cursor=x', invalid({ limit: 'limit is 1 to 200', cursor: 'cursor is the nextCursor of the page before' })],
  ['GET /bots/bot_wa/messages?limit=0', outside],
  ['GET /bots/bot_wa/messages?limit=1&limit=2', invalid({ limit: 'limit may be in the query once' })],
  ['GET /bots/bot_wa/messages?cursor=-1', badCursor],
  ['GET /bots/bot_wa/messages?cursor=executions-42', badCursor],
  // Canvases
  [`PUT ${w}`, notJson('The text is empty at line 1, column 1')],
  [`PUT ${w}`, notJson('Unexpected "n" at line 1, column 3'), '{ nodes }'],
  [`PUT ${w}`, notJson('The text ends too early at line 1, column 2'), '{'],
  [`PUT ${w}`, notJson('Objects and lists are nested more than 64 levels deep at line 1, column 65'), deep],
  [`PUT ${w}`, simple(413, 'INVALID_REQUEST', 'The canvas has more than 1048576 bytes'), JSON.stringify('x'.repeat(1_048_576))],
  [`PUT ${w}`, notJson('The canvas has the id "pausing", and the path says "w": make them the same'), pausing()],
  ['POST /validate', notJson('The text is empty at line 1, column 1')],
  ['POST /validate', notJson('Unexpected "]" at line 1, column 1'), ']'],
  ['POST /validate?companyId=2', notJson('Objects and lists are nested more than 64 levels deep at line 1, column 65'), deep],
];

describe('management refuses', () => {
  it.for(table.map(([request, answer, body], index) => [index + 1, request, answer, body] as const))(
    '%i: %s',
    async ([, request, answer, body]) => {
      const [method = '', path = ''] = request.split(' ', 2);
      expect(await management.ask(method, path, body)).toEqual(answer);
    },
  );

  it.for([
    ['a list', '[]', ''],
    ['a number', '7', ''],
    ['a canvas without nodes', JSON.stringify(pausing({ id: 'w', nodes: undefined })), '/nodes'],
    ['a typing error at the root', JSON.stringify(pausing({ id: 'w', nmae: 'x' })), '/nmae'],
    ['a key that reaches for the prototype', JSON.stringify(pausing({ id: 'w' })).replace('{', '{"__proto__":{"a":1},'), '/__proto__'],
    [
      'the same inside a node',
      JSON.stringify(pausing({ id: 'w' })).replace('"data":{', '"data":{"constructor":{},'),
      '/nodes/0/data/constructor',
    ],
    ['another version of the format', JSON.stringify(pausing({ id: 'w', schemaVersion: 2 })), '/schemaVersion'],
  ])('to keep %s, with the report', async ([, text = '', pointer = '']) => {
    const { status, body } = await management.ask('PUT', w, text);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      statusMessage: 'failed',
      error: { code: 'E0422', key: 'VALIDATOR_ERROR' },
      problems: expect.arrayContaining([expect.objectContaining({ pointer, severity: 'error' })]) as unknown,
      validationError: { [pointer === '' ? '/' : pointer]: [{ en: expect.any(String) as unknown }] },
    });
    expect(await management.ask('GET', w)).toEqual(noWorkflow('w'));
  });

  it.for([
    ['no JSON', 'now', notJson('The body is not valid JSON: correct it at line 1, column 1')],
    ['a list', '[]', notJson('The body is not a JSON object')],
    ['a reason that is no text', '{"reason":7}', invalid({ reason: 'reason is a text' })],
    ['an empty reason', '{"reason":" "}', invalid({ reason: 'reason is empty' })],
  ] as const)('to cancel for %s', async ([, text, answer]) => {
    await management.ask('PUT', '/workflows/pausing?companyId=1', pausing());
    await management.ask('POST', '/workflows/pausing/publish?companyId=1');
    const { executionId } = await management.service.engine.receiveWebhook({
      companyId: '1',
      workflowId: 'pausing',
      nodeId: 'hook',
      channel: 'whatsapp',
      botId: 'bot_wa',
      route: 'production',
      request: { method: 'POST', headers: {}, query: {}, body: { user: '51999000111' } },
    });
    expect(await management.ask('POST', `/executions/${executionId}/cancel?companyId=1`, text)).toEqual(answer);
    await management.service.engine.whenIdle();
    expect(await management.ask('GET', `/executions/${executionId}?companyId=1`)).toMatchObject({ body: { status: 'waiting' } });
  });
});
