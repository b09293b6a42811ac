import type { Channel, JsonObject } from '@hilo/engine/contract';
import type { TemplateReopensWindow } from '@hilo/nodes/effects';

/** A company as its surfaces and its executions see it. */
export interface Company {
  /** The number of the workspace file, as text: what the engine calls `companyId`. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'self-service' | 'enterprise';
  readonly plan: string;
  /** Its IANA time zone: what instants are shown in where a user has none of their own. */
  readonly timeZone?: string;
  /** How it writes numbers and dates, such as `es-PE`. */
  readonly locale?: string;
  /** The workflow that is started when an execution fails. */
  readonly failureWorkflowId?: string;
  readonly settings: JsonObject;
}

/** How a bot reaches its users, secrets included: never to be shown, logged or exported. */
export interface Provider {
  /** Of a channel adapter: `log`, `custom`, `whatsapp-cloud` and so on, or one of the host's own. */
  readonly kind: string;
  /** The other fields of the kind, such as `appSecret` and `url`. */
  readonly fields: JsonObject;
}

/** A bot: one channel of a company. Its id is unique among all companies. */
export interface Bot {
  readonly companyId: string;
  readonly id: string;
  readonly name: string;
  readonly channel: Channel;
  readonly connectedAtMs: number;
  readonly provider: Provider;
  readonly settings: {
    /** UID-05; `strict` by default. */
    readonly userIdFormat: 'strict' | 'open';
    /** WIN-03; true by default. */
    readonly enforceSessionWindow: boolean;
    /** WIN-02; `onSend` by default, `onReply` for `whatsapp-cloud`. */
    readonly templateReopensWindow: TemplateReopensWindow;
  };
}

/** A template that a provider approved, or will. */
export interface MessageTemplate {
  readonly id: string;
  readonly botId: string;
  readonly elementName: string;
  readonly language: string;
  readonly category: string;
  readonly status: string;
  /** With `{{name}}` placeholders; beside or instead of it `components`. */
  readonly body: string | undefined;
  readonly components: JsonObject | readonly JsonObject[] | undefined;
}

/**
 * Companies, their bots and who may speak for them. Look-ups are from memory and at once; what another process imported is
 * seen within a second. A secret is never kept readable: keys and client secrets are hashed.
 */
export interface Companies {
  all(): readonly Company[];
  company(companyId: string): Company | undefined;
  /** By a bot's id alone: for paths that name no company. */
  bot(botId: string): Bot | undefined;
  /** A bot of this company; another company's is unknown (P28). */
  botOf(companyId: string, botId: string): Bot | undefined;
  bots(companyId: string): readonly Bot[];
  /** The most recently connected bot of a channel; of two, the one with the higher id (VER-03). */
  botOfChannel(companyId: string, channel: Channel): Bot | undefined;
  /** The company an `x-api-key` speaks for (AUT-02). Compares hashes in constant time. */
  companyOfApiKey(key: string): string | undefined;
  /**
   * The company that `clientId:clientSecret` speaks for (AUT-01). At once when the same pair was judged before; else the
   * secret is hashed first, off the event loop, in turn.
   *
   * @param network - where it comes from: who guesses waits behind the guesses of the same client and network
   * @throws {HttpError} 503 when more of them wait than may
   */
  companyOfClient(clientId: string, clientSecret: string, network?: string): string | undefined | Promise<string | undefined>;
  template(companyId: string, templateId: string): MessageTemplate | undefined;
  templates(companyId: string): readonly MessageTemplate[];
  /** The values behind a `credentialId` of a canvas, decrypted; for drivers only. */
  credential(companyId: string, credentialId: string): Promise<JsonObject | undefined>;
  /** Every secret this process knows: what must never be in an output (P31). Another list whenever there is another secret. */
  secrets(): readonly string[];
}

/** What a part takes that needs companies. */
export interface Tenancy {
  readonly companies: Companies;
}
