import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { mustBe } from './explain.ts';
import { optionalText, text } from './fields.ts';
import { buttonUrl } from './web-address.ts';

/** The button of `cta_url`, which opens an address (MSG-35). */
export const ctaParameters = (dialect: Dialect) => dialect.object({ url: buttonUrl(dialect), display_text: text(dialect) });

/** The button of `voice_call` (MSG-36). */
export const voiceCallParameters = (dialect: Dialect) => dialect.object({ display_text: text(dialect) });

/** The button of `flow` (MSG-38 to MSG-40): a form of the channel's own. None of its fields is required. */
export function flowParameters(dialect: Dialect) {
  const { object } = dialect;
  const word = optionalText(dialect);
  return object({
    flow_id: word,
    flow_name: word,
    flow_cta: word,
    flow_action: word,
    flow_action_payload: object({ screen: word }).exactOptional(),
    flow_message_version: word,
    mode: z.enum(['draft', 'published'], { error: mustBe('"draft" or "published"') }).default('published'),
  });
}
