import { limits, type HistoryRecord } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import type { Conversation } from '../../packages/simulator/src/simulation/conversation.ts';

/** Loops without end, with a wait inside: no limit of visits stops it early. */
const round = (text: string) => ({
  schemaVersion: 1,
  id: 'round',
  name: 'Round',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'fill', type: 'set', data: { assignments: [{ path: '$context.text', value: text }] } },
    { id: 'rest', type: 'delay', data: { duration: 'PT1S' } },
    { id: 'enough', type: 'switch', data: { value: '{{$context.text}}', cases: ['enough'] } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'fill' },
    { source: 'fill', target: 'rest' },
    { source: 'rest', target: 'enough' },
    { source: 'enough', sourceHandle: 'enough', target: 'done' },
    { source: 'enough', sourceHandle: 'else', target: 'fill' },
  ],
});

/** The size of a history, computed independently: an escape counts as the one character that it stands for. */
const sizeOf = (history: readonly HistoryRecord[]): number =>
  history
    .flatMap(({ event, entries }) => (event.type === 'execution.accepted' ? [] : [event, ...entries]))
    .reduce((size, part) => size + JSON.stringify(part).replaceAll(/\\(?:u[0-9a-f]{4}|.)/g, '.').length, 0);

async function passUntilEnd(conversation: Conversation): Promise<void> {
  for (let minutes = 0; minutes < 10 && (await conversation.execution())?.state.status === 'waiting'; minutes += 1)
    await conversation.passes('PT1M');
}

describe('the history of an execution', () => {
  it('is measured as it grows, in characters of JSON (P16)', async () => {
    const conversation = await simulate(round('ñ€😀"\n'));
    await conversation.says('go');
    await conversation.passes('PT10S');
    expect((await conversation.execution())?.state.historySize).toBe(sizeOf(await conversation.history()));
  });

  it('ends the execution when it has more than 16 million characters, after one warning at a fifth (P16)', async () => {
    const conversation = await simulate(round('x'.repeat(60_000)));
    const warnings: number[] = [];
    conversation.engine.on('execution.nearLimit', (_about, { historySize }) => void warnings.push(historySize));
    await conversation.says('go');
    await passUntilEnd(conversation);
    const { status, ending, historySize } = (await conversation.execution())!.state;
    expect(status).toBe('failed');
    expect(ending?.failure).toMatchObject({ cause: 'HISTORY_LIMIT_EXCEEDED', nodeId: 'rest' });
    expect(historySize).toBeGreaterThan(limits.historySize);
    expect(historySize).toBeLessThan(limits.historySize + 2 * 61_000);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toBeGreaterThan(limits.historySize / 5);
    expect(warnings[0]).toBeLessThan(limits.historySize / 5 + 61_000);
  });
});
