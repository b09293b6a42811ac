/** Answers of models that are read while they come: each provider's stream, as its own package reads it. */
import type { ServerResponse } from 'node:http';
import type { DriverContext, Json } from '@hilo/engine/contract';
import { askModel } from '@hilo/nodes/effects';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { boundDestinations, isDialerError } from '../../drivers/src/index.ts';
import { createModelDriver } from '../src/index.ts';
import { chunk, completions, done, type Provider, streams as doubles } from './provider-doubles.ts';
import { dialer, during } from '../../drivers/test/dialers.ts';
import { startHttp } from '../../drivers/test/local-servers.ts';
import { driverContext } from '../../testing/src/contracts/driver-context.ts';

type Request = z.output<typeof askModel.request>;
type Result = z.output<typeof askModel.result>;

const stock = { name: 'stock', description: 'How many are left', inputSchema: { type: 'object', properties: { sku: { type: 'string' } } } };

const names = Object.keys(doubles) as readonly Provider[];

const write =
  (...pieces: readonly string[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
/** Breaks the connection after some pieces. */
const cut =
  (...pieces: readonly string[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(pieces.join(''), () => response.socket?.destroy());
  };

async function provider(answer: (response: ServerResponse) => void, clock = createVirtualClock(0)) {
  const server = await during(startHttp((_request, response) => answer(response)));
  const driver = createModelDriver({
    dialer: boundDestinations(dialer({ allow: [server.host] }), { maxConcurrent: 1 }),
    credential: () => Promise.resolve({ kind: 'bearer', token: 'sk-canary-123' }),
    clock,
  });
  const drafts: Json[] = [];
  const ask = async (request: Partial<Request> = {}, signal = new AbortController().signal): Promise<Result> => {
    const whole = { baseUrl: `http://${server.host}/v1`, model: 'small', maxOutputTokens: 64, timeoutMs: 20_000 };
    const context = driverContext({ signal, progress: (value) => drafts.push(value) });
    const asked = askModel.request.parse({
      messages: [{ role: 'user', text: 'Is B there?' }],
      ...whole,
      output: 'text',
      tools: [stock],
      stream: true,
      credentialId: 'key',
      ...request,
    });
    return askModel.result.parse(await (driver.perform as (request: Request, context: DriverContext) => Promise<unknown>)(asked, context));
  };
  return { server, ask, drafts, clock };
}

describe('the stream of a model', { timeout: 120_000 }, () => {
  it.each(names)('of %s is shown while it comes, and is the answer', async (name) => {
    const { path, says } = doubles[name];
    const { server, ask, drafts } = await provider(write(...says('Three are', ' left.')));
    expect(await ask({ provider: name })).toEqual({
      kind: 'answered',
      text: 'Three are left.',
      finish: 'stop',
      usage: { inputTokens: 11, outputTokens: 5 },
      tookMs: 0,
    });
    expect(drafts[0]).toEqual({ text: 'Three are' });
    expect(drafts.at(-1)).toEqual({ text: 'Three are left.' });
    expect(server.received.map(({ url }) => url)).toEqual([path]);
    expect(server.received[0]?.headers).toMatchObject({ authorization: 'Bearer sk-canary-123', 'idempotency-key': 'c0ffee' });
  });

  it.each(names)('of %s takes back what comes before a call', async (name) => {
    const { ask, drafts } = await provider(write(...doubles[name].calls('Looking.')));
    const result = await ask({ provider: name });
    expect(result).toMatchObject({ kind: 'answered', text: 'Looking.', finish: 'tools', calls: [{ tool: 'stock', input: '{"sku":"B"}' }] });
    expect('kept' in result).toBe(name === 'anthropic' || name === 'google'); // what they signed goes back to them
    expect(drafts).toEqual([{ text: 'Looking.' }, { text: '' }]);
  });

  it.each(names)('of %s that is cut off is no answer, wherever it is cut', async (name) => {
    const pieces = doubles[name].says('Three are', ' left.');
    const ending = name === 'anthropic' ? 3 : name === 'google' ? 1 : 2;
    for (const length of [1, pieces.length - ending]) {
      const broken = await provider(cut(...pieces.slice(0, length)));
      expect(await broken.ask({ provider: name })).toMatchObject({ kind: 'failed', reason: 'malformed', outcome: 'unknown' });
      expect(broken.drafts.length === 0 || broken.drafts.at(-1)).toEqual(broken.drafts.length === 0 ? true : { text: '' });
      const ended = await provider(write(...pieces.slice(0, length)));
      expect(await ended.ask({ provider: name })).toMatchObject({ kind: 'failed', reason: 'malformed', outcome: 'unknown' });
    }
  });

  it.each(names)('of %s that never began fails like any call', async (name) => {
    const busy = (response: ServerResponse): void => void response.writeHead(429, { 'retry-after': '7' }).end('{"error":{"message":"no"}}');
    const { server, ask, drafts } = await provider(busy);
    expect(await ask({ provider: name })).toMatchObject({ kind: 'failed', reason: 'rate-limited', retryAfterMs: 7_000 });
    const html = await provider((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    expect(await html.ask({ provider: name })).toMatchObject({ kind: 'failed', reason: 'malformed', outcome: 'unknown' });
    expect([server.received.length, drafts]).toEqual([1, []]);
  });

  it('shows no refusal and no answer that is cut short', async () => {
    const refused = await provider(
      write(chunk({ role: 'assistant', refusal: 'I will' }), chunk({ refusal: ' not.' }), chunk({}, 'stop'), done),
    );
    expect(await refused.ask()).toMatchObject({ kind: 'answered', finish: 'refused', text: 'I will not.' });
    expect(refused.drafts.at(-1)).toEqual({ text: '' });
    const long = await provider(write(chunk({ role: 'assistant', content: 'And then' }), chunk({}, 'length'), done));
    expect(await long.ask()).toMatchObject({ kind: 'answered', finish: 'length', text: 'And then' });
    expect(long.drafts).toEqual([{ text: 'And then' }, { text: '' }]);
  });

  it('shows neither marks nor the credential, though they come in pieces (P31)', async () => {
    const texts = ['Yes [', '[v1', ']] and sk-can', 'ary-123 ', 'are yours'];
    const { ask, drafts } = await provider(write(...completions.says(...texts)));
    expect(await ask()).toMatchObject({ text: 'Yes [[v1]] and [redacted] are yours' });
    expect(drafts[0]).toEqual({ text: 'Yes ' });
    expect(drafts.at(-1)).toEqual({ text: 'Yes … and [redacted] are yours' });
    expect(JSON.stringify(drafts)).not.toMatch(/\[\[|canary|sk-/);
  });

  it('ends where it is longer than what is kept, and leaves the rest (P20)', async () => {
    const { ask, drafts, server } = await provider((response) => {
      let sent = 0;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => {
        while (sent < 1_000 && response.write(completions.says('x'.repeat(1_024))[0])) sent += 1;
      };
      response.on('drain', more);
      more();
    });
    expect(await ask()).toMatchObject({ kind: 'failed', reason: 'malformed', outcome: 'unknown' });
    expect(drafts.at(-1)).toEqual({ text: '' });
    // The one place at this destination is free again.
    expect(await ask()).toMatchObject({ reason: 'malformed' });
    expect(server.received).toHaveLength(2);
  });

  it('is not parsed where an event is nested beyond all bounds (P20)', async () => {
    const { ask } = await provider(write(`data: {"choices":[],"more":${'['.repeat(9_000)}${']'.repeat(9_000)}}\n\n`, done));
    expect(await ask()).toMatchObject({ kind: 'failed', reason: 'malformed', outcome: 'unknown' });
  });

  it('is waited for as long as the question says, not as long as something comes (P13)', async () => {
    let open: ServerResponse | undefined;
    const { ask, drafts, server } = await provider((response) => {
      open = response.writeHead(200, { 'content-type': 'text/event-stream' });
      open.write(chunk({ role: 'assistant', content: 'One' }));
    });
    const controller = new AbortController();
    const asked = ask({}, controller.signal);
    await expect.poll(() => drafts.length).toBe(1);
    open?.write(chunk({ content: ' two' }));
    controller.abort();
    expect(await asked).toMatchObject({ kind: 'failed', reason: 'timeout', outcome: 'unknown' });
    expect(drafts).toEqual([{ text: 'One' }, { text: '' }]);
    await expect.poll(() => server.connections.every(({ destroyed }) => destroyed)).toBe(true);
  });
});

describe('a body that is read while it comes', { timeout: 120_000 }, () => {
  const call = { method: 'GET', timeoutMs: 20_000, stream: true } as const;
  const read = async (body: ReadableStream<Uint8Array> | undefined): Promise<number> => {
    let bytes = 0;
    for await (const one of body ?? []) bytes += one.length;
    return bytes;
  };

  it('comes as fast as it is read: what is not read does not come', async () => {
    let sentBytes = 0;
    const piece = Buffer.alloc(64 * 1024);
    const server = await during(
      startHttp((_request, response) => {
        response.writeHead(200);
        const more = (): void => {
          let isTaken = true;
          while (isTaken && sentBytes < 256 * piece.length) {
            sentBytes += piece.length;
            isTaken = response.write(piece);
          }
          if (isTaken) response.end();
        };
        response.on('drain', more);
        more();
      }),
    );
    const { body, stream } = await dialer({ allow: [server.host] }).request({
      ...call,
      url: `http://${server.host}/`,
      maxBytes: 16 * 1024 * 1024,
    });
    expect(body.length).toBe(0);
    let known = -1;
    await expect.poll(() => known === (known = sentBytes), { interval: 100 }).toBe(true);
    expect(sentBytes).toBeLessThan(256 * piece.length); // the buffers of the connection are full
    expect(await read(stream?.body)).toBe(256 * piece.length);
  });

  it.each([
    [1_023, 'TOO_LARGE'],
    [1_024, 1_024],
    [1_025, 1_024],
  ])('has %i bytes at most (P33)', async (maxBytes, expected) => {
    const server = await during(startHttp((_request, response) => void response.writeHead(200).end('x'.repeat(1_024))));
    const { stream } = await dialer({ allow: [server.host] }).request({ ...call, url: `http://${server.host}/`, maxBytes });
    const reading = read(stream?.body);
    expect(await reading.catch((error: unknown) => (isDialerError(error) ? error.code : error))).toBe(expected);
    await stream?.ended;
  });
});
