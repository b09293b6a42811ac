// The deliveries of the WhatsApp Business Account that are about templates: their status, quality and category.
import { getPath, type Json } from '@hilo/engine/contract';
import { type LeftOut, leftOut } from '../left-out.ts';
import { listAt, nameAt, normalizeInstant, numberAt } from '../provider-answer.ts';
import type { TemplateChange, ToldTemplate } from '../template-change.ts';
import type { WhatsAppConfig } from './config.ts';

/** What the entries of a delivery say of templates, in their order. */
interface TemplateNews {
  readonly changes: readonly TemplateChange[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Reads what a delivery says of templates. The app delivers what concerns all of its business accounts to one address: with the id of
 * the bot's own account in its settings, what concerns another one is left out.
 */
export function readTemplateNews(entries: readonly Json[], { businessAccountId }: Pick<WhatsAppConfig, 'businessAccountId'>): TemplateNews {
  const changes: TemplateChange[] = [];
  const leftOutParts: LeftOut[] = [];
  for (const entry of entries)
    for (const change of listAt(entry, 'changes')) {
      const field = nameAt(change, 'field') ?? '';
      const read = isOfTemplates(field) ? readers[field] : undefined;
      if (read === undefined) continue;
      const value = getPath(change, ['value']) ?? null;
      const account = nameAt(entry, 'id');
      const told = readTemplate(value);
      const part =
        businessAccountId !== undefined && account !== businessAccountId
          ? leftOut('template of another business account')
          : told === undefined
            ? leftOut('change of a template without its name and language')
            : read(value, { ...told, atMs: readInstant(entry) });
      if ('kind' in part) leftOutParts.push(part);
      else changes.push(part);
    }
  return { changes, leftOut: leftOutParts };
}

/** Whether changes of a field are about templates, and are read here. */
export const isOfTemplates = (field: string): boolean => Object.hasOwn(readers, field);

type Told = ToldTemplate & { readonly atMs: number };

const readers: { readonly [field: string]: (value: Json, told: Told) => TemplateChange | LeftOut } = {
  message_template_status_update: readStatus,
  message_template_quality_update: (value, told) => {
    const quality = wordAt(value, 'new_quality_score');
    return quality === undefined ? leftOut('quality of a template without its score') : { ...told, what: 'quality', quality };
  },
  template_category_update: readCategory,
};

/** What the events of a status mean for it. */
const statusOfEvent: { readonly [event: string]: string } = {
  APPROVED: 'APPROVED',
  REINSTATED: 'APPROVED',
  UNPAUSED: 'APPROVED',
  PENDING: 'PENDING',
  IN_APPEAL: 'IN_APPEAL',
  REJECTED: 'REJECTED',
  PAUSED: 'PAUSED',
  DISABLED: 'DISABLED',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  ARCHIVED: 'ARCHIVED',
  PENDING_DELETION: 'PENDING_DELETION',
  DELETED: 'DELETED',
};

/** Events that leave the status as it is. */
const notices: ReadonlySet<string> = new Set(['FLAGGED', 'LOCKED', 'UNLOCKED', 'UNARCHIVED']);

function readStatus(value: Json, told: Told): TemplateChange | LeftOut {
  const event = wordAt(value, 'event') ?? '';
  const reason = readReason(value);
  if (notices.has(event)) return { ...told, what: 'notice', reason: [event, reason].filter((text) => text !== undefined).join(': ') };
  const status = Object.hasOwn(statusOfEvent, event) ? statusOfEvent[event] : undefined;
  return status === undefined ? leftOut('status of a template of an unknown kind') : { ...told, what: 'status', status, reason };
}

/** A notice before the change names the category of now as the new one, and the one to come as the correct one. */
function readCategory(value: Json, told: Told): TemplateChange | LeftOut {
  const [previous, next, correct] = ['previous_category', 'new_category', 'correct_category'].map((name) => wordAt(value, name));
  if (correct !== undefined && previous === undefined) return { ...told, what: 'categoryToCome', category: correct };
  return next === undefined ? leftOut('category of a template without its name') : { ...told, what: 'category', category: next };
}

/** Why: the code of the provider, and what it says beside it. */
function readReason(value: Json): string | undefined {
  const code = nameAt(value, 'reason');
  const parts = [
    code === 'NONE' ? undefined : code,
    nameAt(value, 'other_info', 'title'),
    nameAt(value, 'other_info', 'description'),
    nameAt(value, 'rejection_info', 'reason'),
    nameAt(value, 'rejection_info', 'recommendation'),
  ].filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : parts.join(': ').slice(0, maxReasonChars).toWellFormed();
}

/** Most characters that are kept of a reason. */
export const maxReasonChars = 500;

function readTemplate(value: Json): ToldTemplate | undefined {
  const [elementName, language] = [nameAt(value, 'message_template_name'), nameAt(value, 'message_template_language')];
  if (elementName === undefined || language === undefined) return undefined;
  return { elementName, language, providerId: nameAt(value, 'message_template_id') };
}

/** A constant of the provider, such as `APPROVED`; `undefined` for anything else. */
export function wordAt(value: Json, ...path: readonly string[]): string | undefined {
  const found = nameAt(value, ...path)?.toUpperCase();
  return found !== undefined && /^[A-Z][A-Z0-9_]{0,39}$/.test(found) ? found : undefined;
}

/** Seconds, in some deliveries milliseconds: seconds of that size are in the year 5138. */
function readInstant(entry: Json): number {
  const time = numberAt(entry, 'time') ?? 0;
  return normalizeInstant(time > 1e11 ? time : time * 1_000);
}
