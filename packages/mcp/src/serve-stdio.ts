// Standard input and output as a transport: what nobody sees goes out as escapes of JSON, so that a client which hands messages on as they are
// shows its model what is in them, and a line that is no message ends nothing.
import { Writable } from 'node:stream';
import { escapeUnseen } from '@hilo/engine/contract';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import {
  serveStdio as serve,
  type ServeStdioOptions,
  type StdioServerHandle,
  StdioServerTransport,
} from '@modelcontextprotocol/server/stdio';
import { readLines } from './read-lines.ts';

/** Serves one client over standard input and output. */
export function serveStdio(createServer: McpServerFactory, options: Omit<ServeStdioOptions, 'transport'> = {}): StdioServerHandle {
  const output = new Writable({
    decodeStrings: false,
    write: (message: string | Buffer, _encoding, done) => void process.stdout.write(escapeUnseen(String(message)), done),
  });
  const input = readLines((fault) => options.onerror?.(fault));
  return serve(createServer, { ...options, transport: new StdioServerTransport(process.stdin.pipe(input), output) });
}
