import { simulate } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { flow } from './flows.ts';

describe('a jump', () => {
  it('keeps the variables, and adds the defaults of the other canvas for missing ones', async () => {
    const first = flow(
      [
        ['begin', 'start', { fallback: true }],
        ['keep', 'set', { assignments: [{ path: '$context.kept', value: 'mine' }] }],
        ['away', 'jump', { workflowId: 'other' }],
      ],
      ['next', 'next'],
    );
    const other = flow(
      [
        ['begin', 'start'],
        ['done', 'end', { outputs: { all: '{{[$context.kept, $context.added, $input.amount]}}' } }],
      ],
      ['next'],
      {
        id: 'other',
        variables: { kept: { type: 'string', default: 'theirs' }, added: { type: 'number', default: 1 } },
        settings: { inputs: { amount: { type: 'number', default: 2 } } },
      },
    );
    const talk = await simulate({ canvases: [first, other] });
    await talk.says('hi');
    expect((await talk.execution())?.state.ending).toEqual({ outputs: { all: ['mine', 1, 2] } });
  });
});
