import type { Client } from 'pg';

/** A separate connection for notifications. It reconnects by itself. */
export interface Listener {
  /** Finds out whether the connection still is one: a broken one may look whole. */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface Listening {
  /** A connection that is not open yet. */
  readonly connect: () => Client;
  readonly channel: string;
  readonly onNotice: (notice: string) => void;
  /** Notices may have been missed. */
  readonly onGap: () => void;
}

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/** @returns once it listens */
export async function listen({ connect, channel, onNotice, onGap }: Listening): Promise<Listener> {
  let current: Client | undefined;
  let isClosed = false;

  const open = async (onEnd: () => void): Promise<void> => {
    const client = connect();
    client.on('error', () => undefined); // its end is reported too
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    try {
      await client.connect();
      await client.query(`listen "${channel}"`);
    } catch (error) {
      end(client);
      throw error;
    }
    if (isClosed) end(client);
    current = client;
    client.once('end', onEnd);
  };

  const reopen = async (): Promise<void> => {
    current = undefined;
    for (let pauseMs = firstPauseMs; !isClosed; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        await open(() => void reopen());
        onGap();
        return;
      } catch {
        // The server is down: it is retried while this process is a member.
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  };

  await open(() => void reopen());
  return {
    async check() {
      const client = current;
      await client?.query('select').catch(() => end(client));
    },
    async close() {
      isClosed = true;
      await current?.end().catch(() => undefined);
    },
  };
}

/** Lets go of a connection that does not answer, or is not wanted any longer. */
function end(client: Client): void {
  client.end().catch(() => undefined);
}
