import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server: counts what passes, and can lose the answer to a commit. */
export interface CuttingProxy {
  /** The server's address, through the proxy. */
  readonly url: string;
  /** The next commit reaches the server; its answer does not come back: the connection breaks instead. */
  loseNextAnswer(): void;
  /** The next commit is kept here, and the connection breaks for the client alone. */
  keepNextStatement(): void;
  /** How many answers were lost, or statements kept. */
  lost(): number;
  /** Lets the server have what was kept. @returns once it has answered, or has gone away from it */
  deliverKept(): Promise<void>;
  /** Round trips and statements since it was last asked: a round trip is whatever is sent until an answer comes. */
  count(): Counted;
  close(): void;
}

export interface Counted {
  readonly roundTrips: number;
  readonly statements: number;
}

/** Bytes by which a commit is known: the statement of a group, or the end of a transaction. */
const commits = [Buffer.from('hilo_group'), Buffer.from('commit\0')];

/** @param url - the server's own address */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let armed: 'no' | 'answer' | 'statement' = 'no';
  let lost = 0;
  let roundTrips = 0;
  let statements = 0;
  let kept: { readonly upstream: Socket; readonly bytes: Buffer } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const count = statementCounter();
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
      const found = count(bytes);
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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const through = new URL(url);
  const address = server.address();
  through.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: through.href,
    loseNextAnswer: () => void (armed = 'answer'),
    keepNextStatement: () => void (armed = 'statement'),
    lost: () => lost,
    async deliverKept() {
      const { upstream, bytes } = kept ?? {};
      if (upstream === undefined || bytes === undefined) throw new Error('No statement was kept');
      kept = undefined;
      const answered = Promise.race([once(upstream, 'data'), once(upstream, 'close')]);
      upstream.write(bytes);
      await answered;
      upstream.destroy();
    },
    count() {
      const counted = { roundTrips, statements };
      roundTrips = 0;
      statements = 0;
      return counted;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Counts the statements in what a client of PostgreSQL sends: prepared ones are executed (`E`), others are queries (`Q`). */
function statementCounter(): (bytes: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;
  return (bytes) => {
    let found = 0;
    rest = Buffer.concat([rest, bytes]);
    // The first message has no type.
    for (let type = isStarted ? 1 : 0; rest.length >= type + 4 && rest.length >= type + rest.readInt32BE(type); type = 1) {
      const name = type === 0 ? '' : String.fromCharCode(rest[0] ?? 0);
      if (name === 'E' || name === 'Q') found += 1;
      rest = rest.subarray(type + rest.readInt32BE(type));
      isStarted = true;
    }
    return found;
  };
}
