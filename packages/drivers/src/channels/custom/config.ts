import { z } from 'zod';
import { secret, url } from '../fields.ts';

/** Where messages go, and what signs both ways. */
export const config = z.strictObject({ url, appSecret: secret });
