// Calls between processes that share a store, as the service forwards them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Engine, EngineOptions, EngineStore } from '../../packages/engine/src/index.ts';
import {
  createForwarding,
  type ForwardedCall,
  type ForwardedReply,
  signatureHeader,
} from '../../packages/server/src/processes/forwarding.ts';
import { realClock } from '../machine-sources.ts';

/** Calls between processes of one store over HTTP, signed as those of the service are, without what the service does for every request. */
export interface Exchange {
  readonly reach: NonNullable<EngineOptions['reach']>;
  /** Takes calls for lanes of this process, and says where. */
  listen(engine: Engine, executions: EngineStore['executions']): Promise<void>;
  /** How many calls were sent to other processes. */
  forwarded(): number;
}

/** @param port - where this process listens on loopback */
export function createExchange(port: number): Exchange {
  const address = `http://127.0.0.1:${port}`;
  const forwarding = createForwarding({ address, masterKey: Buffer.alloc(32, 7), clock: realClock });
  let forwarded = 0;
  return {
    reach: {
      send(to, lane, call) {
        forwarded += 1;
        return forwarding.reach.send(to, lane, call);
      },
    },
    async listen(engine, executions) {
      const server = createServer((request, response) => {
        const answer = async (): Promise<void> => {
          const body = await buffer(request);
          const calls = forwarding.isSigned(body, String(request.headers[signatureHeader])) ? forwarding.read(body.toString()) : undefined;
          if (calls === undefined) response.statusCode = 421;
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ replies: await Promise.all((calls ?? []).map((call) => take(engine, call))) }));
        };
        answer().catch(() => response.writeHead(503).end()); // the caller leaves its calls in the store
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      await executions.leases?.advertise(address);
    },
    forwarded: () => forwarded,
  };
}

async function take(engine: Engine, { lane, call }: ForwardedCall): Promise<ForwardedReply> {
  try {
    return (await engine.takeHandedCall(lane, call)) ?? { kind: 'elsewhere' };
  } catch {
    return { kind: 'failed' }; // the caller leaves it in the store
  }
}
