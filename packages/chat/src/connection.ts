import { readEvents } from './events.ts';
import type { FormValues } from './form.ts';
import type { Keep } from './keep.ts';
import type { Settings } from './settings.ts';

/** A message as the service sends it. */
export interface ChatMessage {
  readonly messageId: string;
  readonly direction: 'inbound' | 'outbound';
  readonly status: string;
  readonly atMs: number;
  /** Grows along the conversation. A message may come after one with a higher order, when both were stored at the same time. */
  readonly order: number;
  readonly message: { readonly [field: string]: unknown };
}

/** A piece of a reply that the bot is still writing. */
export interface DraftPiece {
  /** The same for all pieces of one reply. */
  readonly key: string;
  /** How many characters come before it; at 0 the reply begins anew, and an empty text there takes it back. */
  readonly at: number;
  readonly text: string;
}

/** A message of the visitor; files have their own route. */
export type Outgoing = { readonly id: string } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'button'; readonly text: string; readonly payload?: string }
  | { readonly type: 'location'; readonly coordinates: { readonly lat: number; readonly long: number } }
  | { readonly type: 'form'; readonly of: string; readonly values: FormValues }
  | { readonly type: 'file'; readonly file: File }
);

/** The callbacks of the chat. */
export interface Listener {
  onName(name: string): void;
  onMessage(message: ChatMessage): void;
  /** All of a reply so far; empty when it is taken back. */
  onDraft(text: string): void;
  onTyping(isTyping: boolean): void;
  /** `refused`: the host's token, or the page's origin, is not accepted. */
  onState(state: 'connecting' | 'online' | 'offline' | 'refused'): void;
  onSent(id: string, state: 'sent' | 'handled' | 'failed'): void;
}

/** The connection of a chat to the service. */
export interface Connection {
  /** Opens the session and the stream, once. */
  start(): void;
  send(outgoing: Outgoing): void;
  /** Says that the visitor has seen everything up to a message. */
  read(messageId: string): void;
  /** Whether this browser has been here before. */
  isKnown(): boolean;
  /** Messages that were written before the page was left, and not sent. */
  unsent(): readonly Outgoing[];
}

/** A stream without data for so long is dead: the service sends a heartbeat every 15 s. */
const silenceMs = 40_000;

const pauses = { firstMs: 500, longestMs: 30_000 };

/** What another tab keeps for longer than this, it may not be there to send. */
const adoptMs = 5_000;

/** The service does not take the visitor, or the request: trying again would not help. */
class Refused extends Error {}

/** An answer that asks to try again: `Retry-After`, in seconds, where the service names it. */
class Unavailable extends Error {
  readonly waitMs: number;
  constructor({ status, headers }: Response) {
    super(`The chat answered ${status}`);
    this.waitMs = 1_000 * (Number(headers.get('retry-after')) || 0);
  }
}

/** How long to wait before the next attempt: about as long as the back-off says, and at least as long as the service asked for. */
const waitMsAfter = (error: unknown, pauseMs: number): number =>
  Math.max(error instanceof Unavailable ? error.waitMs : 0, pauseMs * (0.5 + Math.random() / 2));

