import { engineFor } from './contestants/hilo.ts';
import type { Progress } from './progress.ts';
import { median } from './statistics.ts';
import { threadWork } from './thread-work.ts';

/** What an advance cost while a history had about this many visits. */
export interface Window {
  readonly visits: number;
  readonly usPerAdvance: number;
}

/** A question that repeats for ever: each answer is one advance of three visits. */
const loop = {
  schemaVersion: 1,
  id: 'loop',
  name: 'loop',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'count', type: 'set', data: { assignments: [{ path: '$context.answer', value: 'Answer {{$message.text}}' }] } },
    {
      id: 'isLong',
      type: 'condition',
      data: { branches: [{ name: 'never', rule: { op: 'eq', left: '$context.answer', right: 'stop' } }] },
    },
    { id: 'ask', type: 'ask', data: { message: { type: 'text', text: 'And then?' }, input: { kind: 'text' }, saveAs: '$context.said' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'count' },
    { source: 'count', target: 'isLong' },
    { source: 'isLong', sourceHandle: 'never', target: 'done' },
    { source: 'isLong', sourceHandle: 'else', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'count' },
  ],
};
const visitsOfOne = 3;

/** Answers until the execution has made this many visits. @returns ten windows, first to last */
export async function advanceByVisits(visits: number, progress: Progress): Promise<readonly Window[]> {
  const sink = { count: 0, last: '' };
  const engine = await engineFor(loop, sink);
  const answers = Math.floor(visits / visitsOfOne / 10);
  let delivery = 0;
  const answer = async (): Promise<void> => {
    delivery += 1;
    await engine.receiveMessage({
      companyId: '1',
      botId: 'bot',
      eventId: `d-${delivery}`,
      user: { id: '51999000111', phone: '51999000111' },
      message: { id: `m-${delivery}`, type: 'text', text: 'on' },
    });
    await engine.whenIdle();
  };
  const windows: Window[] = [];
  for (let window = 1; window <= 10; window += 1) {
    progress.say(`a history of ${window * answers * visitsOfOne} visits`);
    const costs: number[] = [];
    for (let part = 0; part < 10; part += 1) {
      const workedMs = threadWork();
      const count = Math.ceil(answers / 10);
      for (let index = 0; index < count; index += 1) await answer();
      costs.push((workedMs() * 1_000) / count);
    }
    windows.push({ visits: window * answers * visitsOfOne, usPerAdvance: median(costs) });
  }
  if (sink.count !== delivery) throw new Error(`${delivery} messages came in, and ${sink.count} questions went out`);
  progress.clear();
  return windows.slice(1); // the first one warmed up
}
