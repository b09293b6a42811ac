import { channels } from '@hilo/engine/contract';
import { z } from 'zod';
import { defineChannel } from '../channel-adapter.ts';
import { receive } from '../custom/receive.ts';
import { isSigned, signatureHeader } from '../signature.ts';
import { optional, secret } from '../fields.ts';

/** Stores every message, and accepts the events of the custom contract: works without an account anywhere. */
export const logChannel = defineChannel({
  kind: 'log',
  channels,
  /** Without a secret the bot sends, and accepts no events. */
  config: z.strictObject({ appSecret: optional(secret) }),
  secrets: ['appSecret'],
  isRecordOnly: true,
  send: () => ({ kind: 'sent' }),
  signatureHeader,
  authenticate: ({ headers, body }, { config: { appSecret } }) => isSigned(body, headers.get(signatureHeader), appSecret),
  receive,
});
