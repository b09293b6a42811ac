import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { mustBe } from './explain.ts';
import { optionalText, says, text } from './fields.ts';
import { buttonUrl } from './web-address.ts';

/** The button of `cta_url`, which opens an address (MSG-35). */
export const ctaParameters = (dialect: Dialect) =>
  dialect.object({
    url: says('The address that the button opens', buttonUrl(dialect)),
    display_text: says('The label of the button', text(dialect)),
  });

/** The button of `voice_call` (MSG-36). */
export const voiceCallParameters = (dialect: Dialect) =>
  dialect.object({ display_text: says('The label of the button that calls', text(dialect)) });

/** The button of `flow` (MSG-38 to MSG-40): a form of the channel's own. None of its fields is required. */
export function flowParameters(dialect: Dialect) {
  const { object } = dialect;
  const word = optionalText(dialect);
  return object({
    flow_id: says('The form by its id; this or flow_name names it', word),
    flow_name: says('The form by its name; this or flow_id names it', word),
    flow_cta: says('The label of the button that opens the form', word),
    flow_action: says('How the form begins: "navigate" opens a screen, "data_exchange" asks its server first', word),
    flow_action_payload: says(
      'What the form begins with',
      object({ screen: says('The screen that is opened first', word) }).exactOptional(),
    ),
    flow_message_version: says('The version of the format of such messages', word),
    mode: says(
      'Which form is opened: the one being written (draft), or the one that is out (published)',
      z.enum(['draft', 'published'], { error: mustBe('"draft" or "published"') }).default('published'),
    ),
  });
}
