import { z } from 'zod';
import { optional, secret, url } from '../fields.ts';

export const config = z.strictObject({ botToken: secret, signingSecret: secret, baseUrl: optional(url) });
