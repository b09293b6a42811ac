import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { end } from './end.ts';

describe('end', () => {
  it('ends as done without outputs by default', () => {
    expect(visit(end).outcome).toEqual({ kind: 'finish', outcome: 'done', outputs: {} });
  });

  it('ends with the outcome and the outputs of its config', () => {
    const config = { outcome: 'failed', outputs: { signedBy: '{{$context.name}}', count: 2 } };
    const { outcome } = visit(end, { config, variables: { $context: { name: 'Ana' } } });
    expect(outcome).toEqual({ kind: 'finish', outcome: 'failed', outputs: { signedBy: 'Ana', count: 2 } });
  });

  it('refuses another outcome, and an output that no expression could name', () => {
    expect(end.config.safeParse({ outcome: 'ok' }).success).toBe(false);
    expect(end.config.safeParse({ outputs: { 'signed by': 1 } }).success).toBe(false);
  });
});
