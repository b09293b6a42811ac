import { z } from 'zod';
import { optional, secret } from '../fields.ts';

/** A page's origin as browsers write it: scheme, host and port, nothing behind. */
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'An origin looks like https://shop.example: no path, and no slash at its end',
});

/** The schema of the `provider` of a `web` bot. */
export const config = z.strictObject({
  /** Keys what proves who a visitor is: tokens are public, so a short secret could be guessed from one. */
  appSecret: secret.min(32, 'Write at least 32 characters: a shorter secret could be guessed from a token'),
  /** Pages that may show the chat; any page, when left out. The service's own page always may. */
  origins: optional(z.array(origin).max(100)),
});

/** The `provider` of a `web` bot: its secret, and the pages that may show its chat. */
export type WebConfig = z.output<typeof config>;
