import type { JsonObject } from '@hilo/engine/contract';
import { watchEvents } from './watch.ts';
import type { Query, Requests } from './requests.ts';

/** An open conversation in the list of the inbox, or one that has ended. */
export interface InboxConversation {
  /** How it began: `app`, where a person answered in the app of the channel. */
  readonly origin: string;
  readonly _id: string;
  readonly operator: { readonly id: number; readonly names: string } | null;
  readonly user: { readonly id: string; readonly names: string };
  readonly bot: { readonly id: string; readonly name: string };
  readonly assignationMethod: { readonly teamName: string | null };
  readonly state: string;
  readonly endedReason: string | null;
  readonly childConversation: string | null;
  readonly channel: string | null;
  readonly waitingSince: string | null;
  readonly unread: number;
  readonly lastMessage: { readonly by: Speaker; readonly type: string; readonly text: string; readonly at: string } | null;
}

/** Whether a person answers in the app of the channel, and nobody here. */
export const isOfApp = ({ origin, operator }: Pick<InboxConversation, 'origin' | 'operator'>): boolean =>
  origin === 'app' && operator === null;

export type Speaker = 'user' | 'bot' | 'operator';

export interface Tally {
  readonly open: number;
  readonly waiting: number;
}

/** A page of the inbox, with the numbers beside its filters. */
export interface InboxPage {
  readonly results: readonly InboxConversation[];
  readonly nextCursor: string | null;
  readonly counts: Tally & {
    readonly withoutOperator: Tally;
    readonly operators: readonly ({ readonly operatorId: number } & Tally)[];
    readonly teams: readonly ({ readonly teamName: string } & Tally)[];
  };
}

export interface InboxPeople {
  /** The operator that the caller is, where the service can tell. */
  readonly operatorId: number | null;
  readonly operators: readonly { readonly id: number; readonly names: string; readonly email: string; readonly teams: readonly number[] }[];
  readonly teams: readonly { readonly id: number; readonly name: string }[];
  readonly tags: readonly { readonly id: number; readonly name: string }[];
}

export interface InboxTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly body: string;
  readonly parameters: readonly string[];
}

export interface InboxDetails {
  readonly conversation: InboxConversation;
  readonly window: { readonly isOpen: boolean; readonly until: string | null };
  readonly templates: readonly InboxTemplate[];
  readonly execution: {
    readonly executionId: string;
    readonly workflowId: string;
    readonly status: string;
    readonly variables: JsonObject;
  } | null;
  readonly tags: readonly number[];
  readonly contact: {
    readonly id: string;
    readonly fields: JsonObject;
    readonly groups: readonly string[];
    readonly marketing: string;
  } | null;
  readonly fields: readonly { readonly key: string; readonly label: string }[];
}

export interface InboxMessage {
  readonly messageId: string;
  readonly by: Speaker;
  readonly message: JsonObject;
  readonly status: string;
  readonly createdAt: string;
  readonly cause: string | null;
}

/** Who continues a conversation: an operator, or whoever of a team has the fewest. */
export type Assignee = { readonly operatorId: number } | { readonly teamId: number };

/** The calls of the inbox. */
export function inboxCalls({ get, request, open }: Requests) {
  const inboxOf = (id: string, rest = ''): string => `/inbox/${encodeURIComponent(id)}${rest}`;
  const conversationOf = (id: string, rest: string): string => `/conversations/${encodeURIComponent(id)}${rest}`;
  return {
    inbox: (companyId: string, query: Query) => get<InboxPage>('/inbox', { companyId, ...query }),
    inboxPeople: (companyId: string) => get<InboxPeople>('/inbox/people', { companyId }),
    inboxConversation: (companyId: string, id: string) => get<InboxDetails>(inboxOf(id), { companyId }),
    inboxMessages: (companyId: string, id: string, cursor?: string) =>
      get<{ readonly results: readonly InboxMessage[]; readonly nextCursor: string | null }>(inboxOf(id, '/messages'), {
        companyId,
        cursor,
      }),
    markInboxRead: (companyId: string, id: string, until: string) =>
      request('POST', inboxOf(id, '/read'), { query: { companyId }, body: { until } }),
    setInboxTags: (companyId: string, id: string, tags: readonly number[]) =>
      request('PUT', inboxOf(id, '/tags'), { query: { companyId }, body: { tags } }),
    /** @param key - the same again is the same message, however often it is sent */
    sendInboxTemplate: (
      companyId: string,
      id: string,
      template: { readonly templateId: string; readonly parameters: { readonly [name: string]: string } },
      key: string,
    ) => request('POST', inboxOf(id, '/templates'), { query: { companyId }, body: template, headers: { 'idempotency-key': key } }),
    answerConversation: (companyId: string, id: string, message: JsonObject, key: string) =>
      request('POST', conversationOf(id, '/messages'), { query: { companyId }, body: message, headers: { 'idempotency-key': key } }),
    /** Hands a message of a user in again that was set aside. */
    handInMessage: (companyId: string, botId: string, messageId: string) =>
      request('POST', `/bots/${encodeURIComponent(botId)}/messages/${encodeURIComponent(messageId)}/again`, {
        query: { companyId },
        body: {},
      }),
    assignConversation: (companyId: string, id: string, to: Assignee) =>
      request('POST', conversationOf(id, '/assign'), { query: { companyId }, body: to }),
    endConversation: (companyId: string, id: string, how: 'close' | 'resolve', reason: string) =>
      request('POST', conversationOf(id, `/${how}`), { query: { companyId }, body: { reason } }),
    async openConversation(companyId: string, who: { readonly botId: string; readonly userId: string; readonly operatorId: number }) {
      const { body } = await request('POST', '/conversations', { query: { companyId }, body: who });
      return body as InboxConversation;
    },
    /** Tells of each change of the inbox until it is aborted. */
    watchInbox: (companyId: string, told: Parameters<typeof watchEvents>[1]) =>
      watchEvents((headers, signal) => open('/inbox/events', { companyId }, { headers, signal }), told),
  };
}
