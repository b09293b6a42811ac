import { encodeKey, type RowOf } from '@hilo/stores';
import fc from 'fast-check';
import { conversationStates } from '../../src/conversations/schema.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { conversations } from '../../src/platform/tables/conversations.ts';

/** A conversation as a workspace has it, in a row. */
export type ConversationRow = Omit<
  RowOf<typeof conversations.columns>,
  'waiting_since_ms' | 'idle_ms' | 'due_at_ms' | 'wait_key' | 'execution_id' | 'tell_at_ms' | 'active_key'
>;

/** The days over which random conversations begin. */
const firstDayMs = Date.UTC(2026, 0, 1);
const days = 6;
const dayMs = 86_400_000;

/** Instants are often at the ends of days, where ranges are cut. */
export const instantMs = fc
  .tuple(
    fc.integer({ min: 0, max: days - 1 }),
    fc.oneof(fc.constantFrom(0, 1, 999, dayMs / 2, dayMs - 1_000, dayMs - 1), fc.integer({ min: 0, max: dayMs - 1 })),
  )
  .map(([day, ms]) => firstDayMs + day * dayMs + ms);

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

/** A conversation of the example's company 1, with any figures. */
export const conversationRow: fc.Arbitrary<Omit<ConversationRow, 'id'>> = fc
  .record({
    bot_id: fc.constantFrom('bot_wa', 'bot_web'),
    user_id: fc.constantFrom('5215512345678', '593987654321', 'MX.onlyBsuid9'),
    operator_id: orNull(fc.constantFrom(10, 11)),
    team_name: orNull(fc.constant('Support')),
    state: fc.constantFrom(...conversationStates),
    was_replied: fc.constantFrom(0, 1),
    ended_reason: orNull(fc.constantFrom('closed_by_operator', 'any words')),
    origin: fc.constantFrom('organic', 'transfer', 'ticket'),
    start_at_ms: instantMs,
    lasts_ms: orNull(fc.integer({ min: 0, max: 10_000_000 })),
    replied_ms: orNull(fc.integer({ min: 0, max: 1_000_000 })),
    times: fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 3 }),
    last_message_by: orNull(fc.constantFrom('operator', 'user', 'bot')),
  })
  .map(({ lasts_ms, replied_ms, times, ...row }) => ({
    ...row,
    company_id: '1',
    room_id: null,
    user_key: encodeKey(row.user_id),
    end_at_ms: row.state === 'active' || lasts_ms === null ? null : row.start_at_ms + lasts_ms,
    first_replied_at_ms: replied_ms === null ? null : row.start_at_ms + replied_ms,
    response_count: times.length,
    response_total_ms: times.reduce((total, ms) => total + ms, 0),
    response_times_ms: JSON.stringify(times),
    child_conversation: null,
    parent_conversation: null,
    taken_over_at_ms: null,
  }));

/** Stores them, with ids in the order of the list, beside one of another company that must not appear. */
export async function keep({ store }: RunningService, rows: readonly Omit<ConversationRow, 'id'>[]): Promise<readonly ConversationRow[]> {
  const kept = rows.map((row, index) => ({ ...row, id: `c${String(index).padStart(4, '0')}` }));
  const [first] = kept;
  const others = first === undefined ? [] : [{ ...first, company_id: '2', id: 'of-another' }];
  await store.runner.write(conversations.insertMissing([...kept, ...others].map(conversations.fromRow)));
  return kept;
}
