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
};
const keep = { get: () => undefined, set: () => {}, onChange: () => {} };
const listener: Listener = { onName: () => {}, onMessage: () => {}, onTyping: () => {}, onState: () => {}, onSent: () => {} };
const session = (): Response => Response.json({ token: 't', bot: { name: 'Bot' } });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
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

it('keeps what the tabs have not sent in the order in which they wrote it, whichever hears of a delivery', async () => {
  const kept = new Map<string, string>();
  const shared: Parameters<typeof connect>[1] = {
    get: (name) => kept.get(name),
    set: (name, value) => void (value === undefined ? kept.delete(name) : kept.set(name, value)),
    onChange: () => {},
  };
  const delivered: (() => void)[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/session')) return session();
    return new Promise<Response>((resolve) => delivered.push(() => resolve(Response.json({ outcome: 'resumed' }))));
  });
  const [first, second] = [connect(settings, shared, listener), connect(settings, shared, listener)];
  first.send({ id: 'a', type: 'text', text: 'a' });
  first.send({ id: 'b', type: 'text', text: 'b' });
  second.send({ id: 'c', type: 'text', text: 'c' });
  await vi.advanceTimersByTimeAsync(0);
  expect(kept.get('unsent')).toMatch(/"a".*"b".*"c"/);
  delivered[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(kept.get('unsent')).toMatch(/^\[[^a]*"b".*"c"/);
});
