import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';

/** Asks for a secret, keeps it, and says it again; which of the nodes are masked is the test's. */
const asking = (masked: readonly string[]) => {
  const data = (id: string, own: object) => ({ ...own, ...(masked.includes(id) && { mask: true }) });
  const text = (words: string) => ({ type: 'text', text: words });
  return {
    schemaVersion: 1,
    id: 'secret',
    name: 'Secret',
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'pin', type: 'ask', data: data('pin', { message: text('Your PIN?'), input: { kind: 'text' }, saveAs: '$context.pin' }) },
      { id: 'copy', type: 'set', data: data('copy', { assignments: [{ path: '$context.copy', value: '{{$context.pin}}' }] }) },
      { id: 'say', type: 'message', data: data('say', { message: text('It is {{$context.copy}}') }) },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'pin' },
      { source: 'pin', sourceHandle: 'answered', target: 'copy' },
      { source: 'copy', target: 'say' },
      { source: 'say', sourceHandle: 'sent', target: 'done' },
    ],
  };
};

async function historyOf(masked: readonly string[]): Promise<string> {
  const talk = await simulate(asking(masked));
  await talk.says('go');
  await talk.says('4711-secret');
  const { status, variables } = (await talk.execution())!.state;
  expect(status).toBe('completed');
  expect(variables['$context']).toMatchObject({ pin: '4711-secret', copy: '4711-secret' }); // the execution itself goes on with it
  return JSON.stringify(await talk.history());
}

describe('a node with mask', () => {
  it('keeps what it is answered, what it writes and what it requests out of the history', async () => {
    const history = await historyOf(['pin', 'copy', 'say']);
    expect(history).not.toContain('4711-secret');
    expect(history).toContain('"[masked]"');
  });

  it.each(['pin', 'copy', 'say'])('leaves the values of other nodes than %s in it', async (one) => {
    expect(await historyOf([one])).toContain('4711-secret');
  });

  it('shows everything when no node is masked', async () => {
    expect(await historyOf([])).not.toContain('[masked]');
  });
});
