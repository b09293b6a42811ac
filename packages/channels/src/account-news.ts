// What providers say of the bot's own account, such as that it is restricted: nobody reads it in a conversation, so operators are told.
import { isJsonObject, type Json } from '@hilo/engine/contract';
import type { AccountError } from './channel-adapter.ts';

/** News of the account in a delivery, for operators. */
export interface AccountNews extends AccountError {
  readonly kind: 'account';
}

/** So much is told of a piece of news. */
const [maxNewsChars, maxNewsParts] = [500, 40];

/**
 * News of the account in the provider's words: the subject, and each field that it has with it.
 *
 * @param code - the provider's own word for it, such as `ACCOUNT_RESTRICTION`
 * @param subject - what it is about, such as `account_update`
 */
export const accountNews = (code: string, subject: string, value: Json = null): AccountNews => ({
  kind: 'account',
  code: code.slice(0, 100).toWellFormed(),
  message: [subject, saidIn(value).join(', ')]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, maxNewsChars)
    .toWellFormed(),
});

/** The fields of a value with their texts and numbers, outer ones first; entries of a list have its name. */
function saidIn(value: Json): readonly string[] {
  const said: string[] = [];
  let fields: readonly (readonly [name: string, value: Json])[] = [['', value]];
  while (fields.length > 0 && said.length < maxNewsParts) {
    const nested: (readonly [string, Json])[] = [];
    for (const [name, field] of fields) {
      if (isJsonObject(field)) nested.push(...Object.entries(field).slice(0, maxNewsParts));
      else if (Array.isArray(field)) for (const entry of (field as readonly Json[]).slice(0, maxNewsParts)) nested.push([name, entry]);
      else if (field !== null) said.push(`${name} ${typeof field === 'string' ? field : JSON.stringify(field)}`);
    }
    fields = nested.slice(0, maxNewsParts);
  }
  return said.slice(0, maxNewsParts);
}
