import { counted, defineTable, flag, integer, internal, json, key, keyOf, numbered, optional, plain, text } from '@hilo/stores';

/** Teams of operators. */
export const teams = defineTable(
  'teams',
  { companyId: key(text()), id: key(integer()), name: text() },
  { moves: 'copied', personal: 'none' },
);

/** Operators, who answer users, and those who did: what they answered stays theirs. */
export const operators = defineTable(
  'operators',
  {
    companyId: key(text()),
    id: key(integer()),
    names: text(),
    email: text(),
    teamIds: json<number[]>(),
    /** Since then nothing is given to them. */
    leftAtMs: optional(integer()),
  },
  { moves: 'copied', personal: 'none' },
);

/** Whether an operator has not left. */
export const isHere = ({ leftAtMs }: { readonly leftAtMs?: number | undefined }): boolean => leftAtMs === undefined;

/** The rooms of users with bots. */
export const rooms = defineTable(
  'rooms',
  {
    companyId: key(text()),
    id: key(text()),
    botId: text(),
    userKey: keyOf('userId'),
    userId: text(),
    /** Grows with each change of its tags: by it two writers notice each other. */
    tagsRevision: counted(0),
  },
  {
    moves: 'copied',
    personal: { of: 'user', column: 'userKey', among: 'botId' },
    foundBy: 'others',
    indexes: { byUser: { on: ['companyId', 'botId', 'userKey'] } },
  },
);

/** Tags on rooms. */
export const roomTags = defineTable(
  'room_tags',
  { companyId: key(text()), roomId: key(text()), tagId: key(integer()) },
  { moves: 'copied', personal: { of: 'room', column: 'roomId' } },
);

/** The origin of a conversation that a person began in the app of the provider. */
export const appOrigin = 'app';

/** Conversations between users and operators (CON rules). Each filter of lists and statistics has an index with the order of the list. */
export const conversations = defineTable(
  'conversations',
  {
    companyId: key(text()),
    id: key(text()),
    roomId: optional(text()),
    botId: text(),
    userKey: keyOf('userId'),
    userId: text(),
    operatorId: optional(integer()),
    teamName: optional(text()),
    state: plain(),
    wasReplied: flag(),
    endedReason: optional(text()),
    origin: text(),
    startAtMs: integer(),
    endAtMs: optional(integer()),
    firstRepliedAtMs: optional(integer()),
    /** How many answers of the operator were measured, how long they took together, and one by one. */
    responseCount: integer(),
    responseTotalMs: integer(),
    responseTimesMs: optional(json<readonly number[]>()),
    childConversation: optional(plain()),
    parentConversation: optional(plain()),
    /** `operator`, `user` or `bot`. */
    lastMessageBy: optional(plain()),
    /** Since when the user waits for the operator's answer; null while no user waits. */
    waitingSinceMs: internal(optional(integer())),
    /** After how long without a message it expires; null for never. */
    idleMs: internal(optional(integer())),
    /** When it expires; null where it does not, or has ended. */
    dueAtMs: internal(optional(integer())),
    /** What workflows wait for: the id of the case's first conversation, kept across transfers. */
    waitKey: internal(optional(text())),
    /** The execution that handed the user over, which waits or will. */
    executionId: internal(optional(text())),
    /** When the execution is to be signalled; null when none waits, or it was signalled. */
    tellAtMs: internal(optional(integer())),
    /** Names bot and user while it is active, so that they have one at a time; null for one of a workspace that did not continue. */
    activeKey: internal(optional(plain())),
    /** When a person first wrote in it from the provider's app: from then until its end the bot is silent. */
    takenOverAtMs: internal(optional(integer())),
  },
  {
    moves: 'copied',
    personal: {
      of: 'user',
      column: 'userKey',
      blanks: { userKey: 'erased', userId: 'erased', roomId: null, endedReason: null, executionId: null, waitKey: null, activeKey: null },
    },
    foundBy: 'others',
    bytewise: ['id'],
    indexes: {
      byAge: { on: ['companyId', 'startAtMs desc', 'id'] },
      byBot: { on: ['companyId', 'botId', 'startAtMs desc', 'id'] },
      byUser: { on: ['companyId', 'userKey', 'startAtMs desc', 'id'] },
      byOperator: { on: ['companyId', 'operatorId', 'startAtMs desc', 'id'] },
      byState: { on: ['companyId', 'state', 'startAtMs desc', 'id'] },
      byRoom: { on: ['companyId', 'roomId', 'startAtMs desc'] },
      byBotState: { on: ['companyId', 'botId', 'state', 'startAtMs desc', 'id', 'operatorId'] },
      byOperatorState: { on: ['companyId', 'operatorId', 'state', 'startAtMs desc', 'id', 'botId'] },
      byBotOperator: { on: ['companyId', 'botId', 'operatorId', 'startAtMs desc', 'id', 'state'] },
      activeKey: { on: ['activeKey'], isUnique: true },
      active: { on: ['companyId', 'botId', 'userKey'], where: "state = 'active'" },
      attended: { on: ['companyId', 'operatorId'], where: "state = 'active'" },
      due: { on: ['dueAtMs'], where: 'due_at_ms is not null' },
      untold: { on: ['tellAtMs'], where: 'tell_at_ms is not null' },
      figures: {
        on: [
          'companyId',
          'operatorId',
          'startAtMs',
          'state',
          'wasReplied',
          'lastMessageBy',
          'firstRepliedAtMs',
          'endAtMs',
          'responseCount',
          'responseTotalMs',
        ],
      },
    },
  },
);

/** Up to where somebody who answers has read a conversation. */
export const conversationReads = defineTable(
  'conversation_reads',
  {
    companyId: key(text()),
    conversationId: key(text()),
    /** The name by which the person is authenticated. */
    reader: key(text()),
    /** When the last message that they saw was kept. */
    untilMs: integer(),
  },
  { moves: 'copied', personal: { of: 'conversation', column: 'conversationId' } },
);

/** Texts of an operator that leave together (GRP-01). */
export const operatorGroups = defineTable(
  'operator_groups',
  {
    companyId: key(text()),
    conversationId: key(text()),
    dueAtMs: integer(),
    /** True once nothing more is added. */
    isLeaving: flag(),
    /** How many parts of the joined text were accepted to be sent. */
    partsSent: integer(),
    /** Distinguishes it from the group that follows in the same conversation; absent until it is sent. */
    leavingId: optional(plain()),
  },
  { moves: 'copied', personal: { of: 'conversation', column: 'conversationId' }, indexes: { due: { on: ['dueAtMs'] } } },
);

/** The texts of such groups, in the order of writing. */
export const operatorTexts = defineTable(
  'operator_texts',
  { id: numbered(), companyId: text(), conversationId: text(), text: text() },
  {
    moves: 'copied',
    personal: { of: 'conversation', column: 'conversationId' },
    indexes: { byConversation: { on: ['companyId', 'conversationId', 'id'] } },
  },
);
