// A host of media files over TLS, whose addresses messages name.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const day = 86_400_000;
const base = {
  keyType: 'ec',
  algorithm: 'sha256',
  notBeforeDate: new Date(Date.now() - day),
  notAfterDate: new Date(Date.now() + 10 * day),
} as const;

/** A file as the host serves it. */
export interface Served {
  readonly bytes: Uint8Array;
  readonly type?: string;
  /** What the host does otherwise than others. */
  readonly habit?: 'no-range' | 'no-head' | 'drops-head' | 'unknown-size' | 'endless' | 'silent' | 'no-length';
  readonly status?: number;
  readonly location?: string;
}

/** Replaces the media hosts of the internet: https on this machine, with a certificate authority of its own. */
export async function startMediaHost() {
  const extensions = [
    { name: 'basicConstraints' as const, cA: true, critical: true },
    { name: 'keyUsage' as const, keyCertSign: true, cRLSign: true, critical: true },
  ];
  const authority = await generate([{ name: 'commonName', value: 'Media authority' }], { ...base, extensions });
  const altNames = [{ type: 7 as const, ip: '127.0.0.1' }];
  const own = await generate([{ name: 'commonName', value: 'media' }], {
    ...base,
    extensions: [{ name: 'subjectAltName' as const, altNames }],
    ca: { cert: authority.cert, key: authority.private },
  });
  const directory = await mkdtemp(join(tmpdir(), 'hilo-media-'));
  const egressCa = join(directory, 'ca.pem');
  await writeFile(egressCa, authority.cert);

  const files = new Map<string, Served>();
  const asked: string[] = [];
  const server = createServer({ cert: own.cert, key: own.private }, (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trim());
    const file = files.get(request.url ?? '');
    if (file === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('none');
    else serve(file, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    egressCa,
    ca: authority.cert,
    host: `127.0.0.1:${port}`,
    files,
    asked,
    url: (path: string) => `https://127.0.0.1:${port}${path}`,
    /** Serves a file under a new name. @returns its URL */
    serve(served: Served): string {
      const path = `/${files.size}`;
      files.set(path, served);
      return `https://127.0.0.1:${port}${path}`;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(directory, { recursive: true });
    },
  };
}

function serve({ bytes, type, habit, status, location }: Served, { method, headers }: IncomingMessage, response: ServerResponse): void {
  if (habit === 'silent') return;
  if (location !== undefined) return void response.writeHead(status ?? 302, { location }).end();
  if (status !== undefined) return void response.writeHead(status).end();
  const about = type === undefined ? {} : { 'content-type': type };
  if (method === 'HEAD') {
    if (habit === 'no-head') return void response.writeHead(405).end();
    if (habit === 'drops-head') return void response.destroy();
    const length = habit === undefined || habit === 'no-range' ? { 'content-length': bytes.length } : {};
    return void response.writeHead(200, { ...about, ...length }).end();
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || habit === 'no-range' || habit === 'no-length' || habit === 'endless') {
    response.writeHead(200, about);
    if (habit !== 'endless') return void response.end(bytes);
    const more = (): void => void response.write(bytes, (error) => (error instanceof Error ? undefined : more()));
    return more();
  }
  const part = bytes.subarray(Number(first), Number(last) + 1);
  const total = habit === 'unknown-size' ? '*' : bytes.length;
  response.writeHead(206, { ...about, 'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${total}` }).end(part);
}

const padded = (begin: readonly number[], sizeBytes: number): Uint8Array => {
  const bytes = new Uint8Array(Math.max(sizeBytes, begin.length));
  bytes.set(begin);
  return bytes;
};
const chars = (text: string): readonly number[] => [...Buffer.from(text, 'latin1')];

/** The beginnings of files, padded to a size. */
export const made = {
  jpeg: (sizeBytes = 0) => padded([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...chars('JFIF\0')], sizeBytes),
  png: (sizeBytes = 0) =>
    padded(
      [
        0x89,
        ...chars('PNG\r\n\x1a\n'),
        0,
        0,
        0,
        13,
        ...chars('IHDR'),
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        1,
        8,
        6,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        ...chars('IDAT'),
      ],
      sizeBytes,
    ),
  gif: (sizeBytes = 0) => padded(chars('GIF89a'), sizeBytes),
  webp: (sizeBytes = 0) => padded([...chars('RIFF'), 0, 0, 0, 0, ...chars('WEBPVP8 ')], sizeBytes),
  pdf: (sizeBytes = 0) => padded(chars('%PDF-1.7\n'), sizeBytes),
  mp4: (sizeBytes = 0) => padded([0, 0, 0, 24, ...chars('ftypisom'), 0, 0, 2, 0, ...chars('isomiso2')], sizeBytes),
  ogg: (sizeBytes = 0) => padded([...chars('OggS'), ...Array.from({ length: 24 }, () => 0), ...chars('OpusHead')], sizeBytes),
  html: (text = '<!DOCTYPE html><html></html>') => new Uint8Array(Buffer.from(text)),
};
