import { isWithin } from '@hilo/engine/contract';
import type { ChannelContext, SendResult } from '../channel-adapter.ts';
import { callProvider, failedCall, isSuccess, numberAt, textAt, unauthorized } from '../provider-answer.ts';

/** The bot's own token for the connector. */
export interface TokenCache {
  token: { readonly value: string; readonly atMs: number; readonly freshForMs: number } | undefined;
  /** The request in progress: a burst of messages makes one. */
  pending: Promise<Access> | undefined;
}

/** A token, or why there is none: the message was not sent then. */
type Access = { readonly kind: 'token'; readonly value: string } | Exclude<SendResult, { readonly kind: 'sent' | 'unknown' }>;

/** A token is renewed this long before it expires. */
const earlyMs = 300_000;

interface TokenConfig {
  readonly appId: string;
  readonly appPassword: string;
  readonly tenantId?: string | undefined;
  readonly tokenUrl?: string | undefined;
}
/** What a token is requested with. */
export type TokenContext = Pick<ChannelContext<TokenConfig, { readonly access: TokenCache }>, 'config' | 'state' | 'dialer' | 'clock'>;

/**
 * The bot's token for the connector, kept until shortly before it ends.
 *
 * @param timeoutMs - of a request that begins now; that of every call where left out
 */
export async function accessToken(context: TokenContext, timeoutMs?: number): Promise<Access> {
  const {
    state: { access },
    clock,
  } = context;
  if (access.token !== undefined && isWithin(access.token.atMs, access.token.freshForMs, clock.now()))
    return { kind: 'token', value: access.token.value };
  access.pending ??= requestToken(context, timeoutMs).finally(() => {
    access.pending = undefined;
  });
  return access.pending;
}

async function requestToken({ config, state: { access }, dialer, clock }: TokenContext, timeoutMs: number | undefined): Promise<Access> {
  const { appId, appPassword, tenantId = 'botframework.com' } = config;
  const url = config.tokenUrl ?? `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
  const form = {
    grant_type: 'client_credentials',
    client_id: appId,
    client_secret: appPassword,
    scope: 'https://api.botframework.com/.default',
  };
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    const answer = await callProvider({ method: 'POST', url, headers, body, ...(timeoutMs !== undefined && { timeoutMs }) }, { dialer });
    const value = textAt(answer.json, 'access_token');
    const seconds = numberAt(answer.json, 'expires_in') ?? 3_600;
    if (isSuccess(answer) && value !== undefined) {
      access.token = { value, atMs: clock.now(), freshForMs: Math.max(0, seconds * 1_000 - earlyMs) };
      return { kind: 'token', value };
    }
    const { status, json, retryAfterMs } = answer;
    const [error, description] = ['error', 'error_description'].map((name) => textAt(json, name));
    const said = [
      error,
      description
        ?.split(/[\r\n]/, 1)[0]
        ?.replace(/\.$/, '')
        .slice(0, 300),
    ].filter((words) => words !== undefined);
    const message = `The token endpoint answered ${[status, ...said].join(' ')}`;
    if (status >= 400 && status <= 499 && status !== 429) return { kind: 'refused', cause: unauthorized.cause, message };
    return { kind: 'later', cause: 'PROVIDER_UNAVAILABLE', message, retryAfterMs };
  } catch (error) {
    // The message itself was not sent: an unknown outcome of this call does not concern it.
    const failed = failedCall(error);
    return failed.kind === 'unknown' ? { ...failed, kind: 'later' } : failed;
  }
}
