// The connection of a chat to the service: what is read, and what is sent in order.
import { type Backoff, createBackoffs, Refused, requireAvailable } from './back-off.ts';
import type { Keep } from './keep.ts';
import type { Outgoing } from './outgoing.ts';
import type { Settings } from './settings.ts';
import { createStream, type StreamListener } from './stream.ts';
import { openUnsent } from './unsent.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** The callbacks of the chat. */
export interface Listener extends StreamListener {
  onName(name: string): void;
  /** `unmatched`: a form whose question is not open. It is kept among the visitor's messages, and nothing answers it. */
  onSent(id: string, state: 'sent' | 'handled' | 'failed' | 'unmatched'): void;
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

/**
 * The connection to the service. Nothing is lost when it breaks: the stream continues after the last event, and messages are sent again
 * under their ids, which the service accepts once.
 */
export function connect({ base, botId, identity, draft }: Settings, keep: Keep, listener: Listener): Connection {
  const root = `${base}chat/${encodeURIComponent(botId)}/`;
  const newBackoff = createBackoffs();
  let isStarted = false;
  const visitor = createVisitor({
    root,
    identity,
    draft,
    keep,
    onName: (name) => listener.onName(name),
    onOther: () => stream.restart(),
  });
  const stream = createStream(visitor, listener, newBackoff());
  const unsent = openUnsent(keep, (outgoing) => {
    queue.push(outgoing);
    if (isStarted) void sendAll();
  });
  const queue = [...unsent.before];
  const report = createReceipts(visitor, newBackoff);

  let isSending = false;
  /** Sends messages one after the other, so that they arrive in order. */
  const sendAll = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    const backoff = newBackoff();
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      try {
        const response = await post(visitor, next);
        requireAvailable(response);
        const sent = response.ok ? readSent(next, (await response.json()) as { readonly outcome?: string }) : 'failed';
        queue.shift();
        unsent.forget(next);
        backoff.reset();
        listener.onSent(next.id, sent);
      } catch (error) {
        if (error instanceof Refused) break;
        await backoff.wait(error);
      }
    }
    isSending = false;
  };

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      void stream.follow();
      void sendAll();
    },
    send(outgoing) {
      queue.push(outgoing);
      unsent.add(outgoing);
      void sendAll();
    },
    read: (messageId) => void report(messageId),
    isKnown: () => visitor.isKnown() || queue.length > 0,
    unsent: () => queue,
  };
}

/** How far a message has come that the service has. */
function readSent({ type }: Outgoing, { outcome = '' }: { readonly outcome?: string }): 'sent' | 'handled' | 'unmatched' {
  if (outcome === 'started' || outcome === 'resumed') return 'handled';
  return outcome === 'unmatched' && type === 'form' ? 'unmatched' : 'sent';
}

function post({ call }: Pick<Visitor, 'call'>, outgoing: Outgoing): Promise<Response> {
  if (outgoing.type !== 'file') return call('messages', { method: 'POST', body: JSON.stringify(outgoing) });
  const { id, file } = outgoing;
  const headers = {
    'content-type': file.type === '' ? 'application/octet-stream' : file.type,
    'x-message-id': id,
    'x-filename': encodeURIComponent(file.name),
  };
  return call('files', { method: 'POST', body: file, headers });
}

/** Tells what was seen, one request at a time: of many messages that arrive at once, the last one includes the others. */
function createReceipts({ call }: Pick<Visitor, 'call'>, newBackoff: () => Backoff): (messageId: string) => Promise<void> {
  /** The message up to which the visitor has seen everything, until the service has been told. */
  let seen: string | undefined;
  let isReporting = false;
  return async (messageId) => {
    seen = messageId;
    if (isReporting) return;
    isReporting = true;
    const backoff = newBackoff();
    while (seen !== undefined) {
      const upTo: string = seen;
      try {
        requireAvailable(await call('read', { method: 'POST', body: JSON.stringify({ upTo }) }));
        if (seen === upTo) seen = undefined;
      } catch (error) {
        if (error instanceof Refused) break;
        await backoff.wait(error);
      }
    }
    isReporting = false;
  };
}
