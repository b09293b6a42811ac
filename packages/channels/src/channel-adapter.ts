// What an adapter of a provider is: its bots, its calls, what it sends and receives; `defineChannel` makes one.
import { type Channel, type Clock, type Json, type JsonObject, requireSchema } from '@hilo/engine/contract';
import type { z } from 'zod';
import { type DialerRequest, type DialerResponse, isMessageError } from '@hilo/drivers';
import type { ChannelEvent, NoticeKind } from './channel-event.ts';
import { applyMeaning } from './private-message.ts';
import type { TemplateChange, TemplateManagement } from './template-change.ts';
import { tidyUser } from './tidy-user.ts';
import { type FetchedFile, fetchPublicFile, type MediaError, type SentFile } from './user-file.ts';
import { sampleParameters, type TemplateContent } from '@hilo/nodes/effects';

/** A bot, as the adapter of its provider sees it. */
export interface ChannelBot {
  readonly companyId: string;
  readonly id: string;
  readonly channel: Channel;
  /** The kind of user ids that the bot accepts (UID-05). */
  readonly userIdFormat: 'strict' | 'open';
}

/** A call of a provider. It is made for the bot's company, waits for its turn at a busy provider, and follows no redirect by default. */
export interface ChannelCall
  extends Pick<DialerRequest, 'method' | 'url' | 'headers' | 'body' | 'maxBytes' | 'keepBytes' | 'maxRedirects'> {
  /** For the whole call, from its turn on; 20,000 where left out. */
  readonly timeoutMs?: number;
}

/** The tools of an adapter, in every call. */
export interface ChannelContext<Config, State> {
  readonly bot: ChannelBot;
  /** The settings of the bot's provider, including secrets, as parsed by the adapter's own schema. */
  readonly config: Config;
  /** What the adapter keeps of this bot in memory, see {@link ChannelDefinition.state}. */
  readonly state: State;
  /** The one way out (P30). @throws {DriverError} where there is no answer, see `failedCall` */
  readonly dialer: { request(call: ChannelCall): Promise<DialerResponse> };
  readonly clock: Pick<Clock, 'now'>;
}

/** The recipient of a message. */
export interface Recipient {
  /** The user's id, as the sender wrote it; on whatsapp a phone number or a BSUID. */
  readonly id: string;
  /** The number that the user has now, digits only; `undefined` when it is not known. */
  readonly phone?: string | undefined;
  /** The business-scoped id that the user has now; `undefined` when it is not known. */
  readonly bsuid?: string | undefined;
  /** The {@link ChannelUser.address} of the user's last event. */
  readonly address?: string | undefined;
}

/** An approved template, as the workspace has it; its values are in the `parameters` of the message (TPL-05). */
export interface ChannelTemplate extends TemplateContent {
  readonly elementName: string;
  readonly language: string;
  readonly category: string;
}

/** A message on its way out. */
export interface ChannelMessage {
  /** Hilo's own name of the message, the same for each attempt: what a provider can return in its status events. */
  readonly messageId: string;
  /** Whether a workflow sends it: what is pressed in it later then answers its question or none. */
  readonly isOfWorkflow?: boolean;
  /** The same for each attempt (P4); at most 512 characters. */
  readonly idempotencyKey: string;
  readonly recipient: Recipient;
  /** The checked message: what `Message` of `@hilo/nodes` reads, or `{ type: "template", elementName, language, parameters, … }`. */
  readonly message: JsonObject;
  /** Present for a message of type `template`. */
  readonly template?: ChannelTemplate | undefined;
}

/** The outcome of one attempt to send. */
export type SendResult =
  /**
   * @property providerMessageId - the provider's own name of the message, by which its status events speak of it
   * @property phone - the recipient's number as the provider spells it, digits only: the user will write under it (UID-07)
   */
  | { readonly kind: 'sent'; readonly providerMessageId?: string | undefined; readonly phone?: string | undefined }
  /**
   * Not sent, and it would not be another time.
   *
   * @property cause - a code of the interface, such as `INVALID_REQUEST` or `OUTSIDE_SESSION_WINDOW`
   * @property templateStatus - the status of its template, such as `PAUSED`, where the provider refuses it for that: it is kept as news of
   *   the template, and the campaigns that send it wait
   */
  | { readonly kind: 'refused'; readonly cause: string; readonly message: string; readonly templateStatus?: string | undefined }
  /** Certainly not sent, and worth a retry. @property retryAfterMs - the pause that the provider requests */
  | { readonly kind: 'later'; readonly cause: string; readonly message: string; readonly retryAfterMs?: number | undefined }
  /** Perhaps sent (P5). It is tried again only with a provider that {@link ChannelDefinition.takesIdempotencyKey}. */
  | { readonly kind: 'unknown'; readonly cause: string; readonly message: string };

