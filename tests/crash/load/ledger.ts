import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Something that was done outside. */
export interface ReceivedCall {
  readonly key: string;
  readonly executionId: string;
  readonly nodeId: string;
  readonly attempt: number;
  readonly path: string;
  /** The exact bytes. */
  readonly payload: string;
  readonly atMs: number;
  /** The process that did it, by its number. */
  readonly processNumber: number;
}

/** The outside world: it records every call, and deduplicates none. */
export interface Ledger {
  readonly port: number;
  readonly received: readonly ReceivedCall[];
  /** Called after each call. */
  onReceived: (call: ReceivedCall) => void;
  /** Resolves when all calls of dead processes are finished. */
  whenDone(): Promise<void>;
  close(): Promise<void>;
}

/** Outlives the processes: an HTTP server of the parent. */
export async function openLedger(): Promise<Ledger> {
  const received: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(204, { connection: 'close' }).end();
      return;
    }
    payloadOf(request).then(
      (payload) => {
        const call = readCall(request.url ?? '', request.headers, payload);
        received.push(call);
        // A first attempt that fails is tried again.
        const status = call.path === '/flaky' && call.attempt === 1 ? 503 : 200;
        response.writeHead(status, { connection: 'close', 'content-length': '2' }).end('{}');
        ledger.onReceived(call);
      },
      () => response.destroy(), // half of a request is no call: its process died
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ledger: Ledger = {
    port: (server.address() as AddressInfo).port,
    received,
    onReceived: () => {},
    async whenDone() {
      // Connections are accepted in order: once this one is answered, all before it are known.
      await fetch(`http://127.0.0.1:${ledger.port}/`, { headers: { connection: 'close' } });
      const connections = promisify(server.getConnections.bind(server));
      while ((await connections()) > 0) await setImmediate();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return ledger;
}

async function payloadOf(request: IncomingMessage): Promise<string> {
  const payload = await text(request);
  if (!request.complete) throw new Error('The request was cut off');
  return payload;
}

function readCall(path: string, headers: IncomingHttpHeaders, payload: string): ReceivedCall {
  const header = (name: string): string => String(headers[name]);
  return {
    key: header('idempotency-key'),
    executionId: header('x-execution'),
    nodeId: header('x-node'),
    attempt: Number(header('x-attempt')),
    path,
    payload,
    atMs: Date.now(),
    processNumber: Number(header('x-process')),
  };
}
