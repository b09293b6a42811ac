import { handInMessage } from './hand-in.ts';
import { buildResource } from '../platform/define-resource.ts';
import { checkBot, makeFlowKey } from './admin-routes.ts';

/** Whether the provider of a bot lets it in, and what it delivered that could not be processed. */
export const botResource = buildResource({ name: 'bots', routes: [checkBot, handInMessage] });

/** Keys of the forms that WhatsApp shows. */
export const flowResource = buildResource({ name: 'flows', routes: [makeFlowKey] });
