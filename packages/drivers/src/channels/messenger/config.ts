import { z } from 'zod';
import { apiVersion, field, optional, secret, url } from '../fields.ts';

export const config = z.strictObject({
  pageId: field,
  accessToken: secret,
  appSecret: secret,
  verifyToken: secret,
  apiVersion,
  baseUrl: optional(url),
});
