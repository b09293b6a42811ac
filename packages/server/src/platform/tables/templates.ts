import type { JsonObject } from '@hilo/engine/contract';
import { defineTable, internal, json, key, optional, plain, text } from '@hilo/stores';

/** What the provider says of a template, each with the instant that it gives. It outweighs what a workspace claims. */
export interface TemplateReport {
  /** The template that was meant: of a record that was given another name since, nothing is known. */
  readonly botId: string;
  readonly elementName: string;
  readonly language: string;
  readonly providerId?: string;
  readonly status?: { readonly status: string; readonly reason?: string; readonly atMs: number };
  /** Something to know that leaves the status as it is. */
  readonly notice?: { readonly reason: string; readonly atMs: number };
  readonly quality?: { readonly quality: string; readonly atMs: number };
  readonly category?: { readonly category: string; readonly atMs: number };
  /** The category that it will have. */
  readonly categoryToCome?: { readonly category: string; readonly atMs: number };
}

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
    reported: internal(optional(json<TemplateReport>())),
  },
  { workspace: 'templates', moves: 'copied', personal: 'none' },
);
