import type { JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { functionNode } from './function.ts';

const functionId = 'fn_echo';
const failed = (reason: string, more: JsonObject = {}) => ({ kind: 'failed', reason, message: 'Why', ...more });

describe('function', () => {
  it('calls the function with the rendered body, or null without one', () => {
    const config = { functionId, body: { id: '{{$context.id}}' }, timeout: 'PT5S' };
    expect(visit(functionNode, { config, variables: { $context: { id: 7 } } }).effects).toEqual([
      { type: 'function.call', request: { functionId, body: { id: 7 }, timeoutMs: 5_000 } },
    ]);
    expect(visit(functionNode, { config: { functionId } }).effects[0]?.request).toEqual({ functionId, body: null, timeoutMs: 60_000 });
  });

  it('keeps what it returns', () => {
    const results = [{ kind: 'returned', value: { total: 3 } }];
    expect(visit(functionNode, { config: { functionId, saveAs: '$context.result' }, results })).toMatchObject({
      by: 'success',
      writes: { '$context.result': { total: 3 } },
    });
    expect(visit(functionNode, { config: { functionId }, results })).toMatchObject({ by: 'success', writes: {} });
  });

  it.each([
    ['not-found', 'FUNCTION_NOT_FOUND'],
    ['threw', 'FUNCTION_FAILED'],
    ['crash', 'FUNCTION_STOPPED'],
    ['memory', 'FUNCTION_STOPPED'],
    ['unavailable', 'FUNCTION_UNAVAILABLE'],
  ])('leaves by error when it is %s: %s', (reason, cause) => {
    const results = [failed(reason, { outcome: 'unknown', retryAfterMs: 500 })];
    expect(visit(functionNode, { config: { functionId }, results })).toMatchObject({
      by: 'error',
      failure: { cause, message: 'Why', details: { reason, outcome: 'unknown', retryAfterMs: 500 } },
    });
  });

  it('is cut by its own time-out alone, also on the Free plan (TMO-01, TMO-07)', () => {
    const variables = { $company: { plan: 'free', kind: 'self-service' } };
    const cut = visit(functionNode, { config: { functionId, timeout: 'PT45S' }, variables, results: [failed('timeout')] });
    const details = { limitMs: null, configuredMs: 45_000, appliedMs: 45_000 };
    expect(cut).toMatchObject({ by: 'error', failure: { cause: 'TIMEOUT', details } });
    expect(visit(functionNode, { config: { functionId } }).outcome).toMatchObject({ deadline: { appliedMs: 60_000, cause: 'TIMEOUT' } });
  });

  it('holds the user for as long as it may take', () => {
    const hold = { message: 'One moment.', onMessage: 'discard' } as const;
    const held = (config: JsonObject) => visit(functionNode, { config: { functionId, ...config }, hold }).outcome;
    expect(held({})).toMatchObject({ hold: { capMs: 60_000, onMessage: 'discard' } });
    expect(held({ timeout: 'PT5S' })).toMatchObject({ hold: { capMs: 5_000 } });
  });

  it('refers to its function', () => {
    const config = functionNode.config.parse({ functionId });
    expect(functionNode.references(config)).toEqual([{ kind: 'function', id: functionId, at: ['functionId'] }]);
    expect(functionNode.config.safeParse({}).success).toBe(false);
    expect(functionNode.config.safeParse({ functionId, url: 'x' }).success).toBe(false);
  });
});
