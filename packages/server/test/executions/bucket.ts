import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

/** A bucket over HTTP that checks the signature of every request, written from AWS's description of Signature Version 4. */
export interface Bucket extends AsyncDisposable {
  /** `http://127.0.0.1:…`. */
  readonly endpoint: string;
  /** Its objects, by key. */
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** Keys that were put, in their order, each time. */
  readonly puts: readonly string[];
  /** How the next requests are answered, first come; `keep` afterwards. */
  readonly behaviours: Behaviour[];
}

/**
 * What a bucket does with a request: stores the object; fails; stores it and breaks off the answer; stores it, and calls a function
 * instead of answering.
 */
export type Behaviour = 'keep' | 'fail' | 'break off' | (() => void);

export const keys = { accessKeyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-north-1' };

/** @param port - any that is free, when left out */
export async function openBucket(port = 0): Promise<Bucket> {
  const objects = new Map<string, Uint8Array>();
  const puts: string[] = [];
  const behaviours: Behaviour[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const problem = problemOf(request, body);
    if (problem !== undefined) return refuse(response, 403, problem);
    const behaviour = behaviours.shift() ?? 'keep';
    if (behaviour === 'fail') return refuse(response, 500, 'InternalError');
    const key = decodeURIComponent(request.url ?? '');
    puts.push(key);
    objects.set(key, body);
    if (typeof behaviour === 'function') return behaviour();
    if (behaviour === 'keep') {
      response.end();
      return;
    }
    response.writeHead(200, { 'content-length': '10' });
    response.write('half', () => request.socket.destroy());
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    objects,
    puts,
    behaviours,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Why the signature of a request is wrong for this body and path; `undefined` for a right one. */
function problemOf(request: IncomingMessage, body: Uint8Array): string | undefined {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const [, credential = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(header('authorization')) ?? [];
  const date = header('x-amz-date');
  const scope = [date.slice(0, 8), keys.region, 's3', 'aws4_request'];
  if (credential !== [keys.accessKeyId, ...scope].join('/')) return 'InvalidAccessKeyId';
  if (header('x-amz-content-sha256') !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied';
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    request.method ?? '',
    path,
    query,
    ...names.map((name) => `${name}:${header(name).trim()}`),
    '',
    signed,
    sha256(body),
  ].join('\n');
  const key = scope.reduce<string | Uint8Array>((made, part) => hmac(made, part), `AWS4${keys.secret}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
  return signature === expected ? undefined : 'SignatureDoesNotMatch';
}
