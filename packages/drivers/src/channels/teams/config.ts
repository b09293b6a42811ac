import { z } from 'zod';
import { field, optional, secret, url } from '../fields.ts';

export const config = z.strictObject({
  appId: field,
  appPassword: secret,
  tenantId: optional(field),
  tokenUrl: optional(url),
  keysUrl: optional(url),
  baseUrl: optional(url),
});
