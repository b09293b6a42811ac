// What one visitor, network or company of the chat may take of the streams and the files that all share (P22, P23).
import { type DurableStore, openSqliteStore } from '@hilo/stores';
import { createVirtualClock } from '@hilo/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceTables } from '../platform/database/tables.ts';
import { findFile, keepFile, type SentFile } from './files.ts';
import { createChatStreams } from './streams.ts';
import { laneOf } from '../platform/database/lanes.ts';

let store: DurableStore;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
});
afterEach(() => store.close());

describe('streams', () => {
  const limits = { ofProcess: 16, ofVisitor: 8, unreadBytes: 1_000_000, share: 0.25 };
  /** Opens streams, each of a visitor of its own, until there is no place. */
  function stage(more: Partial<typeof limits> = {}) {
    const streams = createChatStreams({ ...store, clock: createVirtualClock(), limits: { ...limits, ...more } });
    let visitors = 0;
    const open = (company: string, network?: string) =>
      streams.open(
        laneOf({ companyId: company, botId: `bot${company}`, userId: `web:${(visitors += 1)}` }),
        undefined,
        async () => true,
        network,
      );
    const openAll = (company: string, network?: string) => {
      const opened: ReadableStream<Uint8Array>[] = [];
      expect(() => {
        for (;;) opened.push(open(company, network));
      }).toThrow(expect.objectContaining({ status: 503 }) as Error);
      return opened;
    };
    return { open, openAll };
  }

  it('of one network leave places to others, also of the same company', () => {
    const { openAll } = stage();
    expect(openAll('1', '198.51.100.7')).toHaveLength(8);
    expect(openAll('1', '198.51.100.8')).toHaveLength(0); // the company has half of them
    expect(openAll('2', '198.51.100.7')).toHaveLength(0);
    expect(openAll('2', '198.51.100.8')).toHaveLength(4);
  });

  it('of one company leave places to others, from however many networks they come', () => {
    const { open, openAll } = stage();
    for (let network = 0; network < 8; network += 1) open('1', `198.51.100.${network}`);
    expect(() => open('1', '198.51.100.99')).toThrow(expect.objectContaining({ status: 503 }) as Error);
    expect(openAll('2', '203.0.113.1')).toHaveLength(4);
    expect(openAll('3', '203.0.113.2')).toHaveLength(4);
  });

  it('give both places back, once, and keep none of what was refused', async () => {
    const { open, openAll } = stage();
    const opened = openAll('1', '198.51.100.7');
    expect(() => open('2', '198.51.100.7')).toThrow(expect.objectContaining({ status: 503 }) as Error);
    for (const one of opened) {
      await one.cancel();
      await one.cancel();
    }
    expect(openAll('2', '198.51.100.7')).toHaveLength(8);
  });

  it('that one network does not read end before they hold the memory of others', async () => {
    const chunk = 'event: ready\ndata: {}\n\n'.length;
    const { open } = stage({ unreadBytes: 4 * chunk });
    const isRead = async (stream: ReadableStreamDefaultReader<Uint8Array>) => !(await stream.read()).done;
    const mine = [1, 2, 3].map(() => open('1', '198.51.100.7').getReader());
    const read: boolean[] = [];
    for (const one of mine) read.push(await isRead(one));
    expect(read).toEqual([true, true, false]); // half of it: the third comes back later
    expect(await isRead(open('1', '198.51.100.8').getReader())).toBe(true);
    void mine[0]?.read(); // what came is taken
    await mine[1]?.cancel();
    expect(await isRead(open('2', '198.51.100.7').getReader())).toBe(true);
  });

  it('of callers without a network are shared by company alone', () => {
    expect(stage().openAll('1')).toHaveLength(8);
  });
});

describe('files', () => {
  const kilobyte = 1_024;
  const limits = { ofVisitorADay: 100 * kilobyte, ofNetworkADay: 10 * kilobyte, ofBot: 4 * kilobyte, ofCompany: 6 * kilobyte };
  let sent = 0;
  const send = (
    visitor: string,
    nowMs: number,
    { bot = 'b1', company = '1', ...more }: Partial<SentFile & { bot: string; company: string }> = {},
  ) =>
    keepFile(
      store.runner,
      {
        lane: laneOf({ companyId: company, botId: bot, userId: visitor }),
        messageId: `message-${(sent += 1)}`,
        contentType: 'text/plain',
        filename: null,
        content: new Uint8Array(kilobyte).fill(65),
        ...more,
      },
      nowMs,
      limits,
    );
  const isKept = async (fileId: string, bot = 'b1') =>
    (await findFile(store.runner, { companyId: '1', botId: bot }, fileId, 100)) !== undefined;
  const refused: unknown = expect.objectContaining({ status: 429 });

  it('of anonymous visitors make room for new ones, the oldest first', async () => {
    const files = [];
    for (let atMs = 1; atMs <= 6; atMs += 1) files.push(await send(`web:${atMs}`, atMs));
    expect(await Promise.all(files.map(({ fileId }) => isKept(fileId)))).toEqual([false, false, true, true, true, true]);
  });

  it('of users whom the host named are kept, and are no place for others', async () => {
    const named = await send('customer-7', 1);
    const anonymous = [];
    for (let atMs = 2; atMs <= 5; atMs += 1) anonymous.push(await send(`web:${atMs}`, atMs));
    expect(await Promise.all([named, ...anonymous].map(({ fileId }) => isKept(fileId)))).toEqual([true, false, true, true, true]);
    for (let atMs = 6; atMs <= 8; atMs += 1) await send('customer-7', atMs);
    await expect(send('web:9', 9)).rejects.toEqual(refused);
    await expect(send('customer-8', 10)).rejects.toEqual(refused);
    expect(await isKept(named.fileId)).toBe(true);
  });

  it('of a company are bounded over all its bots, and those of another company are left alone', async () => {
    const other = await send('web:1', 1, { company: '2' });
    const first = await send('web:1', 2);
    for (let atMs = 3; atMs <= 7; atMs += 1) await send('web:1', atMs, { bot: atMs % 2 === 0 ? 'b2' : 'b3' });
    expect(await isKept(first.fileId)).toBe(true);
    await send('web:1', 8, { bot: 'b2' });
    expect(await isKept(first.fileId)).toBe(false);
    expect(await findFile(store.runner, { companyId: '2', botId: 'b1' }, other.fileId, 100)).toBeDefined();
  });

  it('of one network are bounded in a day', async () => {
    await expect(send('web:1', 1, { countForNetwork: () => false })).rejects.toEqual(refused);
    expect(await send('web:1', 1, { countForNetwork: () => true })).toBeDefined();
  });
});
