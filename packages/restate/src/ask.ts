import { Agent, request } from 'node:http';

/** An HTTP answer, as far as Restate's are looked at. */
export interface Asked {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

interface Question {
  readonly method?: 'POST';
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  /** How long the whole answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

const agent = new Agent({ keepAlive: true });

/**
 * Asks one of Restate's servers.
 *
 * @param base - `http://host:port`, or `unix:/path/of/socket`
 * @throws {Error} when there is no answer in time
 */
export async function ask(base: string, path: string, { method, headers = {}, body, timeoutMs }: Question): Promise<Asked> {
  const signal = AbortSignal.timeout(timeoutMs);
  if (!base.startsWith('unix:')) {
    const answer = await fetch(`${base}${path}`, { method: method ?? 'GET', headers, signal, ...(body !== undefined && { body }) });
    return { ok: answer.ok, status: answer.status, text: await answer.text() };
  }
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      socketPath: base.slice('unix:'.length),
      path,
      method: method ?? 'GET',
      headers: { host: 'localhost', ...headers },
      signal,
    };
    const asking = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const { statusCode: status = 0 } = incoming;
        resolve({ ok: status >= 200 && status < 300, status, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    asking.once('error', reject);
    asking.end(body);
  });
}
