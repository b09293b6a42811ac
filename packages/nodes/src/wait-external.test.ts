import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { waitExternal } from './wait-external.ts';

describe('wait-external', () => {
  it('waits for a request with the id of the execution, up to its limit', () => {
    expect(visit(waitExternal, { connected: [] }).effects).toEqual([{ type: 'wait.external', request: { kind: 'external' } }]);
    expect(visit(waitExternal, { config: { timeout: 'P3D' }, connected: [] }).effects).toEqual([
      { type: 'wait.external', request: { kind: 'external', dueInMs: 259_200_000 } },
    ]);
  });

  it('waits for a computed duration; an invalid one is an error', () => {
    const config = { timeout: '{{$context.patience}}' };
    expect(visit(waitExternal, { config, connected: [], variables: { $context: { patience: 'PT2M' } } }).effects).toEqual([
      { type: 'wait.external', request: { kind: 'external', dueInMs: 120_000 } },
    ]);
    expect(() => visit(waitExternal, { config, variables: { $context: { patience: 'soon' } } })).toThrow('came to "soon"');
  });

  it('leaves with what the request writes (WEB-21)', () => {
    const writes = [{ path: ['$webhook', 'invoice'], value: { mode: 'resume' } }];
    expect(visit(waitExternal, { results: [{ kind: 'request', writes }] })).toMatchObject({
      by: 'resumed',
      writes: { '$webhook.invoice': { mode: 'resume' } },
    });
  });

  it('leaves by timeout, and records it', () => {
    expect(visit(waitExternal, { config: { timeout: 'P3D' }, results: [{ kind: 'timeout', lateByMs: 5 }] })).toMatchObject({
      by: 'timeout',
      failure: { cause: 'TIMEOUT' },
    });
  });
});
