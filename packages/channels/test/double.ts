import type { ServerResponse } from 'node:http';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { ProviderFailure, ProviderMood } from '@hilo/testing/contracts';
import { type HttpServer, type Received, startHttp } from '../../drivers/test/local-servers.ts';

/** What a double has to know of its provider. */
export interface ProviderPlan {
  /** Whether a request carries a message. */
  isMessage(request: Received): boolean;
  /** What the provider would say of such a body; '' for one that it takes. */
  problemsOf(body: Json): string;
  /** The answer to a message that is taken. */
  readonly accepted: JsonObject;
  /** The answer to anything else, such as a request for a token; `undefined` for what the provider does not know. */
  answer?(request: Received): Json | undefined;
}

/** A provider on this machine: it checks each request as the real one would, and answers as it is told to. */
export interface ProviderDouble extends HttpServer {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  meet(mood: ProviderMood | ProviderFailure): void;
  /** Answers each message that is taken by its number, from 1: a provider gives each message an id of its own. */
  acceptBy(acceptedOf: (count: number) => JsonObject): void;
  /** The requests that carried a message. */
  sent(): readonly Received[];
  /** What was wrong with them. */
  problems(): readonly string[];
}

/** How long the provider asks to be left alone. */
const restSeconds = '7';

export async function startProvider({ isMessage, problemsOf, accepted, answer }: ProviderPlan): Promise<ProviderDouble> {
  let mood: ProviderMood | ProviderFailure = 'accepts';
  let acceptedOf = (_count: number): JsonObject => accepted;
  const problems: string[] = [];
  const sent: Received[] = [];
  const dripping = new Set<NodeJS.Timeout>();

  const take = (request: Received, response: ServerResponse): void => {
    if (!isMessage(request)) {
      const known = answer?.(request);
      return reply(response, known === undefined ? 404 : 200, known ?? {});
    }
    sent.push(request);
    const body = parse(request.body);
    const problem = isJsonObject(body) ? problemsOf(body) : 'the body is no JSON object';
    if (problem !== '') {
      problems.push(`${problem}: ${request.body}`);
      return reply(response, 400, { error: { code: 100, message: problem } });
    }
    if (typeof mood === 'object') return reply(response, mood.status, mood.body);
    switch (mood) {
      case 'accepts':
        return reply(response, 200, acceptedOf(sent.length));
      case 'limits':
        return reply(response, 429, {}, { 'retry-after': restSeconds });
      case 'babbles':
        return reply(response, 200, '<html><body>Welcome</body></html>', { 'content-type': 'text/html' });
      case 'breaks':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write(JSON.stringify(accepted).slice(0, 5), () => response.destroy());
        return;
      case 'drips': {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        dripping.add(timer);
        response.on('close', () => clearInterval(timer));
        return;
      }
      case 'floods': {
        response.writeHead(200, { 'content-type': 'application/json' });
        const pour = (): void => void (response.destroyed || response.write(' '.repeat(65_536), () => setImmediate(pour)));
        return pour();
      }
      case 'hangs':
        return;
      case 'resets':
        response.socket?.resetAndDestroy();
    }
  };

  const server = await startHttp(take);
  return {
    ...server,
    url: `http://${server.host}`,
    meet: (next) => (mood = next),
    acceptBy: (next) => (acceptedOf = next),
    sent: () => sent,
    problems: () => problems,
    async close() {
      for (const timer of dripping) clearInterval(timer);
      await server.close();
    },
  };
}

function reply(response: ServerResponse, status: number, body: Json | string, headers: { readonly [name: string]: string } = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
