import { type BoundDriver, type Clock, drive, limits, type AbortSignal as Signal } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { askModel } from '@hilo/nodes/effects';
import { z } from 'zod';
import type { Dialer, DialerResponse } from '../dialer/dialer.ts';
import { type DialerError, DriverError, isDialerError } from '../driver-error.ts';
import { type Addressed, type FindCredential, readCredential, signIn, withHeader } from '../http/credential.ts';
import { unreachable } from '../http/http-driver.ts';
import { mayFit } from '../http/json-bounds.ts';
import { withholding } from '../http/withhold.ts';

export interface ModelDriverOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  readonly credential: FindCredential;
  readonly clock?: Clock;
}

type ModelRequest = z.output<typeof askModel.request>;
type Result = z.output<typeof askModel.result>;
type Failed = Omit<Extract<Result, { readonly kind: 'failed' }>, 'tookMs'>;
type Answered = Omit<Extract<Result, { readonly kind: 'answered' }>, 'tookMs'>;

/** The size limit of an answer: that of a stored value, minus its wrapping. */
const maxAnswerBytes = limits.valueBytes - 1_024;

/**
 * Performs `model.ask`: authenticates the call, makes it once and reads the answer in the format of its provider. The model gets no
 * tools, and the driver executes nothing that an answer contains (T15).
 *
 * The driver throws a `DriverError` when the company has no such credential, or an unsuitable one.
 */
export const createModelDriver = ({ dialer, credential, clock = systemClock }: ModelDriverOptions): BoundDriver =>
  drive(askModel, async (request, { origin: { companyId }, idempotencyKey, signal }): Promise<Result> => {
    const beganMs = clock.now();
    const { credentialId, timeoutMs } = request;
    const signer = credentialId === undefined ? undefined : await readCredential(credential, companyId, credentialId);
    const withhold = withholding(signer);
    const { fetch, outcome } = createDialerFetch({
      dialer,
      scope: companyId,
      timeoutMs,
      signal,
      sign({ url, headers }) {
        const call = { url, headers: withHeader(headers, 'idempotency-key', idempotencyKey) };
        return signer === undefined ? call : signIn(call, signer);
      },
    });
    const tookMs = (): number => Math.max(0, clock.now() - beganMs);
    try {
      const { text, ...answered } = await generate(request, fetch);
      const kept = withhold.text(text);
      if (Buffer.byteLength(kept) > maxAnswerBytes)
        return { ...failure('malformed', `The model wrote more than the ${maxAnswerBytes} bytes that are kept`), tookMs: tookMs() };
      return { ...answered, text: kept, tookMs: tookMs() };
    } catch (error) {
      const got = outcome();
      if (got === undefined) throw error;
      return { ...(isDialerError(got) ? describeFailure(got) : describeRefusedCall(got)), tookMs: tookMs() };
    }
  });

/** Calls the model through the library, which is loaded by the first call. */
async function generate(
  { baseUrl, model, messages, maxOutputTokens, temperature }: ModelRequest,
  fetch: DialerFetch['fetch'],
): Promise<Answered> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { content, finishReason, usage, response } = await createOpenAICompatible({ name: 'hilo', baseURL: baseUrl, fetch })
    .chatModel(model)
    .doGenerate({
      prompt: messages.map(({ role, text }) =>
        role === 'system' ? { role, content: text } : { role, content: [{ type: 'text' as const, text }] },
      ),
      maxOutputTokens,
      responseFormat: { type: 'json' },
      ...(temperature !== undefined && { temperature }),
    });
  const refusal = readRefusal(response?.body);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const tokens = { inputTokens: usage.inputTokens.total, outputTokens: usage.outputTokens.total };
  return {
    kind: 'answered',
    text: refusal ?? text,
    finish: refusal === undefined ? (finishes[finishReason.unified] ?? 'other') : 'refused',
    usage: Object.fromEntries(Object.entries(tokens).filter(([, count]) => Tokens.safeParse(count).success)),
  };
}

const Tokens = z.int().nonnegative();

const finishes: { readonly [reason: string]: Answered['finish'] | undefined } = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refused',
};

const Refusal = z.object({ choices: z.array(z.object({ message: z.object({ refusal: z.string().min(1) }) })).min(1) });

/** The model's refusal, which the library does not report. */
const readRefusal = (body: unknown): string | undefined => Refusal.safeParse(body).data?.choices[0]?.message.refusal;

const failure = (reason: Failed['reason'], message: string): Failed => ({ kind: 'failed', reason, message });

/** The result for a call without a response. */
function describeFailure(error: DialerError): Failed {
  const { reason, kind: _unreachable, ...known } = unreachable(error);
  return { message: error.message, ...known, kind: 'failed', reason: reason === 'timeout' ? 'timeout' : 'unreachable' };
}

/** The result for an answer without content. Its text is left out: it may repeat the request, or a secret. */
function describeRefusedCall({ status, retryAfterMs }: DialerResponse): Failed {
  const what = `The provider of the model answered with status ${status}`;
  const later = retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) };
  if (status === 429) return { ...failure('rate-limited', what), ...later };
  if (status >= 500) return { ...failure('unavailable', what), outcome: 'unknown', ...later };
  if (status >= 300) return { ...failure('rejected', what), outcome: 'failed' };
  return { ...failure('malformed', `${what}, and with a body that is no answer of a model`), outcome: 'unknown' };
}

/** The limit of a response, including the reasoning of a model. */
const maxBytes = 512 * 1024;

interface FetchOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  /** The company that makes the call. */
  readonly scope: string;
  readonly timeoutMs: number;
  readonly signal: Signal;
  /** What is added to a call before it goes out, such as a credential. */
  readonly sign: (call: Addressed) => Addressed;
}

/** A `fetch` for one call, and its outcome. */
export interface DialerFetch {
  readonly fetch: (address: string | URL | Request, options?: RequestInit) => Promise<Response>;
  /** The response, before the library parses it, or why there is none; `undefined` before. */
  outcome(): DialerResponse | DialerError | undefined;
}

/** A `fetch` for a library, which uses the dialer (P30), posts texts only and follows no redirect. */
function createDialerFetch({ dialer, scope, timeoutMs, signal, sign }: FetchOptions): DialerFetch {
  let outcome: DialerResponse | DialerError | undefined;
  return {
    outcome: () => outcome,
    async fetch(address, { headers, body } = {}) {
      let call: Addressed = { url: address instanceof Request ? address.url : String(address), headers: {} };
      for (const [name, value] of new Headers(headers)) call = { ...call, headers: withHeader(call.headers, name, value) };
      if (typeof body !== 'string') throw new TypeError('Only a text can be posted');
      try {
        outcome = await dialer.request({ ...sign(call), method: 'POST', body, timeoutMs, signal, scope, maxBytes, maxRedirects: 0 });
        // The library would parse a response of any size.
        if (!mayFit(Buffer.from(outcome.body).toString('utf8')))
          throw new DriverError('TOO_LARGE', 'The answer of the provider is nested too deep, or has too many keys', { wasSent: true });
      } catch (error) {
        if (isDialerError(error)) outcome = error;
        throw error;
      }
      return new Response(Buffer.from(outcome.body), { status: outcome.status, headers: outcome.headers });
    },
  };
}