/** The headers of a delivery, by name in any case; null for one that did not come. */
export type DeliveryHeaders = Pick<Headers, 'get' | 'has'>;

/** A delivery of a provider, unparsed: its signature is over these exact bytes. */
export interface Delivery {
  readonly headers: DeliveryHeaders;
  readonly body: Uint8Array;
  /**
   * Reads the body as JSON, or a text out of it such as a field of a form, within the limits of every request: 64 levels, 40,000 keys.
   *
   * @throws what the service answers with 400
   */
  json(text?: string): Json;
}

/** The body of an answer with status 200. */
export type ChannelAnswer = { readonly text: string } | { readonly json: JsonObject };

/** A trouble of the bot's account as the provider reports it. */
export interface AccountError {
  /** The provider's own code. */
  readonly code: string;
  /** The provider's own words. */
  readonly message: string;
}

/** What a delivery holds. */
export type Received =
  /**
   * @property answer - what the provider wants to read in the answer, such as the challenge of Slack; `{ success: true }` where left out
   * @property accountErrors - what the provider reports about the bot's account, and about no message: for operators, each logged as a
   *   warning
   * @property leftOut - how many parts of it cannot be processed, by what they are and lack, in fixed words such as `message without an
   *   id`: counted in one warning, so nothing of the delivery itself may be in these words
   * @property templates - what the provider says of templates, in its order
   * @property noted - how many parts of it are no messages and concern no known user, by what they are: counted in the metrics alone
   * @property elsewhere - the other accounts of the same app that parts of it are for, each with what is left out of it by `leftOut`. A bot
   *   of the company that has the {@link ChannelDefinition.account} reads the delivery as well
   */
  | {
      readonly kind: 'events';
      readonly events: readonly ChannelEvent[];
      readonly leftOut?: { readonly [what: string]: number };
      readonly noted?: { readonly [what in NoticeKind]?: number };
      readonly answer?: ChannelAnswer | undefined;
      readonly accountErrors?: readonly AccountError[];
      readonly templates?: readonly TemplateChange[];
      readonly elsewhere?: { readonly [account: string]: { readonly [what: string]: number } };
    }
  /** A malformed delivery: nothing of it is processed, and its sender is answered 400. */
  | { readonly kind: 'invalid'; readonly code: 'INVALID_REQUEST' | 'INVALID_USER_ID'; readonly message: string };

/** The result of checking a bot's provider, for operators. */
export interface ChannelCheck {
  readonly isWorking: boolean;
  /** In words: the provider's name for the bot, or what is wrong and where to look. */
  readonly message: string;
}

/** What a form of the provider asks while a user fills it in, as a workflow reads it. */
export interface FormQuestion {
  readonly action: string;
  readonly screen: Json;
  readonly data: JsonObject;
}

/** What a workflow answers to a form. */
export type FormAnswer =
  | { readonly kind: 'answered'; readonly outputs: JsonObject }
  /** The question that offered the form is answered, or never was. */
  | { readonly kind: 'over' }
  /** Whoever asked the question is set aside, until an operator lets it go on. */
  | { readonly kind: 'aside' }
  /** There is no such workflow. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed' };

/** What an exchange with a form works with. */
export interface ExchangeHost {
  /** Runs the workflow of the address. @param token - names the message that offered the form */
  ask(token: string, question: FormQuestion): Promise<FormAnswer>;
  /** Is told what the provider reports of a form. */
  noted(error: JsonObject): void;
  /** The locale of the bot's company: the language of what the person reads who has the form. */
  readonly locale: string | undefined;
}

/** The answer to the provider, and what it is counted as. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly text: string | null;
  readonly action: string;
  readonly outcome: string;
}

/** A key for exchanges with forms. @property secret - to be kept as the field `flowKey` of the provider */
export interface MadeFlowKey {
  readonly secret: string;
  readonly fingerprint: string;
  readonly publicKey: string;
}

/** What the provider has of a key. */
export interface FlowKeyState {
  readonly isRegistered: boolean;
  readonly status: string;
}

