// The driver of language models.
import { type BoundDriver, type Clock, drive, type AbortSignal as Signal } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { askModel } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { type Dialer, type DialerResponse, type FindCredential, isDialerError } from '@hilo/drivers';
import { type DialerError, readCredential, signIn, unreachable, withHeader, type Withhold, withholding } from '@hilo/drivers/kit';
import { maxAnswerBytes } from '../kept-answer.ts';
import { createDialerFetch } from './dialer-fetch.ts';
import { createDraft } from './draft.ts';
import { type Answered, generate, ProviderMissing } from './providers.ts';

/** The parts of the driver of language models. */
export interface ModelDriverOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  readonly credential: FindCredential;
  readonly clock?: Clock;
}

type Result = z.output<typeof askModel.result>;
type Failed = Omit<Extract<Result, { readonly kind: 'failed' }>, 'tookMs'>;

/**
 * Performs `model.ask`: authenticates the call, makes it once and reads the answer in the format of its provider. The driver executes
 * nothing that an answer contains: calls of tools are data for the node (T15).
 *
 * The driver throws a `DriverError` when the company has no such credential, or an unsuitable one.
 */
export const createModelDriver = ({ dialer, credential, clock = systemClock }: ModelDriverOptions): BoundDriver =>
  drive(askModel, async (request, { origin: { companyId }, idempotencyKey, signal, progress }): Promise<Result> => {
    const beganMs = clock.now();
    const { credentialId, timeoutMs, afterMs, stream } = request;
    const signer = credentialId === undefined ? undefined : await readCredential(credential, companyId, credentialId);
    const withhold = withholding(signer);
    const { fetch, outcome } = createDialerFetch({
      dialer,
      scope: companyId,
      leftMs: () => timeoutMs,
      signal,
      stream,
      sign({ url, headers }) {
        const call = { url, headers: withHeader(headers, 'idempotency-key', idempotencyKey) };
        return signer === undefined ? call : signIn(call, signer);
      },
    });
    const draft = stream === true ? createDraft(clock, withhold, (value) => progress?.(value)) : undefined;
    const tookMs = (): number => Math.max(0, clock.now() - beganMs);
    try {
      if (afterMs !== undefined) await pause(clock, afterMs, signal);
      const follower = draft && { onText: draft.add, onCall: draft.withdraw };
      const answer = conceal(await generate(request, fetch, follower), withhold);
      if (Buffer.byteLength(JSON.stringify(answer)) > maxAnswerBytes)
        return { ...failure('malformed', `The model wrote more than the ${maxAnswerBytes} bytes that are kept`), tookMs: tookMs() };
      if (isReply(answer)) draft?.finish();
      return { ...answer, tookMs: tookMs() };
    } catch (error) {
      if (error instanceof ProviderMissing) return { ...failure('provider-missing', error.message), outcome: 'failed', tookMs: tookMs() };
      const got = outcome();
      if (got === undefined) throw error;
      return { ...(isDialerError(got) ? describeFailure(got) : describeRefusedCall(got)), tookMs: tookMs() };
    } finally {
      draft?.withdraw(); // unless it is the reply
    }
  });

/** Whether an answer is what the user is told, as far as a driver knows. */
const isReply = ({ finish }: Answered): boolean => finish === 'stop' || finish === 'other';

/** The answer without the credential, which the model may repeat (P31). */
function conceal({ text, calls, ...others }: Answered, withhold: Withhold): Answered {
  const concealed = calls?.map(({ id, tool, input }) => ({
    id: withhold.text(id),
    tool: withhold.text(tool),
    input: withhold.text(input),
  }));
  return { ...others, text: withhold.text(text), ...(concealed !== undefined && { calls: concealed }) };
}

/** Waits, unless the effect is let go of before. */
const pause = (clock: Clock, forMs: number, signal: Signal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimeout(end, forMs);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

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
