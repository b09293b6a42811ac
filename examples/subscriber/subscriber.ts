// A subscriber to the events of a company: takes what is signed with its secret, once, and answers 204.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

/** What happened. */
export interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: unknown;
}

/** Listens to events; `hear` is called once for each, also where a delivery is repeated. */
export function subscribe(secret: string, hear: (event: Event) => void): Server {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const seen = new Set<string>(); // keep it in a database where events must not be handled twice
  const take = (headers: IncomingHttpHeaders, body: string): number => {
    const [id, at, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => String(headers[name]));
    const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`);
    const isSigned = (given ?? '').split(' ').some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected));
    const isRecent = Math.abs(Date.now() / 1000 - Number(at)) < 300;
    if (!isSigned || !isRecent) return 401;
    if (!seen.has(String(id))) hear(JSON.parse(body) as Event);
    seen.add(String(id));
    return 204;
  };
  return createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => response.writeHead(take(request.headers, Buffer.concat(parts).toString())).end());
  });
}
