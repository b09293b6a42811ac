import type { EngineEvents } from '@hilo/engine';
import { createVirtualClock } from '@hilo/testing';
import { expect, it } from 'vitest';
import { reportFailures } from './report-failures.ts';

function stage() {
  const clock = createVirtualClock();
  const lines: object[] = [];
  const listeners = new Map<string, (...args: never[]) => unknown>();
  reportFailures({
    engine: { on: (name, listener) => (listeners.set(name, listener), () => {}) },
    log: { warn: (fields, message) => void lines.push({ ...fields, message }) },
    clock,
  });
  const tell = <Name extends keyof EngineEvents>(name: Name, ...args: EngineEvents[Name]): void =>
    void listeners.get(name)?.(...(args as unknown as never[]));
  const ended = (status: 'failed' | 'completed', workflowId = 'order', executionId = 'e1'): void =>
    tell(
      'execution.ended',
      { companyId: '1', executionId, workflowId, version: 3, origin: { companyId: '1', route: 'production' }, atMs: 0 },
      { status, outputs: {}, ...(status === 'failed' && { failure: { cause: 'TIMEOUT', message: 'secret of a user', nodeId: 'call' } }) },
    );
  return { clock, lines, tell, ended };
}

it('warns of each execution that failed, by where and why, and of no other', () => {
  const { lines, ended } = stage();
  ended('completed');
  ended('failed');
  expect(lines).toEqual([
    {
      companyId: '1',
      workflowId: 'order',
      version: 3,
      nodeId: 'call',
      cause: 'TIMEOUT',
      executionId: 'e1',
      message: 'An execution failed',
    },
  ]);
});

it.each([
  ['NO_START_MATCHED', 'No workflow took a message'],
  ['NOT_PROCESSABLE', 'A message could not be processed and was set aside: nobody answers it'],
] as const)('warns of each message that nothing took (%s), without what the user wrote (T17)', (cause, message) => {
  const { lines, tell } = stage();
  tell('message.unmatched', { companyId: '1', botId: 'bot_wa', userId: 'ana', message: { id: 'm1', text: 'hi' }, cause });
  expect(lines).toEqual([{ companyId: '1', botId: 'bot_wa', userId: 'ana', messageId: 'm1', cause, message }]);
});

it('says of a message that was set aside however many matched nothing in the minute', () => {
  const { lines, tell } = stage();
  const unmatched = { companyId: '1', botId: 'bot_wa', userId: 'ana', message: { id: 'm1' } };
  for (let count = 0; count < 100; count += 1) tell('message.unmatched', { ...unmatched, cause: 'NO_START_MATCHED' });
  tell('message.unmatched', { ...unmatched, cause: 'NOT_PROCESSABLE' });
  expect(lines).toHaveLength(61);
  expect(lines.at(-1)).toMatchObject({ cause: 'NOT_PROCESSABLE' });
});

it('writes 60 lines a minute of each workflow, and how many more there were', () => {
  const { lines, ended, clock } = stage();
  for (let count = 0; count < 500; count += 1) ended('failed');
  ended('failed', 'other');
  expect(lines).toHaveLength(61);
  clock.advanceBy(60_000);
  ended('failed');
  ended('failed');
  expect(lines).toHaveLength(63);
  expect(lines.slice(-2)).toMatchObject([{ moreBefore: 440 }, expect.not.objectContaining({ moreBefore: expect.anything() as unknown })]);
});
