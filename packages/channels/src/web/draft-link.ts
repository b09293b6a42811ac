// Links by which an author tries a draft in the chat of a bot, on a phone of their own.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ChannelContext } from '../channel-adapter.ts';
import type { WebConfig } from './config.ts';

/** What a link lets its holder do: to talk to the draft of a workflow, for a while. */
export interface DraftLink {
  readonly workflowId: string;
  /** In milliseconds since the Unix epoch, in whole seconds. */
  readonly expiresAtMs: number;
}

type Context = Pick<ChannelContext<Pick<WebConfig, 'appSecret'>, unknown>, 'bot' | 'config'>;

/** Bytes of the proof: a code is photographed more easily the shorter it is, and nobody guesses half of a SHA-256 within the hour of a link. */
const proofBytes = 16;

/** Writes a link's token: of one company, bot and workflow. It is no secret of the bot's visitors, and passes for none of their tokens. */
export function sealDraftLink({ workflowId, expiresAtMs }: DraftLink, context: Context): string {
  const claim = Buffer.from(`${Math.floor(expiresAtMs / 1_000).toString(36)} ${workflowId}`).toString('base64url');
  return `${claim}.${proofOf(claim, context).toString('base64url')}`;
}

/**
 * Reads the token of a link.
 *
 * @returns `undefined` for a token that is malformed, forged, expired, or of another bot
 */
export function openDraftLink(token: string, context: Context, nowMs: number): DraftLink | undefined {
  const [, claim = '', proof = ''] = /^([\w-]{1,1024})\.([\w-]{22})$/.exec(token) ?? [];
  const given = Buffer.from(proof, 'base64url');
  if (given.length !== proofBytes || !timingSafeEqual(given, proofOf(claim, context))) return undefined;
  const text = Buffer.from(claim, 'base64url').toString();
  const space = text.indexOf(' ');
  const expiresAtMs = Number.parseInt(text.slice(0, space), 36) * 1_000;
  return nowMs < expiresAtMs ? { workflowId: text.slice(space + 1), expiresAtMs } : undefined;
}

const proofOf = (claim: string, { bot, config: { appSecret } }: Context): Buffer =>
  createHmac('sha256', createHmac('sha256', appSecret).update('hilo web draft').digest())
    .update(JSON.stringify([bot.companyId, bot.id, claim]))
    .digest()
    .subarray(0, proofBytes);
