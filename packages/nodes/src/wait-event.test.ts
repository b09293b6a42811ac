import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { waitEvent } from './wait-event.ts';

const config = { name: 'paid', correlation: 'order {{$context.order}}', timeout: 'P1D', saveAs: '$context.payment' };
const variables = { $context: { order: 7 } };

describe('wait-event', () => {
  it('waits for the signal of its name and correlation value', () => {
    const request = { kind: 'event', name: 'paid', correlation: 'order 7', dueInMs: 86_400_000 };
    expect(visit(waitEvent, { config, variables, connected: [] }).effects).toEqual([{ type: 'wait.event', request }]);
  });

  it('waits without end and without a correlation value by default', () => {
    expect(visit(waitEvent, { config: { name: 'paid' }, connected: [] }).effects[0]?.request).toEqual({
      kind: 'event',
      name: 'paid',
      correlation: '',
    });
  });

  it('stores the payload of the signal', () => {
    const results = [{ kind: 'received', payload: { amount: 3 } }];
    expect(visit(waitEvent, { config, variables, results })).toMatchObject({
      by: 'received',
      writes: { '$context.payment': { amount: 3 } },
    });
    expect(visit(waitEvent, { config: { name: 'paid' }, results })).toMatchObject({ by: 'received', writes: {} });
  });

  it('leaves by timeout with its cause', () => {
    const { by, failure } = visit(waitEvent, { config, variables, results: [{ kind: 'timeout', lateByMs: 0 }] });
    expect({ by, cause: failure?.cause }).toEqual({ by: 'timeout', cause: 'TIMEOUT' });
  });

  it('refuses an event without a name', () => {
    expect(['', ' '].filter((name) => waitEvent.config.safeParse({ name }).success)).toEqual([]);
  });
});
