// What the service tells a visitor: messages, pieces of a reply that is being written, and whether somebody writes.
import { type Backoff, Refused, Unavailable } from './back-off.ts';
import { readEvents } from './events.ts';
import type { Visitor } from './visitor.ts';

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

/** What is told of a conversation. */
export interface StreamListener {
  onMessage(message: ChatMessage): void;
  /** All of a reply so far; empty when it is taken back. */
  onDraft(text: string): void;
  onTyping(isTyping: boolean): void;
  /** `refused`: the host's token, or the page's origin, is not accepted. */
  onState(state: 'connecting' | 'online' | 'offline' | 'refused'): void;
}

/** A stream without data for so long is dead: the service sends a heartbeat every 15 s. */
const silenceMs = 40_000;

/** Puts the pieces of a reply together. One that does not fit is left out, until the reply begins anew. */
export function createDraftReader(): (piece: DraftPiece, show: (text: string) => void) => void {
  let whole = { key: '', text: '' };
  return ({ key, at, text }, show) => {
    if (at > 0 && (key !== whole.key || at !== whole.text.length)) return;
    whole = { key, text: at === 0 ? text : whole.text + text };
    show(whole.text);
  };
}

/** The stream of a visitor. */
interface Stream {
  /** Reads it, again and again, until the visitor is refused. */
  follow(): Promise<void>;
  /** Reads the conversation from its beginning. */
  restart(): void;
}

/** A stream that breaks is continued after its last event. */
export function createStream(visitor: Pick<Visitor, 'call'>, listener: StreamListener, backoff: Backoff): Stream {
  let lastEventId: string | undefined;
  let current: AbortController | undefined;
  // Without this, a stream without a network is noticed by its silence alone.
  addEventListener('offline', () => current?.abort());

  const readStream = async (onAlive: () => void): Promise<void> => {
    const gone = new AbortController();
    current = gone;
    let timer = setTimeout(() => gone.abort(), silenceMs);
    const readDraft = createDraftReader();
    try {
      const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const response = await visitor.call('events', { headers, signal: gone.signal });
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

  return {
    async follow() {
      listener.onState('connecting');
      for (;;) {
        let failure: unknown;
        try {
          await readStream(backoff.reset);
        } catch (error) {
          if (error instanceof Refused) return listener.onState('refused');
          listener.onState('offline');
          failure = error;
        }
        await backoff.wait(failure);
      }
    },
    restart() {
      lastEventId = undefined;
      current?.abort();
    },
  };
}
