/** The data endpoint of WhatsApp Flows: what the provider asks while a user fills in a form, and how each question is answered. */
import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import { jwtVerify } from 'jose';
import type { ChannelContext, Delivery, ExchangeAnswer, ExchangeHost } from '../channel-adapter.ts';
import { textAt } from '../provider-answer.ts';
import type { WhatsAppConfig } from './config.ts';
import { openRequest } from './flow-envelope.ts';
import { type FlowKeys, keysOf } from './flow-keys.ts';

/** What a form may ask; anything else is malformed. */
const actions: ReadonlySet<string> = new Set(['INIT', 'data_exchange', 'BACK']);

type Context = ChannelContext<WhatsAppConfig, FlowKeys>;

/** Answers an authentic request: the body, the key, ping, the token and then the workflow are looked at, in this order. */
export async function exchange(delivery: Delivery, context: Context, host: ExchangeHost): Promise<ExchangeAnswer> {
  const { config, clock, state } = context;
  let body;
  try {
    body = delivery.json();
  } catch {
    return refused(400, 'malformed');
  }
  const opened = openRequest(body, keysOf(state, config.flowKey, clock.now()));
  if (opened.kind !== 'opened') return opened.kind === 'otherKey' ? refused(421, 'otherKey') : refused(400, 'malformed');
  const { request, seal } = opened;
  const action = textAt(request, 'action') ?? '';
  const answer = (status: number, outcome: string, content: JsonObject): ExchangeAnswer => ({
    status,
    action,
    outcome,
    text: seal(content),
  });
  if (action === 'ping') return answer(200, 'answered', { data: { status: 'active' } });
  const { version, data, screen, flow_token: token, flow_token_signature: signature } = request;
  if (!actions.has(action) || typeof version !== 'string' || (data !== undefined && !isJsonObject(data))) return refused(400, 'malformed');
  if (data !== undefined && data['error'] !== undefined) {
    host.noted({ screen: screen ?? null, error: data['error'], message: data['error_message'] ?? null });
    return answer(200, 'noted', { data: { acknowledged: true } });
  }
  const words = wordsOf(host.locale);
  const over = (): ExchangeAnswer => answer(427, 'over', { error_msg: words.over });
  if (typeof token !== 'string') return refused(400, 'malformed');
  if (signature !== undefined && !(await isSignedToken(signature, token, context))) return over();
  const found = await host.ask(token, { action, screen: screen ?? null, data: data ?? {} });
  switch (found.kind) {
    case 'over':
      return over();
    case 'aside':
      // On a screen the sentence is shown there, and what was filled in stays. Whoever writes later gets a new form in place of the closed one.
      return action === 'INIT' || typeof screen !== 'string'
        ? answer(427, 'aside', { error_msg: words.notNow })
        : answer(200, 'aside', { version, screen, data: { error_message: words.notNow } });
    case 'unknown':
      return { ...refused(404, 'unknown'), action };
    case 'failed':
      return { ...refused(503, 'failed'), action };
    case 'answered': {
      const content = contentOf(found.outputs, token);
      return content === undefined ? { ...refused(503, 'failed'), action } : answer(200, 'answered', { version, ...content });
    }
  }
}

/** What a person reads whose form is over, or whose conversation is set aside. */
const english = {
  over: 'This form is closed. Please write again.',
  notNow: 'This form cannot be filled in right now. Please write again later.',
};
const translated: { readonly [language: string]: typeof english } = {
  es: {
    over: 'Este formulario ya se cerró. Escríbanos de nuevo, por favor.',
    notNow: 'Este formulario no se puede llenar en este momento. Escríbanos de nuevo más tarde, por favor.',
  },
  pt: {
    over: 'Este formulário já foi encerrado. Escreva de novo, por favor.',
    notNow: 'Este formulário não pode ser preenchido agora. Escreva de novo mais tarde, por favor.',
  },
};

/** The sentences in the language of a locale such as `es-PE`; in English for others. */
const wordsOf = (locale = 'en'): typeof english => translated[locale.slice(0, 2).toLowerCase()] ?? english;

const refused = (status: number, outcome: string): ExchangeAnswer => ({ status, action: 'none', outcome, text: null });

/** The next screen that a workflow gave, or the end of the form; `undefined` for outputs that are neither. */
function contentOf({ screen, data = {}, close }: JsonObject, token: string): JsonObject | undefined {
  if (isJsonObject(close)) return { screen: 'SUCCESS', data: { extension_message_response: { params: { ...close, flow_token: token } } } };
  return typeof screen === 'string' && screen !== '' && isJsonObject(data) ? { screen, data } : undefined;
}

/** Whether the provider signed the token of the form, with the secret of the app; a token inside of the signature is this one. */
async function isSignedToken(signature: unknown, token: string, { config: { appSecret }, clock }: Context): Promise<boolean> {
  if (typeof signature !== 'string') return false;
  try {
    const options = { algorithms: ['HS256'], currentDate: new Date(clock.now()), clockTolerance: 60 };
    const { payload } = await jwtVerify(signature, Buffer.from(appSecret), options);
    return payload['flow_token'] === undefined || payload['flow_token'] === token;
  } catch {
    return false;
  }
}
