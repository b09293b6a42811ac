import { checkCanvasText } from '@hilo/engine';
import type { Channel, JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';
import { flow } from './flows.ts';

type Nodes = Parameters<typeof flow>[0];

/** What a check says about the 24-hour window: codes and nodes. */
function check(canvas: JsonObject, channels: readonly Channel[] = ['whatsapp'], settings: JsonObject = {}): readonly string[] {
  const problems = checkCanvasText({ ...canvas, settings: { ...settings, channels } }, { nodes: standardNodes });
  return problems.filter(({ code }) => code.startsWith('WINDOW_')).map(({ code, nodeId, severity }) => `${severity} ${code} ${nodeId}`);
}

const begin = ['begin', 'start', { keywords: ['go'] }] as const;
const text = (words: string): JsonObject => ({ message: { type: 'text', text: words } });
const remind = ['remind', 'message', text('Are you there?')] as const;
const done = ['done', 'end'] as const;
const sure = ['error WINDOW_SURELY_CLOSED remind'];
const maybe = ['warning WINDOW_MAYBE_CLOSED remind'];

/** A start, one node that is left by a port, a message, and an end. */
const after = (type: string, data: JsonObject, port: string, more: Nodes = []): JsonObject =>
  flow(
    [begin, ['wait', type, data], ...more, remind, done],
    ['next', port, ...more.map(([, kind]) => (kind === 'template' ? 'sent' : 'answered')), 'sent'],
  );

describe('a message that is reached after 24 hours of silence', () => {
  it.each<readonly [string, JsonObject, string]>([
    ['delay', { duration: 'P1D' }, 'elapsed'],
    ['delay', { duration: 'PT24H' }, 'elapsed'],
    ['delay', { duration: 'P1M' }, 'elapsed'],
    ['wait-event', { name: 'paid', timeout: 'P1Y' }, 'timeout'],
    ['wait-event', { name: 'paid', timeout: 'P2D' }, 'timeout'],
    ['wait-external', { timeout: 'P1D' }, 'timeout'],
    ['ask', { ...text('Name?'), input: { kind: 'text' }, timeout: 'PT24H' }, 'timeout'],
    ['payment', { amount: 1, currency: 'MXN', description: 'Tea', timeout: 'P1D' }, 'expired'],
    ['handoff', { timeout: 'PT24H' }, 'expired'],
  ])('is never sent: after %s %j by %s', (type, data, port) => {
    for (const channel of ['whatsapp', 'facebook', 'instagram'] as const) expect(check(after(type, data, port), [channel])).toEqual(sure);
  });

  it.each<readonly [string, JsonObject, string]>([
    ['wait-event', { name: 'paid', timeout: 'P2D' }, 'received'],
    ['wait-event', { name: 'paid' }, 'received'],
    ['wait-until', { at: '2031-03-01T09:00:00-05:00' }, 'elapsed'],
    ['delay', { duration: '{{$context.pause}}' }, 'elapsed'],
    ['workflow', { workflowId: 'child', timeout: 'P2D' }, 'timeout'],
  ])('is perhaps not sent: after %s %j by %s', (type, data, port) => {
    const canvas = { ...after(type, data, port), variables: { pause: { default: 'P1D' } } };
    expect(check(canvas)).toEqual(maybe);
  });

  it.each<readonly [string, JsonObject, string]>([
    ['delay', { duration: 'PT23H59M59S' }, 'elapsed'],
    ['ask', { ...text('Name?'), input: { kind: 'text' }, timeout: 'P3D' }, 'answered'],
    ['delay', { duration: 'P3D' }, 'interrupted'],
    ['wait-event', { name: 'paid', timeout: 'PT24H' }, 'received'],
    ['payment', { amount: 1, currency: 'MXN', description: 'Tea' }, 'approved'],
    ['collect', {}, 'collected'],
    ['workflow', { workflowId: 'child' }, 'success'],
  ])('is sent: after %s %j by %s', (type, data, port) => expect(check(after(type, data, port))).toEqual([]));

  it('is told by the way that leads there, and only where the channel has such a window', () => {
    const canvas = after('delay', { duration: 'P1D' }, 'elapsed');
    const [problem] = checkCanvasText({ ...canvas, settings: { channels: ['whatsapp'] } }, { nodes: standardNodes });
    expect(problem).toMatchObject({
      code: 'WINDOW_SURELY_CLOSED',
      pointer: '/nodes/2',
      way: [{ nodeId: 'begin' }, { nodeId: 'wait' }, { nodeId: 'remind' }],
    });
    expect(check(canvas, ['web', 'slack'])).toEqual([]);
    expect(check(canvas, ['whatsapp', 'web'])).toEqual(maybe);
  });

  it('adds up along a way, and ends with a reply of the user', () => {
    const twice = (type: string, data: JsonObject, port: string): JsonObject =>
      flow([begin, ['one', 'delay', { duration: 'PT12H' }], ['two', type, data], remind, done], ['next', 'elapsed', port, 'sent']);
    expect(check(twice('delay', { duration: 'PT12H' }, 'elapsed'))).toEqual(sure);
    expect(check(twice('delay', { duration: 'PT11H' }, 'elapsed'))).toEqual([]);
    expect(check(twice('ask', { ...text('Name?'), input: { kind: 'text' } }, 'answered'))).toEqual([]);
  });

  it('is right behind a template, with the port windowClosed, or where the session ends before', () => {
    const template = ['template', 'template', { templateId: 'tpl1' }] as const;
    expect(check(after('delay', { duration: 'P1D' }, 'elapsed', [template]))).toEqual([]);
    const canvas = after('delay', { duration: 'P1D' }, 'elapsed');
    const edges = [...(canvas['edges'] as readonly JsonObject[]), { source: 'remind', sourceHandle: 'windowClosed', target: 'done' }];
    expect(check({ ...canvas, edges })).toEqual([]);
    const byError = [...(canvas['edges'] as readonly JsonObject[]), { source: 'remind', sourceHandle: 'error', target: 'done' }];
    expect(check({ ...canvas, edges: byError })).toEqual(sure);
    const perhaps = after('wait-event', { name: 'paid' }, 'received');
    const foreseen = [...(perhaps['edges'] as readonly JsonObject[]), { source: 'remind', sourceHandle: 'error', target: 'done' }];
    expect(check({ ...perhaps, edges: foreseen })).toEqual([]);
    expect(check(after('wait-event', { name: 'paid' }, 'received'), ['whatsapp'], { sessionExpiry: 'PT12H' })).toEqual([]);
  });

  it('is not counted for further rounds of a loop, and the first of two such messages is told', () => {
    const loop = flow(
      [begin, ['wait', 'delay', { duration: 'PT1H' }], remind, ['more', 'message', text('Still?')], done],
      ['next', 'elapsed', 'sent', undefined],
    );
    const edges = [...(loop['edges'] as readonly JsonObject[]), { source: 'more', sourceHandle: 'sent', target: 'wait' }];
    expect(check({ ...loop, edges })).toEqual([]);
    const two = flow(
      [begin, ['wait', 'delay', { duration: 'P1D' }], remind, ['more', 'message', text('Still?')], done],
      ['next', 'elapsed', 'sent', 'sent'],
    );
    expect(check(two)).toEqual(sure);
  });

  it('has a fix: a template at the port windowClosed, which goes on as the message does, and asks for its name', () => {
    const drawn = after('delay', { duration: 'P1D' }, 'elapsed');
    const canvas = { ...drawn, settings: { channels: ['whatsapp'] } };
    const [problem] = checkCanvasText(canvas, { nodes: standardNodes });
    const [fix] = problem?.fixes ?? [];
    expect(fix?.patch).toEqual([
      { op: 'add', path: '/nodes/-', value: { id: 'template', type: 'template', data: {} } },
      { op: 'add', path: '/edges/-', value: { source: 'remind', sourceHandle: 'windowClosed', target: 'template' } },
      { op: 'add', path: '/edges/-', value: { source: 'template', target: 'done' } },
    ]);
    const [node, ...edges] = (fix?.patch ?? []).flatMap((operation) => (operation.op === 'add' ? [operation.value] : []));
    const mended = {
      ...canvas,
      nodes: [...(drawn['nodes'] as readonly JsonObject[]), node],
      edges: [...(drawn['edges'] as readonly JsonObject[]), ...edges],
    };
    expect(checkCanvasText(mended, { nodes: standardNodes }).map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'INVALID_CONFIG /nodes/4/data/templateId',
    ]);
  });

  it('has the same fix at a question, whose template ends: the user has chosen no option', () => {
    const ask = ['remind', 'ask', { ...text('Well?'), input: { kind: 'text' } }] as const;
    const canvas = flow([begin, ['wait', 'delay', { duration: 'P1D' }], ask, done], ['next', 'elapsed', 'answered']);
    const [problem] = checkCanvasText({ ...canvas, settings: { channels: ['whatsapp'] } }, { nodes: standardNodes });
    expect(problem?.code).toBe('WINDOW_SURELY_CLOSED');
    expect(problem?.fixes?.[0]?.patch.at(-1)).toEqual({ op: 'add', path: '/edges/-', value: { source: 'template', target: 'done' } });
  });
});