/** How a provider's forms ask a service for their next screen. */
interface Exchange<Context> {
  /** Answers an authentic request. */
  answer(delivery: Delivery, context: Context, host: ExchangeHost): Promise<ExchangeAnswer>;
  /** Makes the key that requests are sealed for, or describes the one there is. */
  makeKey(how: { readonly rotate: boolean }, context: Context): Promise<MadeFlowKey>;
  /** Registers a public key at the provider, and reads back what it has. */
  register(publicKey: string, context: Context): Promise<FlowKeyState>;
}

/** Published limits of a provider. Those on messages are by channel: `channelFacts` of `@hilo/nodes`. */
export interface ChannelLimits {
  /** Messages per second that the provider accepts from one bot. A campaign stays below it. */
  readonly messagesPerSecond?: number;
  /** Messages that may go at once, as far as the rate of a longer time allows it; a tenth of a second's and at least ten, when left out. */
  readonly burst?: number;
}

/** How messages of one kind of provider are sent and received: the interface for authors of adapters. */
export interface ChannelDefinition<Schema extends z.ZodObject, State> {
  /** The `provider.kind` of a bot; small letters, digits and "-". */
  readonly kind: string;
  /** The channels that bots of this kind serve. */
  readonly channels: readonly Channel[];
  /**
   * The schema of `provider` in a workspace, without `kind`. Its output is stored, and parsed by it again at each start: it may fill in
   * defaults, and must accept its own output unchanged.
   */
  readonly config: Schema;
  /** Those of the fields that are secrets: texts that are encrypted at rest, masked in logs and never exported. */
  readonly secrets: readonly (keyof z.output<Schema> & string)[];
  readonly limits?: ChannelLimits;
  /** Whether the provider drops a second message of the same key, so that an unknown outcome may be tried again (P5). False, when left out. */
  readonly takesIdempotencyKey?: boolean;
  /** Whether keeping a message is all there is to sending it. False, when left out. */
  readonly isRecordOnly?: boolean;
  /**
   * What opens the provider's 24-hour window (WIN-02): a sent template, or the user's answer to it. Default: `onSend`; a bot's settings
   * take precedence.
   */
  readonly templateReopensWindow?: 'onSend' | 'onReply';
  /** The kind of user ids that its bots accept by default (UID-05); `strict` when left out. */
  readonly userIdFormat?: ChannelBot['userIdFormat'];
  /**
   * Creates the adapter's in-memory state for one bot, such as an access token and a key set. Created again at each start and whenever the
   * configuration of companies changes; none when left out.
   */
  state?(): State;
  /**
   * Builds the request of a message without sending it, for a provider with limits of its own: a message that it refuses with a
   * {@link DriverError} `INVALID_…` is refused before it is accepted.
   */
  compose?(outbound: ChannelMessage): unknown;
  /** Sends a message, once. A {@link DriverError} `INVALID_…` is a refusal; anything else that it throws is an unknown outcome. */
  send(outbound: ChannelMessage, context: ChannelContext<z.output<Schema>, State>): Promise<SendResult> | SendResult;
  /** The header with the provider's credential, in small letters: without it a delivery is refused before anything is looked up (P27). */
  readonly signatureHeader: string;
  /** Whether the provider sent these bytes; what it throws is a no (T5). */
  authenticate(delivery: Delivery, context: ChannelContext<z.output<Schema>, State>): Promise<boolean> | boolean;
  /** Reads an authentic delivery, its events in the order in which they happened (P9). */
  receive(delivery: Delivery, context: ChannelContext<z.output<Schema>, State>): Promise<Received> | Received;
  /**
   * How deliveries name the bot's account, for a provider that delivers those of all accounts of an app to one address. Left out where each
   * bot has an app of its own.
   */
  account?(config: z.output<Schema>): string | undefined;
  /** What bots of one app have in common: the secret by which its deliveries are signed. Left out where an app has one account. */
  app?(config: z.output<Schema>): string;
  /** Answers the provider's GET that verifies this address; `undefined` for a caller without the bot's token. */
  verify?(query: URLSearchParams, context: ChannelContext<z.output<Schema>, State>): ChannelAnswer | undefined;
  /**
   * Fetches a file that a user sent, with the bot's credential: at most 25 MB, once, when something first needs its bytes. Left out where
   * the `mediaUrl` of the message is an address for anybody.
   */
  fetchFile?(file: SentFile, context: ChannelContext<z.output<Schema>, State>): Promise<FetchedFile | MediaError>;
  /** How its forms ask for their next screen while users fill them in. Left out where it has none. */
  readonly exchange?: Exchange<ChannelContext<z.output<Schema>, State>>;
  /** How its templates are listed, made and deleted. Left out where it has no interface for that. */
  readonly templates?: TemplateManagement<z.output<Schema>, ChannelContext<z.output<Schema>, State>>;
  /** Makes the provider's cheapest read with the bot's own credentials; nothing is sent. Left out when there is none. */
  check?(context: ChannelContext<z.output<Schema>, State>): Promise<ChannelCheck>;
}

