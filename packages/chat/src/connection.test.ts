import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connect, type Listener } from './connection.ts';

const settings: Parameters<typeof connect>[0] = {
  base: 'https://hilo.example/',
  botId: 'bot',
  identity: undefined,
  color: '#000000',
  language: 'en',
  theme: 'auto',
  position: 'right',
  mode: 'button',
  greeting: undefined,
  start: undefined,
};
const keep = { get: () => undefined, set: () => {}, list: () => [], onChange: () => {} };
const listener: Listener = { onName: () => {}, onMessage: () => {}, onTyping: () => {}, onState: () => {}, onSent: () => {} };
const session = (): Response => Response.json({ token: 't', bot: { name: 'Bot' } });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('navigator', {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('comes back at once when a stream ends that was open, however long the service was away before it', async () => {
  let [isAway, opened] = [true, 0];
  let end = (): void => {};
  const events = (): Response => {
    if (isAway) return new Response(null, { status: 503 });
    opened += 1;
    if (opened > 1) return new Response(null, { status: 401 }); // the end of this test
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('event: ready\ndata:\n\n'));
        end = () => controller.close();
      },
    });
    return new Response(body);
  };
  vi.stubGlobal('fetch', async (url: string) => (url.endsWith('/session') ? session() : events()));
  connect(settings, keep, listener).start();
  await vi.advanceTimersByTimeAsync(120_000);
  isAway = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(opened).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opened).toBeGreaterThan(1);
});

it('keeps what the tabs have not sent for the next page, in the order in which they wrote it, though none sees what another keeps', async () => {
  const kept = new Map<string, string>();
  /** What a tab sees: its own, and what others had kept when it opened. */
  const openKeep = (): Parameters<typeof connect>[1] => {
    const seen = new Map(kept);
    return {
      get: (name) => seen.get(name),
      set(name, value) {
        for (const map of [seen, kept])
          if (value === undefined) map.delete(name);
          else map.set(name, value);
      },
      list: (beginning) => [...seen.keys()].filter((name) => name.startsWith(beginning)).sort(),
      onChange: () => {},
    };
  };
  const delivered: (() => void)[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/session')) return session();
    return new Promise<Response>((resolve) => delivered.push(() => resolve(Response.json({ outcome: 'resumed' }))));
  });
  vi.setSystemTime(1_000);
  const [first, second] = [connect(settings, openKeep(), listener), connect(settings, openKeep(), listener)];
  first.send({ id: 'a', type: 'text', text: 'a' });
  for (const [tab, id] of [
    [first, 'b'],
    [second, 'c'],
    [first, 'd'],
    [second, 'e'],
  ] as const) {
    vi.setSystemTime(Date.now() + 1);
    tab.send({ id, type: 'text', text: id });
  }
  first.send({ id: 'f', type: 'text', text: 'f' }); // within the millisecond of the one before
  const unsent = (): readonly string[] =>
    connect(settings, openKeep(), listener)
      .unsent()
      .map(({ id }) => id);
  expect(unsent().slice(0, 4)).toEqual(['a', 'b', 'c', 'd']);
  await vi.advanceTimersByTimeAsync(0);
  delivered[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect([...unsent()].sort()).toEqual(['b', 'c', 'd', 'e', 'f']);
  expect(unsent().slice(0, 3)).toEqual(['b', 'c', 'd']);
});
