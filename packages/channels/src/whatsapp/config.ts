// What a bot is connected to WhatsApp's Cloud API with.
import { z } from 'zod';
import { apiVersion, field, optional, secret, url } from '../fields.ts';

export const config = z.strictObject({
  phoneNumberId: field,
  /** The WhatsApp Business Account of the number: its templates are listed, made and deleted there. */
  businessAccountId: optional(field),
  accessToken: secret,
  appSecret: secret,
  verifyToken: secret,
  apiVersion,
  baseUrl: optional(url),
  /** The keys of the forms' data endpoint, which `hilo channels flow-key` makes. */
  flowKey: optional(secret),
});

export type WhatsAppConfig = z.output<typeof config>;
