// The node `payment`.
import {
  defineNode,
  durationMs,
  fail,
  formatPath,
  getPath,
  isJsonObject,
  type Json,
  leave,
  type Outcome,
  type Path,
  paymentEnd,
  perform,
  type RunArguments,
  setPath,
  type Variables,
} from '@hilo/engine/contract';
import { openCheckout } from '../effects/open-checkout.ts';
import { sendMessage } from '../effects/send-message.ts';
import { checkMessage, messageChecks, messageNames } from '../message-config.ts';
import { invalidMessage, windowClosed } from '../message-sending.ts';
import { amountRule, descriptionRule, isAmount, isDescription, isWithin, PaymentConfig } from './config.ts';
import { namesAt } from '../names-at.ts';

/** How long a provider has to open a checkout. No plan limits it: those are for `api` and `soap` (TMO-01). */
const openingMs = 30_000;

/**
 * Opens a checkout, sends its link to the user and waits for its result. Without `auth` it is a test in which the visitor of the link
 * chooses the result (PAY-01); on the Free plan a node may open ten of them, and the next leaves by `error` (PAY-02). Events after the end
 * of the wait are stored with the payment, and have no consequence.
 */
export const payment = defineNode({
  type: 'payment',
  config: PaymentConfig,
  visual: {
    label: 'Payment',
    category: 'integration',
    icon: 'credit-card',
    colour: '#0d9488',
    description: 'Sends the user a payment link, and waits until the payment is approved or rejected, or time is over.',
    summary: ({ amount, currency, auth }) =>
      [typeof amount === 'number' || typeof amount === 'string' ? `${amount} ${currency ?? ''}` : '', auth === undefined ? 'test' : '']
        .filter(Boolean)
        .join(' · '),
    formHints: {
      'auth.credentialId': 'credential',
      amount: 'expression',
      description: 'expression',
      timeout: 'duration',
      message: 'message',
      saveAs: 'variable',
    },
  },
  facts: { needs: 'the credential of a provider; without one it is a test', limits: 'ten tests for each configuration on the Free plan' },
  names: messageNames,
  ports: ['approved', 'rejected'],
  optionalPorts: ['pending', 'expired', 'error'],
  supports: { kinds: ['skill'] },
  effects: [openCheckout, sendMessage],
  risk: () => 'money',
  run(visit) {
    const { config, variables } = visit;
    const { auth, currency, timeout } = config;
    const amount = config.amount(variables);
    if (!isAmount(amount)) return fail('INVALID_AMOUNT', amountRule);
    const description = config.description(variables).trim();
    if (!isDescription(description)) return fail('INVALID_DESCRIPTION', descriptionRule);

    const wanted = { amount, currency, description, openMs: durationMs(timeout, variables), timeoutMs: openingMs };
    return perform(
      openCheckout(auth === undefined ? wanted : { ...wanted, credentialId: auth.credentialId }),
      (answer): Outcome<Port> => {
        switch (answer.kind) {
          case 'opened': {
            const { checkoutId, url } = answer;
            return sendLink(visit, { checkoutId, url, amount, currency }, description);
          }
          case 'refused':
            return fail(answer.cause, answer.message);
          case 'failed': {
            const { reason, message, outcome, retryAfterMs } = answer;
            const details = { outcome, ...(retryAfterMs !== undefined && { retryAfterMs }) };
            return fail(reason === 'timeout' ? 'TIMEOUT' : 'PAYMENT_UNAVAILABLE', message, details);
          }
        }
      },
      { deadline: { appliedMs: openingMs, cause: 'TIMEOUT' } },
    );
  },
  waitFields: { timeout: ['expired'] },
  writingFields: ['saveAs'],
  sends: () => 'message',
  waitsBefore: () => ['approved', 'rejected', 'pending', 'expired'],
  writes: ({ saveAs }) => (saveAs === undefined ? {} : Object.fromEntries(statuses.map((status) => [status, [formatPath(saveAs)]]))),
  shapes: ({ saveAs }) => namesAt(saveAs, ['checkoutId', 'url', 'amount', 'currency', 'status']),
  references: ({ auth }) =>
    auth === undefined ? [] : [{ kind: 'credential', suits: ['stripe'], id: auth.credentialId, at: ['auth', 'credentialId'] }],
  check: ({ message }, { channels }) => (message === undefined ? [] : messageChecks(message, channels)),
});

/** The states of a checkout that the node is signalled: each has its port. */
const statuses = ['approved', 'rejected', 'pending', 'expired'] as const;
type Status = (typeof statuses)[number];
type Port = Status | 'error';
type Visit = RunArguments<PaymentConfig>;

/** A checkout that is open. */
type Checkout = { readonly checkoutId: string; readonly url: string; readonly amount: number; readonly currency: string };

/** A closed window is an error here: a user who cannot get messages cannot be asked to pay (WIN-01). */
function sendLink(visit: Visit, checkout: Checkout, description: string): Outcome<Port> {
  const { config, variables, channel } = visit;
  const saved = { ...checkout, status: 'open' };
  const now = config.saveAs === undefined ? variables : withValue(variables, config.saveAs, saved);
  const rendered = config.message?.(now, channel) ?? checkMessage({ type: 'text', text: `${description}\n${checkout.url}` }, channel);
  if (rendered.kind === 'invalid') return invalidMessage(rendered);
  return perform(sendMessage({ message: rendered.message }), (result): Outcome<Port> => {
    switch (result.kind) {
      case 'sent':
        return awaitEnd(visit, checkout);
      case 'windowClosed':
        return fail(windowClosed.cause, windowClosed.message);
      case 'refused':
        return fail(result.cause, result.message);
    }
  });
}

/** Where `pending` has no edge, the outcome of a payment under way is waited for, and the time begins again. */
function awaitEnd(visit: Visit, checkout: Checkout): Outcome<Port> {
  const { timeout, saveAs } = visit.config;
  return perform(paymentEnd({ key: checkout.checkoutId, dueInMs: durationMs(timeout, visit.variables) }), (ended): Outcome<Port> => {
    const status = ended.kind === 'timeout' ? 'expired' : readStatus(ended.payload);
    if (status === undefined) return fail('PAYMENT_UNKNOWN', 'The outcome of the payment was reported with an unknown status');
    if (status === 'pending' && !visit.isConnected('pending')) return awaitEnd(visit, checkout);
    const writes = saveAs === undefined ? [] : [{ path: saveAs, value: { ...checkout, status } }];
    if (status === 'approved' || status === 'rejected') return leave(status, writes);
    return leave(status, writes, { failure: { cause: status.toUpperCase(), message: unfinished[status] } });
  });
}

const unfinished = {
  pending: 'The payment is in progress; its outcome is not known yet',
  expired: 'The payment was not made in time',
} as const;

const readStatus = (payload: Json): Status | undefined => {
  const status = isJsonObject(payload) ? payload['status'] : undefined;
  return statuses.find((known) => known === status);
};

/** The variables with a value written at a path. */
const withValue = (variables: Variables, at: Path, value: Json): Variables => ({
  get(path) {
    if (isWithin(path, at)) return getPath(value, path, at.length);
    const held = variables.get(path);
    if (!isWithin(at, path)) return held;
    const around = { held: copyJson(held ?? {}) };
    setPath(around, ['held', ...at.slice(path.length)], value);
    return around.held;
  },
});

/** A copy as JSON: state is frozen. */
const copyJson = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;
