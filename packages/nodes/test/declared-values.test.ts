import type { Json } from '@hilo/engine/contract';
import { simulate } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { flow } from './flows.ts';

/** What a tool with one input `value` makes of being called. */
async function called(inputs: { readonly [name: string]: Json }, declared: { readonly [field: string]: Json }): Promise<Json | undefined> {
  const caller = flow(
    [
      ['begin', 'start', { fallback: true }],
      ['call', 'workflow', { workflowId: 'tool', inputs, saveAs: '$context.result' }],
      ['done', 'end', { outputs: { result: '{{$context.result.value}}' } }],
    ],
    ['next', 'success'],
  );
  const tool = flow(
    [
      ['begin', 'start'],
      ['done', 'end', { outputs: { value: '{{$input.toString}}' } }],
    ],
    ['next'],
    {
      id: 'tool',
      kind: 'tool',
      settings: { inputs: { toString: declared }, outputs: { value: { type: 'any' } } },
    },
  );
  const talk = await simulate({ canvases: [caller, tool] });
  await talk.says('hi');
  const { outputs, failure } = (await talk.execution())?.state.ending ?? {};
  return failure?.message ?? outputs?.['result'];
}

describe('a declared input or output', () => {
  it('may be null, which is a value of any type', async () => {
    expect(await called({ toString: null }, { type: 'any' })).toBeNull();
  });

  it('uses its default when it is missing or null', async () => {
    expect(await called({}, { type: 'number', default: 7 })).toBe(7);
    expect(await called({ toString: null }, { type: 'number', default: 7 })).toBe(7);
  });

  it('may be left out when its default is null, for any type', async () => {
    expect(await called({}, { type: 'number', default: null })).toBeNull();
  });

  it('is never what an object of JavaScript happens to have (T8)', async () => {
    expect(await called({}, { type: 'any' })).toBe('Input "toString" is missing; it is declared as any');
  });

  it('is refused with the type that it has', async () => {
    expect(await called({ toString: null }, { type: 'number' })).toBe('Input "toString" is declared as number and is null');
  });
});
