// Templates of the categories that need a person's consent are not sent to who has revoked it.
import type { Contact, JsonObject } from '@hilo/engine/contract';
import type { Bot, Companies } from '../tenants/companies.ts';
import type { Delivered } from './messages.ts';

/** Judges templates by what their user has said. */
export interface ConsentGate {
  /** Whether a message is a template that needs consent: then its user is read. */
  asks(bot: Pick<Bot, 'companyId'>, message: JsonObject): boolean;
}

/** What a refused template is answered, in every way in which one can be sent. */
export const noConsent = {
  kind: 'refused',
  cause: 'NO_CONSENT',
  message: 'The user has stopped messages of this category: it can be sent after they allow them again',
} as const satisfies Delivered;

export const createConsentGate = (companies: Pick<Companies, 'company' | 'template'>): ConsentGate => ({
  asks({ companyId }, { type, templateId }) {
    const categories = companies.company(companyId)?.consent?.categories;
    if (categories === undefined || type !== 'template' || typeof templateId !== 'string') return false;
    const category = companies.template(companyId, templateId)?.category;
    return category !== undefined && categories.includes(category);
  },
});

/** Whether a message may not be sent to its user. */
export const isStopped = (gate: ConsentGate, bot: Pick<Bot, 'companyId'>, message: JsonObject, contact: Contact | undefined): boolean =>
  contact?.marketing === 'revoked' && gate.asks(bot, message);
