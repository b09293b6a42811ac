// Texts of an operator that follow each other within a few seconds leave as one message.
import { type Clock, Duration, isJsonObject, type JsonObject, type Random } from '@hilo/engine/contract';
import { type ChannelFacts, channelFacts, textLength } from '@hilo/nodes';
import { asCondition, type Runner } from '@hilo/stores';
import { takeKey, usedKey } from '../messages/accept-send.ts';
import type { Outbox, SendKey, UsedKey } from '../messages/messages.ts';
import type { Companies } from '../tenants/companies.ts';
import { operatorTexts } from '../platform/tables/conversations.ts';
import { noteOperator, type NotedConversation } from './activity.ts';
import { conversationById, countPart, joinGroup, letLeave, removeGroup, removeTexts, textsOfGroup } from './sql.ts';

/** For how long texts of an operator are gathered, counted from the first; `undefined` where the company does not want it (GRP-01). */
export function readGroupingWindowMs(settings: JsonObject): number | undefined {
  const { operatorGrouping } = settings;
  if (!isJsonObject(operatorGrouping) || operatorGrouping['enabled'] !== true) return undefined;
  const windowMs = Duration.safeParse(operatorGrouping['window']).data;
  return windowMs === undefined ? undefined : Math.min(Math.max(windowMs, 1_000), 20_000);
}

/** Only bare texts are joined: one with options, or without its preview, is a message of its own (GRP-02). */
export const isGroupable = (message: JsonObject): message is JsonObject & { readonly text: string } =>
  message['type'] === 'text' && typeof message['text'] === 'string' && !('buttons' in message) && message['previewUrl'] !== false;

type Gathered = UsedKey | { readonly kind: 'unattended' };

/** Gathers texts of operators and lets them leave together. Rows keep them, so that they outlive any process. */
export interface Grouping {
  /** Nothing is written when the conversation has no operator, nor for a key that was used before (MSG-43). */
  add(conversation: NotedConversation, text: string, windowMs: number, key?: SendKey): Promise<Gathered>;
  /** Sends the gathered texts now. */
  flush(companyId: string, conversationId: string): Promise<void>;
}

interface GroupingParts {
  readonly runner: Pick<Runner, 'write' | 'readOne'>;
  readonly companies: Pick<Companies, 'botOf'>;
  readonly outbox: Pick<Outbox, 'accept'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/** Gathers texts in rows of the store, and sends them together in the order of writing (GRP-01, GRP-02). */
export function createGrouping({ runner, companies, outbox, clock, random }: GroupingParts): Grouping {
  const flush = async (companyId: string, conversationId: string): Promise<void> => {
    const place = { companyId, conversationId };
    for (;;) {
      const letting = asCondition(letLeave({ ...place, leavingId: Buffer.from(random.bytes(16)).toString('hex') }));
      const reading = textsOfGroup(place);
      const { rowsOf } = await runner.write([letting, reading]);
      const [leaving] = rowsOf(letting);
      if (leaving === undefined) return;
      const texts = rowsOf(reading).map(({ text }) => text);
      const conversation = await runner.readOne(conversationById({ companyId, id: conversationId }));
      const bot = conversation === undefined ? undefined : companies.botOf(companyId, conversation.botId);
      const parts = bot === undefined ? [] : splitText(texts.join('\n'), channelFacts[bot.channel].textLimit);
      const part = parts[leaving.partsSent];
      // A concurrent sender may have sent this part, or all of them, and the next group may be there by now (P9).
      const group = { ...place, ...leaving };
      const removing = [asCondition(removeGroup(group)), removeTexts(place)];
      // Without a bot there is no way out; and without a part there is nothing left.
      if (conversation === undefined || bot === undefined || part === undefined) {
        await runner.write(removing);
        continue;
      }
      const isLast = group.partsSent === parts.length - 1;
      const { userId } = conversation;
      // A crash behind a part repeats none: each part is counted where it is accepted (P9).
      await outbox.accept({
        companyId,
        botId: bot.id,
        userId,
        knownAs: userId,
        message: { type: 'text', text: part, previewUrl: true },
        from: 'operator',
        guard: isLast ? removing : [asCondition(countPart({ ...group, after: group.partsSent + 1 }))],
      });
    }
  };

  return {
    flush,
    async add({ companyId, id: conversationId, botId, userId }, text, windowMs, key) {
      const place = { companyId, conversationId };
      const keyPlace = { companyId, botId };
      for (;;) {
        const nowMs = clock.now();
        const noting = noteOperator({ companyId, id: conversationId, botId, userId }, nowMs);
        const joining = asCondition(joinGroup({ ...place, nowMs, dueAtMs: nowMs + windowMs }));
        const { failed, rowsOf } = await runner.write([
          ...noting,
          joining,
          ...(key === undefined ? [] : [takeKey(keyPlace, key, { conversationId }, nowMs)]),
          operatorTexts.insertOne({ companyId, conversationId, text }),
        ]);
        if (failed === undefined) return { kind: 'gathered', leavesAtMs: rowsOf(joining)[0]?.dueAtMs ?? nowMs };
        if (noting.includes(failed)) return { kind: 'unattended' };
        if (failed !== joining && key !== undefined) return (await usedKey(runner, keyPlace, key, nowMs)) ?? { kind: 'key-taken' };
        await flush(companyId, conversationId);
      }
    },
  };
}

/** Splits a text into parts that a channel accepts (GRP-02): after the last line break that fits, else in the middle of a line. */
export function splitText(text: string, { max, unit }: ChannelFacts['textLimit']): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    const fits = cutToFit(rest, max, unit);
    const lineEnd = fits.length === rest.length ? -1 : rest.lastIndexOf('\n', fits.length);
    const part = lineEnd > 0 ? rest.slice(0, lineEnd) : fits;
    rest = rest.slice(lineEnd > 0 ? lineEnd + 1 : part.length);
    if (part.trim() !== '') parts.push(part);
  }
  return parts;
}

/** At least one character, so that there is an end. */
function cutToFit(text: string, max: number, unit: ChannelFacts['textLimit']['unit']): string {
  let length = 0;
  let end = 0;
  for (const character of text) {
    length += unit === 'characters' ? 1 : textLength(character, unit);
    if (length > max && end > 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