/** What the service passes to an adapter in each call. */
export interface ChannelHost extends Pick<ChannelContext<unknown, unknown>, 'dialer' | 'clock'> {
  /** Is told how many parts of a delivery are no messages and concern no known user, by what they are. */
  noted?(counts: NonNullable<Extract<Received, { readonly kind: 'events' }>['noted']>): void;
}

/** The exchange of one bot. */
export interface BoundExchange {
  answer(delivery: Delivery, host: ChannelHost, asking: ExchangeHost): Promise<ExchangeAnswer>;
  makeKey(how: { readonly rotate: boolean }, host: ChannelHost): Promise<MadeFlowKey>;
  register(publicKey: string, host: ChannelHost): Promise<FlowKeyState>;
}

/** The management of the templates of one bot. */
export interface BoundTemplates extends Pick<TemplateManagement<never, ChannelHost>, 'accountField' | 'list' | 'create' | 'remove'> {
  readonly account: string | undefined;
}

/** An adapter bound to the configuration of one bot. */
export interface ConnectedChannel {
  send(outbound: ChannelMessage, host: ChannelHost): Promise<SendResult>;
  authenticate(delivery: Delivery, host: ChannelHost): Promise<boolean>;
  receive(delivery: Delivery, host: ChannelHost): Promise<Received>;
  /** How deliveries name the bot's account; not there where each bot has an app of its own. */
  readonly account: string | undefined;
  /** The secret that bots of one app have in common; not there where an app has one account. */
  readonly app: string | undefined;
  /** Fetches a file that a user sent, or says why there is none. */
  fetchFile(file: SentFile, host: ChannelHost): Promise<FetchedFile | MediaError>;
  /** Not there where the provider does not ask. */
  readonly verify: ((query: URLSearchParams, host: ChannelHost) => ChannelAnswer | undefined) | undefined;
  /** Not there where the provider has no forms that ask. */
  readonly exchange: BoundExchange | undefined;
  /** Not there where the provider has no interface for templates. */
  readonly templates: BoundTemplates | undefined;
  /** Not there where the provider has nothing to read. */
  readonly check: ((host: ChannelHost) => Promise<ChannelCheck>) | undefined;
}

/** An adapter, complete: one value for each kind of provider, see {@link defineChannel}. */
export interface ChannelAdapter {
  readonly kind: string;
  readonly channels: readonly Channel[];
  readonly config: z.ZodObject;
  readonly secrets: readonly string[];
  readonly limits: ChannelLimits;
  readonly takesIdempotencyKey: boolean;
  readonly isRecordOnly: boolean;
  readonly templateReopensWindow: 'onSend' | 'onReply';
  readonly userIdFormat: ChannelBot['userIdFormat'];
  readonly signatureHeader: string;
  /** Why the provider would refuse a message other than a template; `undefined` when it may accept it. */
  refusal(message: JsonObject): string | undefined;
  /** Why the provider can never send a template, whatever the values of its parameters; `undefined` when it may send it. */
  templateRefusal(template: ChannelTemplate): string | undefined;
  /**
   * Binds the adapter to one bot.
   *
   * @param fields - the fields of its provider, secrets included
   * @returns the fields that are missing or not as the schema wants them, where the bot cannot work
   */
  connect(bot: ChannelBot, fields: JsonObject): ConnectedChannel | { readonly unfitFields: readonly string[] };
}

/**
 * A channel adapter as one value.
 *
 * @example
 * const Page = z.object({ id: z.string(), from: z.string(), text: z.string(), at: z.number() });
 * const pager = defineChannel({
 *   kind: 'pager',
 *   channels: ['custom'],
 *   config: z.strictObject({ url: z.url(), token: z.string() }),
 *   secrets: ['token'],
 *   send: async ({ message, recipient }, { config, dialer }) => {
 *     const body = JSON.stringify({ to: recipient.id, text: message['text'] });
 *     const { status } = await dialer.request({ method: 'POST', url: config.url, body });
 *     return status < 300 ? { kind: 'sent' } : { kind: 'refused', cause: 'PROVIDER_REFUSED', message: `The pager answered ${status}` };
 *   },
 *   signatureHeader: 'x-pager-token',
 *   authenticate: ({ headers }, { config }) => headers.get('x-pager-token') === config.token,
 *   receive: (delivery) => {
 *     const { id, from, text, at: atMs } = Page.parse(delivery.json());
 *     return { kind: 'events', events: [{ kind: 'message', eventId: id, atMs, user: { id: from }, message: { id, type: 'text', text } }] };
 *   },
 * });
 * @throws {TypeError} for a `config` that is no schema of zod 4, such as one of zod 3
 */
