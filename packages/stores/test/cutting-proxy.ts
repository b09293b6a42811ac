import { connect, type Socket } from 'node:net';
import { listenFor, type Proxy, splitMessages } from './proxy.ts';

/** Stands between a client and a server: counts what passes, and can lose the answer to a commit. */
export interface CuttingProxy extends Proxy {
  /** The next commit reaches the server; its answer does not come back: the connection breaks instead. */
  loseNextAnswer(): void;
  /** The next commit is kept here, and the connection breaks for the client alone. */
  keepNextStatement(): void;
  /** How many answers were lost, or statements kept. */
  lost(): number;
  /** Lets the server have what was kept. @returns once it has answered, or has gone away from it */
  deliverKept(): Promise<void>;
  /** From now on no heartbeat reaches the server, while everything else does. @returns lets the server have those that were kept */
  keepHeartbeats(): () => void;
  /** Round trips and statements since it was last asked: a round trip is whatever is sent until an answer comes. */
  count(): Counted;
}

export interface Counted {
  readonly roundTrips: number;
  readonly statements: number;
}

/** Bytes by which a commit is known: the statement of a group, or the end of a transaction. */
const commits = [Buffer.from('hilo_group'), Buffer.from('commit\0')];
/** Bytes by which the renewal of a lease is known. */
const heartbeat = Buffer.from('set alive_until_ms');

/** @param url - the server's own address */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let armed: 'no' | 'answer' | 'statement' = 'no';
  let lost = 0;
  let roundTrips = 0;
  let statements = 0;
  let kept: { readonly upstream: Socket; readonly bytes: Buffer } | undefined;
  let keepsHeartbeats = false;
  /** Deliver what was kept, each on its connection. */
  let deliveries: (() => void)[] = [];

  const proxy = await listenFor(url, sockets, (client) => {
    const upstream = connect(Number(port), hostname);
    let found = 0;
    const count = splitMessages(true, (type) => {
      if (type === 'E' || type === 'Q') found += 1; // prepared statements are executed, others are queries
    });
    let isAnswered = true;
    let isLosing = false;
    let isKept = false;
    const cut = (): void => {
      if (isLosing) lost += 1;
      isLosing = false;
      client.destroy();
      if (!isKept) upstream.destroy();
    };
    for (const socket of [client, upstream]) sockets.add(socket.on('error', cut).on('close', cut));
    client.on('data', (bytes: Buffer) => {
      if (keepsHeartbeats && bytes.includes(heartbeat)) {
        deliveries.push(() => void upstream.write(bytes));
        return;
      }
      found = 0;
      count(bytes);
      statements += found;
      if (isAnswered && found > 0) roundTrips += 1;
      if (found > 0) isAnswered = false;
      const isCommit = armed !== 'no' && commits.some((text) => bytes.includes(text));
      if (isCommit && armed === 'statement') {
        isKept = true;
        kept = { upstream, bytes };
        armed = 'no';
        lost += 1;
        cut();
        return;
      }
      if (isCommit) {
        isLosing = true;
        armed = 'no'; // two commits may be under way: one answer is lost
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      isAnswered = true;
      if (isLosing) cut();
      else client.write(bytes);
    });
  });

  return {
    ...proxy,
    loseNextAnswer: () => void (armed = 'answer'),
    keepNextStatement: () => void (armed = 'statement'),
    lost: () => lost,
    async deliverKept() {
      const { upstream, bytes } = kept ?? {};
      if (upstream === undefined || bytes === undefined) throw new Error('No statement was kept');
      kept = undefined;
      const answered = new Promise<unknown>((resolve) => upstream.once('data', resolve).once('close', resolve)); // also where it is reset
      upstream.write(bytes);
      await answered;
      upstream.destroy();
    },
    keepHeartbeats() {
      keepsHeartbeats = true;
      return () => {
        keepsHeartbeats = false;
        for (const deliver of deliveries) deliver();
        deliveries = [];
      };
    },
    count() {
      const counted = { roundTrips, statements };
      roundTrips = 0;
      statements = 0;
      return counted;
    },
  };
}
