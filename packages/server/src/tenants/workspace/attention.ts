import { Channel } from '@hilo/engine/contract';
import { z } from 'zod';
import { Count, Id, Instant, Name, NumberId, optional, Text, UserId } from './fields.ts';

/** A group of operators. */
export const Team = z.strictObject({ id: NumberId, name: Name });

/** A person who answers users. */
export const Operator = z.strictObject({ id: NumberId, names: Name, email: z.email(), teamIds: z.array(NumberId).default([]) });

const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'A colour looks like #7c3aed');

/** A label for rooms (TAG rules). */
export const Tag = z.strictObject({
  id: NumberId,
  name: Name,
  color: Colour,
  textColor: Colour.default('#ffffff'),
  language: Name.default('en'),
  teams: z.array(NumberId).default([]),
  channels: z.array(Channel).default([]),
});

/** Where a bot and a user meet. */
export const Room = z.strictObject({ id: Id, botId: Id, userId: UserId, tags: z.array(NumberId).default([]) });

/** Whether what is added up stays a whole number. */
const isCountable = (times: readonly number[]): boolean => Number.isSafeInteger(times.reduce((sum, ms) => sum + ms, 0));

/** A case that an operator attended, or will (CON rules). */
export const Conversation = z
  .strictObject({
    _id: Id,
    roomId: optional(Id),
    botId: Id,
    userId: UserId,
    operatorId: optional(NumberId),
    teamName: optional(Text),
    state: z.enum(['active', 'closed', 'resolved', 'expired', 'transferred']),
    wasReplied: z.boolean().default(false),
    endedReason: optional(Text),
    origin: Name.default('organic'),
    startAt: Instant,
    endAt: optional(Instant),
    firstRepliedAtOperator: optional(Instant),
    operatorResponseTimesMs: z.array(Count).default([]).refine(isCountable, 'These times add up to more than can be counted'),
    childConversation: optional(Id),
    parentConversation: optional(Id),
    lastMessageBy: optional(z.enum(['operator', 'user', 'bot'])),
  })
  .refine(({ startAt, endAt }) => endAt === undefined || endAt >= startAt, {
    error: 'A conversation does not end before it starts',
    path: ['endAt'],
  })
  .refine(({ state, endAt }) => state !== 'active' || endAt === undefined, {
    error: 'A conversation that is active has no end (CON-14)',
    path: ['endAt'],
  })
  .refine(({ startAt, firstRepliedAtOperator }) => firstRepliedAtOperator === undefined || firstRepliedAtOperator >= startAt, {
    error: 'A conversation is not replied to before it starts',
    path: ['firstRepliedAtOperator'],
  });
