import type { JsonObject } from '@hilo/engine/contract';
import { defineTable, json, key, optional, plain, text } from '@hilo/stores';

/** Templates of messages, as the provider of their bot has them (TPL-03). */
export const templates = defineTable(
  'templates',
  {
    companyId: key(text()),
    id: key(text()),
    botId: text(),
    elementName: plain(),
    language: plain(),
    category: plain(),
    status: plain(),
    body: optional(plain()),
    components: optional(json<readonly JsonObject[] | JsonObject>()),
  },
  { workspace: 'templates', moves: 'copied', personal: 'none' },
);
