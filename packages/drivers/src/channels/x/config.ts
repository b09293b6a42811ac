import { z } from 'zod';
import { optional, secret, url } from '../fields.ts';

export const config = z.strictObject({ consumerKey: secret, consumerSecret: secret, accessToken: secret, baseUrl: optional(url) });
