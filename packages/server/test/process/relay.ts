import { text } from 'node:stream/consumers';
import { listen, type Listening } from './listening.ts';

/** A way between two processes, of which a test says what it does with what comes. */
export interface Relay extends Listening {
  /** `http://host:port`. */
  readonly url: string;
  /** How many calls came: those of one request are each counted. */
  count(): number;
  /** Where requests go, once it is known. */
  leadTo(url: string): void;
  /** From now on requests arrive, and their answers do not. */
  loseAnswers(): void;
}

export async function startRelay(): Promise<Relay> {
  let target = '';
  let isLosing = false;
  let calls = 0;
  const listening = await listen((incoming, outgoing) => {
    const relay = async (): Promise<void> => {
      const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
      for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
      const sent = await text(incoming);
      calls += (JSON.parse(sent) as { readonly calls: readonly unknown[] }).calls.length;
      const answer = await fetch(`${target}${incoming.url ?? ''}`, { method: 'POST', headers, body: sent });
      const body = await answer.text();
      if (isLosing) incoming.socket.destroy();
      else outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    };
    relay().catch(() => incoming.socket.destroy()); // its side is gone
  });
  return {
    ...listening,
    url: `http://${listening.address}`,
    count: () => calls,
    leadTo: (url) => (target = url),
    loseAnswers: () => (isLosing = true),
  };
}
