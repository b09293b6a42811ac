import { expect, it } from 'vitest';
import { inlineExample } from '../data/inline-example.ts';
import { expectAccountedFor } from './accounts.ts';
import { type Caller, callerOf } from './caller.ts';
import { finish, type Invoice, startLoad } from './load.ts';
import { describeOverEachStore } from './place.ts';

const [callers, enough, kills] = [16, 40, 2];

/** Every answered request is stored, and every accepted one is performed (P1). */
async function expectKept(caller: Caller, invoices: readonly Invoice[]): Promise<void> {
  const kept = new Set((await caller.executions('1')).map(({ executionId }) => executionId));
  const lost = invoices.filter(({ executionId }) => executionId !== undefined && !kept.has(executionId));
  expect(lost).toEqual([]);
}

describeOverEachStore('a service under load', (open) => {
  it(`loses no answered request, killed ${kills} times and told to stop once (P1, P2, P10, P25, P35)`, {
    timeout: 300_000,
  }, async () => {
    using place = await open(await inlineExample());
    const invoices: Invoice[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await using service = await place.start();
      await expectKept(callerOf(service.url), invoices);
      const load = startLoad(service.url, callers, invoices);
      await load.answered(enough);
      await service.end('SIGKILL');
      expect(await load.over).toEqual([]);
    }

    await using stopped = await place.start();
    await expectKept(callerOf(stopped.url), invoices);
    const load = startLoad(stopped.url, callers, invoices);
    await load.answered(enough);
    expect(await stopped.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(await load.over).toEqual([]);

    await using service = await place.start();
    const caller = callerOf(service.url);
    await expectKept(caller, invoices);
    // Accepted work continues by itself: it waits for its payment, or has ended.
    const statuses = new Map((await caller.atRest('1')).map(({ executionId, status }) => [executionId, status]));
    const isSettled = ({ executionId, isPaid }: Invoice): boolean => {
      const status = statuses.get(executionId ?? '');
      return executionId === undefined || status === 'completed' || (isPaid !== true && status === 'waiting');
    };
    expect(invoices.filter((invoice) => !isSettled(invoice))).toEqual([]);

    // The callers were in the middle of something, each time: some calls were never answered.
    expect(invoices.some(({ executionId }) => executionId === undefined)).toBe(true);

    // Repeated calls reach the same executions, and each sends its messages once.
    const ids = await Promise.all(invoices.map((invoice) => finish(caller, invoice)));
    expect(ids.filter((id, index) => id !== (invoices[index]?.executionId ?? id))).toEqual([]);
    expect(new Set(ids).size).toBe(invoices.length);
    expect((await caller.atRest('1')).filter(({ status }) => status !== 'completed')).toEqual([]);
    const said = Map.groupBy(await caller.messages('bot_web'), ({ userId }) => userId);
    for (const { userId, number } of invoices)
      expect(said.get(userId)?.map(({ message }) => message.text)).toEqual([
        `Hello there, invoice ${number} of 1 is due.`,
        `Thank you. Receipt: ${number}`,
      ]);
    expect(await expectAccountedFor(caller)).toBe(invoices.length);
  });
});
