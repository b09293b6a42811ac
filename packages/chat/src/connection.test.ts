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
