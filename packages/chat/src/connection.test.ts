import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { connect, type Listener } from './connection.ts';
import { createDraftReader, type DraftPiece } from './stream.ts';

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
  draft: undefined,
};
const keep = { get: () => undefined, set: () => {}, list: () => [], onChange: () => {}, onKept: () => {} };
const listener: Listener = {
  onName: () => {},
  onMessage: () => {},
  onDraft: () => {},
  onTyping: () => {},
  onState: () => {},
  onSent: () => {},
};
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
      onKept: () => {},
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

it('sends what a closed tab is seen to have kept only later, unless that tab has sent it', async () => {
  const kept = new Map<string, string>();
  let tell = (_name: string): void => {};
  const late: Parameters<typeof connect>[1] = {
    ...keep,
    get: (name) => kept.get(name),
    set: (name, value) => void (value === undefined ? kept.delete(name) : kept.set(name, value)),
    list: (beginning) => [...kept.keys()].filter((name) => name.startsWith(beginning)),
    onKept: (_beginning, listening) => (tell = listening),
  };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (url.endsWith('/session')) return session();
    if (url.endsWith('/messages') && typeof body === 'string') sent.push(JSON.parse(body));
    return Response.json({ outcome: 'resumed' });
  });
  connect(settings, late, listener).start();
  const see = (id: string, name = `unsent ${'1'.padStart(15, '0')} ${'0'.padStart(15, '0')} ${id}`): string => {
    kept.set(name, JSON.stringify({ id, type: 'text', text: id }));
    tell(name);
    return name;
  };
  see('closed');
  const byItsTab = see('open');
  see('forged', 'unsent by another script');
  await vi.advanceTimersByTimeAsync(4_999);
  expect(sent).toEqual([]);
  kept.delete(byItsTab); // its tab has sent it
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent).toEqual([{ id: 'closed', type: 'text', text: 'closed' }]);
  expect([...kept.keys()].filter((name) => name.startsWith('unsent'))).toEqual(['unsent by another script']);
});

it('is the visitor whom another tab became at the same time, once it sees that, and no other for a token of its own visitor', async () => {
  const tokenOf = (sub: string, renewed = 0): string => `h.${btoa(JSON.stringify({ sub, renewed }))}.s`;
  let kept: string | undefined;
  let tell = (): void => {};
  const shared: Parameters<typeof connect>[1] = {
    ...keep,
    get: (name) => (name === 'token' ? kept : undefined),
    set: (name, value) => void (name === 'token' && (kept = value)),
    onChange: (name, listening) => void (name === 'token' && (tell = () => listening(kept))),
  };
  const sessions: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers, signal }: RequestInit) => {
    const proof = new Headers(headers).get('authorization');
    if (url.endsWith('/session')) {
      sessions.push(proof);
      return Response.json({ token: proof === null ? tokenOf('mine') : proof.replace('Bearer ', ''), bot: { name: 'Bot' } });
    }
    return new Response(
      new ReadableStream({ start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)) }),
    );
  });
  connect(settings, shared, listener).start();
  await vi.advanceTimersByTimeAsync(1_000);
  kept = tokenOf('mine', 1); // another tab has renewed it
  tell();
  kept = 'what another script wrote';
  tell();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sessions).toEqual([null]);
  kept = tokenOf('theirs');
  tell();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sessions).toEqual([null, `Bearer ${tokenOf('theirs')}`]);
});

const form = { type: 'form', of: 'm', values: { age: '33' } } as const;
it.each([
  ['a form that nothing waits for', form, Response.json({ outcome: 'unmatched' }), 'unmatched'],
  ['a form that is refused', form, new Response(null, { status: 400 }), 'failed'],
  ['a form that is kept for its question', form, Response.json({ outcome: 'queued' }), 'sent'],
  ['a form that answers', form, Response.json({ outcome: 'resumed' }), 'handled'],
  ['a form that begins a workflow', form, Response.json({ outcome: 'started' }), 'handled'],
  ['a text that nothing waits for', { type: 'text', text: 'hello' } as const, Response.json({ outcome: 'unmatched' }), 'sent'],
])('tells how far %s has come', async (_what, outgoing, response, state) => {
  vi.stubGlobal('fetch', async (url: string) => (url.endsWith('/session') ? session() : response));
  const told: unknown[] = [];
  connect(settings, keep, { ...listener, onSent: (id, sent) => told.push([id, sent]) }).send({ id: 'a', ...outgoing });
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([['a', state]]);
});

it('shows of a reply only what is a beginning of it, whichever pieces are lost or come twice', () => {
  const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 3 }), fc.array(fc.nat({ max: 2 })), (replies, copies) => {
      const pieces = replies.flatMap((words, reply) =>
        words.map((text, index): DraftPiece => ({ key: String(reply), at: words.slice(0, index).join('').length, text })),
      );
      const shown: string[] = [];
      const read = createDraftReader();
      for (const [index, piece] of pieces.entries())
        for (let copy = copies[index] ?? 1; copy > 0; copy -= 1) read(piece, (text) => shown.push(text));
      for (const text of shown) expect(replies.some((words) => words.join('').startsWith(text))).toBe(true);
      const whole = copies.every((count) => count === 1) ? replies.at(-1)?.join('') : shown.at(-1);
      expect(shown.at(-1)).toBe(whole);
      read({ key: 'x', at: 0, text: '' }, (text) => shown.push(text));
      expect(shown.at(-1)).toBe('');
    }),
  );
});

it('takes a draft away when its stream breaks, since the next one brings all of it', async () => {
  const drafts: string[] = [];
  let opened = 0;
  const draft = (piece: DraftPiece): string => `event: draft\ndata: ${JSON.stringify(piece)}\n\n`;
  const events = (): Response => {
    opened += 1;
    if (opened > 1) return new Response(null, { status: 401 });
    return new Response(draft({ key: 'k', at: 0, text: 'Three' }) + draft({ key: 'k', at: 5, text: ' are' }));
  };
  vi.stubGlobal('fetch', async (url: string) => (url.endsWith('/session') ? session() : events()));
  connect(settings, keep, { ...listener, onDraft: (text) => drafts.push(text) }).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(drafts.slice(0, 3)).toEqual(['Three', 'Three are', '']);
});
