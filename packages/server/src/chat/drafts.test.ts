/** Streams of one visitor: however slowly each reads, it has the draft as it is, and nothing waits for it. */
import type { EngineEvents, Listener } from '@hilo/engine';
import { type DurableStore, openSqliteStore } from '@hilo/stores';
import { createVirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceTables } from '../platform/database/tables.ts';
import { createChatStreams } from './streams.ts';
import { laneOf } from '../platform/database/lanes.ts';

let store: DurableStore;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
});
afterAll(() => store.close());

const origin = { companyId: '1', botId: 'help', userId: 'web:1', route: 'production' } as const;
const execution = (executionId: string) => ({ companyId: '1', executionId, workflowId: 'w', version: 1, origin, atMs: 0 });

/** The streams of one visitor, and the events of an engine that the test plays. */
function stage() {
  const listeners = new Map<string, ((...args: readonly unknown[]) => unknown)[]>();
  const streams = createChatStreams({ ...store, clock: createVirtualClock() });
  streams.follow({
    on: <Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>) => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener as (...args: readonly unknown[]) => unknown]);
      return () => undefined;
    },
  });
  const emit = <Name extends keyof EngineEvents>(name: Name, ...args: EngineEvents[Name]): void => {
    for (const listen of listeners.get(name) ?? []) listen(...args);
  };
  const open = () => {
    const reader = streams.open(laneOf({ companyId: '1', botId: 'help', userId: 'web:1' }), undefined, async () => true).getReader();
    let shown = '';
    return {
      shown: () => shown,
      cancel: () => reader.cancel(),
      /** Reads what there is, as a browser does. */
      async read(): Promise<string> {
        const { value } = await reader.read();
        const text = new TextDecoder().decode(value);
        for (const [, data = ''] of text.matchAll(/event: draft\ndata: (.*)\n/g)) {
          const piece = JSON.parse(data) as { readonly at: number; readonly text: string };
          expect(piece.at === 0 || piece.at === shown.length).toBe(true);
          shown = piece.at === 0 ? piece.text : shown + piece.text;
        }
        return text;
      },
    };
  };
  return { emit, open };
}

const progress = (executionId: string, key: string, text: string): EngineEvents['effect.progressed'] => [
  { companyId: '1', origin, executionId, nodeId: 'agent', key, value: { text } },
];

type Step =
  | { readonly kind: 'write'; readonly call: number; readonly text: string }
  | { readonly kind: 'end'; readonly call: number }
  | { readonly kind: 'read'; readonly tab: number };

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ kind: fc.constant('write'), call: fc.nat({ max: 2 }), text: fc.constantFrom('a', 'ab', 'abc', 'x', '', 'y😀') }),
    fc.record({ kind: fc.constant('end'), call: fc.nat({ max: 2 }) }),
    fc.record({ kind: fc.constant('read'), tab: fc.nat({ max: 1 }) }),
  ),
  { maxLength: 20 },
);

describe('the draft of a visitor', () => {
  it('is the same in each tab that has read all, whenever it reads', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const { emit, open } = stage();
        const tabs = [open(), open()];
        for (const tab of tabs) await tab.read(); // until ready
        let now = { call: -1, text: '' };
        for (const step of given) {
          if (step.kind === 'write') {
            now = { call: step.call, text: step.text };
            emit('effect.progressed', ...progress(String(step.call), `key ${step.call}`, step.text));
          } else if (step.kind === 'end') {
            if (now.call === step.call) now = { call: -1, text: '' };
            emit('execution.ended', execution(String(step.call)), { status: 'completed', outputs: {} });
          } else {
            const tab = tabs[step.tab];
            if (tab !== undefined && tab.shown() !== now.text) await tab.read();
          }
        }
        for (const tab of tabs) {
          if (tab.shown() !== now.text) await tab.read();
          expect(tab.shown()).toBe(now.text);
          await tab.cancel();
        }
      }),
    );
  });

  it('costs what it is long, however many pieces a slow tab has not read', async () => {
    const { emit, open } = stage();
    const [slow, late] = [open(), open()];
    await slow.read();
    let whole = '';
    for (let piece = 0; piece < 1_000; piece += 1) emit('effect.progressed', ...progress('e', 'k', (whole += 'word '.repeat(8))));
    const text = await slow.read();
    expect(text.match(/event: draft/g)).toHaveLength(1);
    expect([slow.shown(), text.length < whole.length + 100]).toEqual([whole, true]);
    emit('effect.progressed', ...progress('e', 'k', 'x'.repeat(64 * 1024 + 1))); // more than a value can be
    emit('effect.progressed', ...progress('e', 'k', `${whole}.`));
    await slow.read();
    await late.read();
    expect([slow.shown(), late.shown()]).toEqual([`${whole}.`, `${whole}.`]);
  });

  it('is forgotten with the last tab', async () => {
    const { emit, open } = stage();
    const tab = open();
    await tab.read();
    emit('effect.progressed', ...progress('e', 'k', 'Three'));
    await tab.cancel();
    emit('effect.progressed', ...progress('e', 'k', 'Three are'));
    const next = open();
    expect(await next.read()).not.toContain('draft');
  });
});
