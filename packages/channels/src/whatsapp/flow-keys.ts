/** The key pair with which a bot's forms are exchanged: how it is kept, made, and registered at the provider. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { getPath, parseJsonText } from '@hilo/engine/contract';
import { z } from 'zod';
import type { ChannelContext, FlowKeyState, MadeFlowKey } from '../channel-adapter.ts';
import { graphUrl } from '../meta/graph.ts';
import { callProvider, isSuccess, type ProviderAnswer, textAt } from '../provider-answer.ts';
import type { WhatsAppConfig } from './config.ts';

/** How long the key before is tried after a rotation: forms that are open carry it, and clients keep it. */
const overlapMs = 7 * 86_400_000;

/** The secret of a bot: its key, and the one before until an instant. */
const Kept = z.object({
  current: z.string(),
  previous: z.object({ key: z.string(), untilMs: z.number() }).optional(),
});
type Kept = z.output<typeof Kept>;

/** The keys of a bot, parsed once: parsing costs more than using them. */
export interface FlowKeys {
  parsed?: { readonly text: string; readonly current: KeyObject; readonly previous: KeyObject | undefined; readonly untilMs: number };
}

const readKept = (secret: string | undefined): Kept | undefined => {
  try {
    return secret === undefined ? undefined : Kept.parse(parseJsonText(secret));
  } catch {
    return undefined;
  }
};

const parseKey = (pem: string): KeyObject => createPrivateKey(pem);

/** The private keys of a bot, the one in force first. */
export function keysOf(state: FlowKeys, secret: string | undefined, nowMs: number): readonly KeyObject[] {
  const kept = readKept(secret);
  if (secret === undefined || kept === undefined) return [];
  if (state.parsed?.text !== secret)
    state.parsed = {
      text: secret,
      current: parseKey(kept.current),
      previous: kept.previous === undefined ? undefined : parseKey(kept.previous.key),
      untilMs: kept.previous?.untilMs ?? 0,
    };
  const { current, previous, untilMs } = state.parsed;
  return previous === undefined || nowMs >= untilMs ? [current] : [current, previous];
}

/** Makes a key, or keeps the one that is there. @param rotate - makes another one, and keeps the one before for seven days */
export async function makeKey(secret: string | undefined, rotate: boolean, nowMs: number): Promise<MadeFlowKey> {
  const kept = readKept(secret);
  if (secret !== undefined && kept !== undefined && !rotate) return describe(secret, kept.current);
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const next: Kept = {
    current: privateKey,
    ...(kept !== undefined && { previous: { key: kept.current, untilMs: nowMs + overlapMs } }),
  };
  return describe(JSON.stringify(next), privateKey);
}

function describe(secret: string, pem: string): MadeFlowKey {
  const key = createPublicKey(parseKey(pem));
  const fingerprint = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  return { secret, fingerprint, publicKey: key.export({ type: 'spki', format: 'pem' }).toString() };
}

type Context = Pick<ChannelContext<WhatsAppConfig, unknown>, 'config' | 'dialer'>;

/** Registers a public key at the provider, and reads back what it has. */
export async function registerKey(publicKey: string, context: Context): Promise<FlowKeyState> {
  const body = new URLSearchParams({ business_public_key: publicKey }).toString();
  const posted = await ask(context, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
  if (!isSuccess(posted)) return { isRegistered: false, status: `REFUSED ${posted.status}` };
  return readKey(publicKey, context);
}

/** What the provider says of the key that it has. */
export async function readKey(publicKey: string, context: Context): Promise<FlowKeyState> {
  const { json } = await ask(context, { method: 'GET', headers: {} });
  const found = getPath(json, ['data', 0]) ?? json;
  const status = textAt(found, 'business_public_key_signature_status') ?? 'MISSING';
  const isSame = (textAt(found, 'business_public_key') ?? '').replace(/\s/g, '') === publicKey.replace(/\s/g, '');
  return { isRegistered: status === 'VALID' && isSame, status: status === 'VALID' && !isSame ? 'MISMATCH' : status };
}

function ask(
  { config: { baseUrl, apiVersion, phoneNumberId, accessToken }, dialer }: Context,
  {
    method,
    headers,
    body,
  }: { readonly method: 'GET' | 'POST'; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
): Promise<ProviderAnswer> {
  const url = `${graphUrl(baseUrl)}/${apiVersion}/${encodeURIComponent(phoneNumberId)}/whatsapp_business_encryption`;
  const call = { method, url, headers: { ...headers, authorization: `Bearer ${accessToken}` }, ...(body !== undefined && { body }) };
  return callProvider(call, { dialer });
}
