import { createEngine } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { createDialer } from '../../drivers/src/index.ts';
import { type LoggedEvent, standardDrivers } from '../src/index.ts';

const typesOf = (drivers: ReturnType<typeof standardDrivers>): readonly string[] => drivers.map(({ effect }) => effect.type);

describe('standardDrivers', () => {
  it('have an effect for each part that is given, and none twice', async () => {
    const dialer = createDialer();
    expect(typesOf(standardDrivers())).toEqual(['log.event', 'webhook.respond']);
    expect(typesOf(standardDrivers({ dialer }))).toEqual([
      'http.request',
      'soap.call',
      'model.ask',
      'mcp.call',
      'log.event',
      'webhook.respond',
    ]);
    const code = { run: async () => ({ kind: 'returned', value: null }) as const };
    const functions = { workers: { call: async () => ({ kind: 'returned', value: null }) as never }, find: async () => undefined };
    expect(typesOf(standardDrivers({ code, functions, databases: drive(sendMessage, () => ({ kind: 'windowClosed' })) }))).toEqual([
      'code.run',
      'function.call',
      'message.send',
      'log.event',
      'webhook.respond',
    ]);
    await dialer.close();
  });

  it('perform the effects of an engine: an event is logged, and a webhook is answered', async () => {
    const logged: LoggedEvent[] = [];
    const engine = createEngine({ nodes: standardNodes, drivers: standardDrivers({ log: (event) => logged.push(event) }) });
    const acme = engine.company('acme');
    await acme.publish({
      schemaVersion: 1,
      id: 'price',
      name: 'Price',
      kind: 'tool',
      nodes: [
        { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'], respond: 'onFinish' } },
        { id: 'note', type: 'log', data: { name: 'asked', data: { of: '{{$webhook.call.body.item}}' } } },
        { id: 'say', type: 'respond', data: { status: 201, body: { total: 5 } } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'hook', sourceHandle: 'new', target: 'note' },
        { source: 'note', sourceHandle: 'next', target: 'say' },
        { source: 'say', sourceHandle: 'next', target: 'done' },
      ],
    });
    const { response } = await acme.webhook('price', { method: 'POST', body: { item: 'A-1' } });
    expect(response).toMatchObject({ status: 201, body: { total: 5 } });
    expect(logged).toMatchObject([{ name: 'asked', level: 'info', data: { of: 'A-1' } }]);
  });
});
