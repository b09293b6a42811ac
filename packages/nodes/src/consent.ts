// The node `consent`.
import { defineNode, fail, leave, perform, Template } from '@hilo/engine/contract';
import { z } from 'zod';
import { changeConsent, Marketing, maxEvidenceChars } from './effects/change-consent.ts';

/**
 * Keeps what the user said to marketing messages, in words of the flow's own: a button, a box of a form. The words STOP and START of the
 * company need no node. The message that is being answered is the proof, where the author names no other.
 */
export const consent = defineNode({
  type: 'consent',
  config: z.strictObject({
    marketing: Marketing.meta({ description: 'Whether the user allows marketing messages from now on, or has stopped them' }),
    evidence: Template.optional().meta({
      description: `What proves it, ${maxEvidenceChars} characters at most; the id of the message of the user, when left out`,
      examples: ['Box of the order form'],
    }),
  }),
  visual: {
    label: 'Consent',
    category: 'people',
    icon: 'shield-check',
    colour: '#ea580c',
    description: 'Keeps whether the user allows marketing messages. It does not lift a STOP of the user: only their START does.',
    summary: ({ marketing }) => marketing ?? '',
  },
  ports: ['next'],
  optionalPorts: ['error'],
  supports: { kinds: ['skill'] },
  effects: [changeConsent],
  run({ config: { marketing, evidence }, variables }) {
    const said = evidence === undefined ? variables.get(['$message', 'id']) : evidence(variables);
    const proof = typeof said === 'string' && said !== '' ? { evidence: said.slice(0, maxEvidenceChars).toWellFormed() } : {};
    return perform(changeConsent({ marketing, ...proof }), (result) =>
      result.kind === 'changed' ? leave('next') : fail(result.cause, result.message),
    );
  },
});