export function defineChannel<Schema extends z.ZodObject, State = undefined>(definition: ChannelDefinition<Schema, State>): ChannelAdapter;
export function defineChannel<Schema extends z.ZodObject, State>(definition: ChannelDefinition<Schema, State | undefined>): ChannelAdapter {
  const {
    kind,
    channels,
    config: schema,
    secrets,
    limits = {},
    takesIdempotencyKey = false,
    isRecordOnly = false,
    verify,
    check,
    exchange,
    templates,
  } = definition;
  requireSchema(`The "config" of the channel "${kind}"`, schema);
  const refusalOf = (outbound: Pick<ChannelMessage, 'message' | 'template'>): string | undefined => {
    try {
      definition.compose?.({ messageId: '', idempotencyKey: '', recipient: { id: '' }, ...outbound });
      return undefined;
    } catch (error) {
      if (isMessageError(error)) return error.message;
      throw error;
    }
  };
  return {
    kind,
    channels,
    config: schema,
    secrets,
    limits,
    takesIdempotencyKey,
    isRecordOnly,
    templateReopensWindow: definition.templateReopensWindow ?? 'onSend',
    userIdFormat: definition.userIdFormat ?? 'strict',
    signatureHeader: definition.signatureHeader,
    refusal: (message) => refusalOf({ message }),
    templateRefusal: (template) => refusalOf({ message: { type: 'template', parameters: sampleParameters(template) }, template }),
    connect(bot, fields) {
      const parsed = schema.safeParse(fields);
      if (!parsed.success) return { unfitFields: [...new Set(parsed.error.issues.flatMap(fieldsOf))] };
      const { data: config } = parsed;
      const state = definition.state?.();
      const context = (host: ChannelHost): ChannelContext<z.output<Schema>, State | undefined> => ({ ...host, bot, config, state });
      return {
        async send(outbound, host) {
          try {
            return await definition.send(outbound, context(host));
          } catch (error) {
            if (isMessageError(error)) return { kind: 'refused', cause: error.code, message: error.message };
            throw error;
          }
        },
        authenticate: async (delivery, host) => definition.authenticate(delivery, context(host)),
        async receive(delivery, host) {
          const received = await definition.receive(delivery, context(host));
          if (received.kind !== 'events') return received;
          const { noted, ...told } = received;
          if (noted !== undefined) host.noted?.(noted);
          return { ...told, events: told.events.map((event) => withTidyUser(applyMeaning(kind, event))) };
        },
        account: definition.account?.(config),
        app: definition.app?.(config),
        fetchFile: (file, host) => definition.fetchFile?.(file, context(host)) ?? fetchPublicFile(file, host),
        verify: verify === undefined ? undefined : (query, host) => verify.call(definition, query, context(host)),
        exchange: exchange && bindExchange(exchange, context),
        templates: templates && bindTemplates(templates, config, context),
        check: check === undefined ? undefined : (host) => check.call(definition, context(host)),
      };
    },
  };
}

/** The exchange of a definition, for one bot. */
const bindExchange = <Context>(exchange: Exchange<Context>, context: (host: ChannelHost) => Context): BoundExchange => ({
  answer: (delivery, host, asking) => exchange.answer(delivery, context(host), asking),
  makeKey: (how, host) => exchange.makeKey(how, context(host)),
  register: (publicKey, host) => exchange.register(publicKey, context(host)),
});

/** The management of templates of a definition, for one bot. */
const bindTemplates = <Config, Context>(
  templates: TemplateManagement<Config, Context>,
  config: Config,
  context: (host: ChannelHost) => Context,
): BoundTemplates => ({
  accountField: templates.accountField,
  account: templates.account(config),
  list: (from, host) => templates.list(from, context(host)),
  create: (template, host) => templates.create(template, context(host)),
  remove: (template, host) => templates.remove(template, context(host)),
});

/** What the provider says of a user must not cost their message. */
const withTidyUser = (event: ChannelEvent): ChannelEvent => ('user' in event ? { ...event, user: tidyUser(event.user) } : event);

/** The fields of an issue; an unknown field is named by its key. */
const fieldsOf = (issue: z.core.$ZodIssue): readonly string[] =>
  issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? '')];