/** The visitor whom a token of the service names; what other scripts of the page have written names none. */
function visitorOf(token: string | undefined): unknown {
  try {
    const claims: unknown = JSON.parse(atob(token?.split('.')[1]?.replace(/-/g, '+').replace(/_/g, '/') ?? ''));
    return typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the pieces of a reply together. One that does not fit is left out, until the reply begins anew. */
export function createDraftReader(): (piece: DraftPiece, show: (text: string) => void) => void {
  let whole = { key: '', text: '' };
  return ({ key, at, text }, show) => {
    if (at > 0 && (key !== whole.key || at !== whole.text.length)) return;
    whole = { key, text: at === 0 ? text : whole.text + text };
    show(whole.text);
  };
}

/** The names of what the tabs of this browser have not sent yet begin so. No name that a user's own names begin with is one of them. */
const unsentName = 'unsent ';
const isUnsentName = (name: string): boolean => /^unsent \d{15} \d{15} \S+$/.test(name);

/**
 * What the tabs have not sent yet, each under a name of its own, which begins with when it was written: a tab may see late what another
 * one keeps, and would write over it in a list of all. What other scripts of the page have changed is left out.
 */
const readUnsent = (keep: Keep): readonly (readonly [name: string, outgoing: Outgoing])[] =>
  keep.list(unsentName).flatMap((name) => {
    const kept = readKept(keep, name);
    return kept === undefined ? [] : [[name, kept] as const];
  });

function readKept(keep: Keep, name: string): Outgoing | undefined {
  try {
    const kept: unknown = JSON.parse(keep.get(name) ?? '');
    return isUnsentName(name) && isOutgoing(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

const isOutgoing = (value: unknown): value is Outgoing =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' && 'type' in value;

/**
 * The connection to the service. Nothing is lost when it breaks: the stream continues after the last event, and messages are sent again
 * under their ids, which the service accepts once.
 */
export function connect({ base, botId, identity }: Settings, keep: Keep, listener: Listener): Connection {
  const root = `${base}chat/${encodeURIComponent(botId)}/`;
  const kept = readUnsent(keep);
  const queue = kept.map(([, outgoing]) => outgoing);
  /** The names under which messages are kept until they are sent, by their ids. */
  const keptNames = new Map(kept.map(([name, { id }]) => [id, name]));
  let token: string | undefined;
  let opening: Promise<string> | undefined;
  let lastEventId: string | undefined;
  let isStarted = false;
  let isSending = false;
  /** The message up to which the visitor has seen everything, until the service has been told. */
  let seen: string | undefined;
  let isReporting = false;
  let stream: AbortController | undefined;
  const pausing = new Set<() => void>();

  /** Waits; less, when the browser is online again. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        pausing.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      pausing.add(end);
    });
  addEventListener('online', () => {
    for (const end of pausing) end();
  });
  // Without this, a stream without a network is noticed by its silence alone.
  addEventListener('offline', () => stream?.abort());

  /** A session: the host's user, the one of this browser, or a new one. Tabs that open at once get the same. */
  const openSession = async (): Promise<string> => {
    const ask = async (proof: string | undefined): Promise<Response> =>
      fetch(`${root}session`, { method: 'POST', headers: proof === undefined ? {} : { authorization: `Bearer ${proof}` } });
    const open = async (): Promise<string> => {
      const proof = identity ?? keep.get('token');
      let response = await ask(proof);
      if (response.status === 401 && identity === undefined && proof !== undefined) {
        keep.set('token', undefined); // it is too old: this browser is a new visitor
        response = await ask(undefined);
      }
      if (response.status === 401 || response.status === 404) throw new Refused(`The chat answered ${response.status}`);
      if (!response.ok) throw new Unavailable(response);
      const session = (await response.json()) as { readonly token: string; readonly bot: { readonly name: string } };
      if (identity === undefined) keep.set('token', session.token);
      listener.onName(session.bot.name);
      return session.token;
    };
    const locks: LockManager | undefined = navigator.locks; // not there in pages without TLS
    return locks === undefined ? open() : locks.request(`hilo-chat ${root}`, open);
  };

  // A tab may see late which visitor another one has just become, and become a second one: the one who was kept last is the visitor of all.
  keep.onChange('token', () => {
    const theirs = visitorOf(keep.get('token'));
    if (identity !== undefined || token === undefined || theirs === undefined || theirs === visitorOf(token)) return;
    token = undefined;
    lastEventId = undefined;
    stream?.abort();
  });

  const session = async (): Promise<string> => {
    if (token !== undefined) return token;
    opening ??= openSession().finally(() => (opening = undefined));
    token = await opening;
    return token;
  };

  /** A request with the visitor's token; repeated once with a new session when the old one has ended. */
  const call = async (
    path: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Response> => {
    for (const isLast of [false, true]) {
      const used = await session();
      const response = await fetch(root + path, { ...init, headers: { ...headers, authorization: `Bearer ${used}` } });
      if (response.status !== 401 || isLast) return response;
      if (token === used) token = undefined;
    }
    throw new Error('Nothing was asked');
  };

  const readStream = async (onAlive: () => void): Promise<void> => {
    const gone = new AbortController();
    stream = gone;
    let timer = setTimeout(() => gone.abort(), silenceMs);
    const readDraft = createDraftReader();
    try {
      const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const response = await call('events', { headers, signal: gone.signal });
      if (response.status === 401) throw new Refused('The session is not taken');
      if (!response.ok || response.body === null) throw new Unavailable(response);
      const onBytes = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => gone.abort(), silenceMs);
      };
      for await (const { id, name, data } of readEvents(response.body, onBytes)) {
        onAlive();
        if (name === 'message') listener.onMessage(JSON.parse(data) as ChatMessage);
        if (name === 'draft') readDraft(JSON.parse(data) as DraftPiece, listener.onDraft);
        if (name === 'typing') listener.onTyping(data === 'true');
        if (name === 'ready') listener.onState('online');
        if (id !== undefined) lastEventId = id; // after the message was shown
      }
    } finally {
      clearTimeout(timer);
      listener.onTyping(false);
      listener.onDraft(''); // the next stream brings all of it
    }
  };

  // Back-off of its own: this script has no dependency, so that a page loads 9 kB.
  const stayConnected = async (): Promise<void> => {
    let pauseMs = pauses.firstMs;
    listener.onState('connecting');
    for (;;) {
      let failure: unknown;
      try {
        await readStream(() => (pauseMs = pauses.firstMs));
      } catch (error) {
        if (error instanceof Refused) return listener.onState('refused');
        listener.onState('offline');
        failure = error;
      }
      await pause(waitMsAfter(failure, pauseMs));
      pauseMs = Math.min(pauses.longestMs, pauseMs * 2);
    }
  };

  const keepUnsent = (outgoing: Outgoing): void => {
    if (outgoing.type === 'file') return;
    const order = [Date.now(), keptNames.size].map((number) => String(number).padStart(15, '0'));
    const name = `${unsentName}${order.join(' ')} ${outgoing.id}`;
    keptNames.set(outgoing.id, name);
    keep.set(name, JSON.stringify(outgoing));
  };
  /** Once a message is sent, or refused for good. */
  const forget = ({ id }: Outgoing): void => {
    const name = keptNames.get(id);
    if (name !== undefined) keep.set(name, undefined);
  };

  const post = (outgoing: Outgoing): Promise<Response> => {
    if (outgoing.type !== 'file') return call('messages', { method: 'POST', body: JSON.stringify(outgoing) });
    const { id, file } = outgoing;
    const headers = {
      'content-type': file.type === '' ? 'application/octet-stream' : file.type,
      'x-message-id': id,
      'x-filename': encodeURIComponent(file.name),
    };
    return call('files', { method: 'POST', body: file, headers });
  };

  /** Sends messages one after the other, so that they arrive in order. */
  const sendAll = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    let pauseMs = pauses.firstMs;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      try {
        const response = await post(next);
        if (response.status === 429 || response.status >= 500) throw new Unavailable(response);
        const { outcome = '' } = response.ok ? ((await response.json()) as { readonly outcome?: string }) : {};
        queue.shift();
        forget(next);
        pauseMs = pauses.firstMs;
        listener.onSent(next.id, !response.ok ? 'failed' : outcome === 'started' || outcome === 'resumed' ? 'handled' : 'sent');
      } catch (error) {
        if (error instanceof Refused) break;
        await pause(waitMsAfter(error, pauseMs));
        pauseMs = Math.min(pauses.longestMs, pauseMs * 2);
      }
    }
    isSending = false;
  };

  /** Tells what was seen, one request at a time: of many messages that arrive at once, the last one includes the others. */
  const reportSeen = async (): Promise<void> => {
    if (isReporting) return;
    isReporting = true;
    let pauseMs = pauses.firstMs;
    while (seen !== undefined) {
      const upTo = seen;
      try {
        const response = await call('read', { method: 'POST', body: JSON.stringify({ upTo }) });
        if (response.status === 429 || response.status >= 500) throw new Unavailable(response);
        if (seen === upTo) seen = undefined;
      } catch (error) {
        if (error instanceof Refused) break;
        await pause(waitMsAfter(error, pauseMs));
        pauseMs = Math.min(pauses.longestMs, pauseMs * 2);
      }
    }
    isReporting = false;
  };

  // What a tab wrote as it was closed may be seen only after this page has read what is kept: without this, it would stay until the next
  // page. A tab that is there sends its own meanwhile; where both do, the service takes an id once.
  keep.onKept(unsentName, (name) =>
    setTimeout(() => {
      const outgoing = readKept(keep, name);
      if (outgoing === undefined || keptNames.has(outgoing.id)) return;
      keptNames.set(outgoing.id, name);
      queue.push(outgoing);
      if (isStarted) void sendAll();
    }, adoptMs),
  );

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      void stayConnected();
      void sendAll();
    },
    send(outgoing) {
      queue.push(outgoing);
      keepUnsent(outgoing);
      void sendAll();
    },
    read(messageId) {
      seen = messageId;
      void reportSeen();
    },
    isKnown: () => identity !== undefined || keep.get('token') !== undefined || queue.length > 0,
    unsent: () => queue,
  };
}
