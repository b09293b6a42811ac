import { channels } from '@hilo/engine/contract';
import { defineChannel } from '../channel-adapter.ts';
import { config, send } from './send.ts';
import { receive } from './receive.ts';
import { isSigned, signatureHeader } from '../signature.ts';

/** Hilo's own signed contract, both ways (EVT-01, EVT-02), by which a host connects any provider. */
export const customChannel = defineChannel({
  kind: 'custom',
  channels,
  config,
  secrets: ['appSecret'],
  takesIdempotencyKey: true,
  send,
  signatureHeader,
  authenticate: ({ headers, body }, { config: { appSecret } }) => isSigned(body, headers.get(signatureHeader), appSecret),
  receive,
});
