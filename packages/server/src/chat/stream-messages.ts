// The messages of a visitor as the events of a stream, each once.
import type { Clock } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import { latestOfUser, messagesOfUser } from '../messages/messages.ts';
import { advance, createCursor, type Cursor, isKnown, writeCursor } from './cursor.ts';
import type { Lane } from '../platform/database/lanes.ts';

/** How many past messages a browser without a cursor gets, and how many are read at a time. */
const [latestCount, pageSize] = [50, 200];

type MessageRow = Awaited<ReturnType<typeof readRowsAfter>>[number];

/**
 * Reads the messages of a visitor that a browser has not got: the latest ones first, where it has no cursor.
 *
 * @returns reads those that are new since the call before, as events, and when the last of them from the bot was stored
 */
export function createMessageReader(
  {
    runner,
    clock,
    hasOthers,
  }: { readonly runner: DurableStore['runner']; readonly clock: Pick<Clock, 'now'>; readonly hasOthers: boolean },
  lane: Lane,
  given: Cursor | undefined,
): () => Promise<{ readonly events: string[]; readonly repliedAtMs: number | undefined }> {
  let cursor = given;
  const readRows = async (): Promise<readonly MessageRow[]> => {
    if (cursor !== undefined) {
      const known = cursor;
      return (await readRowsAfter(runner, lane, known)).filter(({ id }) => !isKnown(known, id));
    }
    const rows = (await runner.read(latestOfUser({ ...lane, limit: latestCount }))).toReversed();
    cursor = createCursor(rows.length < latestCount ? 0 : (rows[0]?.id ?? 0) - 1);
    return rows;
  };
  return async () => {
    const rows = await readRows();
    const events = rows.map((row) => {
      const passed = advance(cursor ?? createCursor(0), row, hasOthers ? clock.now() : undefined);
      cursor = passed;
      return formatMessageEvent(row, passed);
    });
    const reply = rows.findLast(({ direction, status }) => direction === 'outbound' && status !== 'failed');
    return { events, repliedAtMs: reply?.createdAtMs };
  };
}

const readRowsAfter = (runner: DurableStore['runner'], lane: Lane, { floor }: Cursor) =>
  runner.read(messagesOfUser({ ...lane, after: floor, limit: pageSize }));

/**
 * A message as the browser gets it. A failed one is not shown, but the cursor passes it. Of two that are stored at the same time, the one
 * with the higher number may become visible first: `order` tells the browser where the other stands.
 */
function formatMessageEvent(row: MessageRow, cursor: Cursor): string {
  const { messageId, direction, status, createdAtMs: atMs, message } = row;
  if (status === 'failed') return `id: ${writeCursor(cursor)}\n\n`;
  const data = { messageId, direction, status, atMs, order: row.id, message };
  return `id: ${writeCursor(cursor)}\nevent: message\ndata: ${JSON.stringify(data)}\n\n`;
}
