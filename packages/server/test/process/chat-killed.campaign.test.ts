import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { chatWorkspace, openBrowser, readEvents, type SeenMessage } from '../chat/chat-stage.ts';
import { isGone } from './caller.ts';
import { openPlace } from './place.ts';

const [kills, count] = [2, 24];

describe('a service that is killed while a visitor chats', () => {
  it('keeps every message once, and the stream continues where it stopped (P1, P3, P10)', { timeout: 300_000 }, async () => {
    using place = openPlace(chatWorkspace());
    let url = '';
    const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(`${url}${path}`, init);
    const seen: SeenMessage[] = [];
    let lastEventId: string | undefined;
    let token: string | undefined;
    let sent = 0;

    /** Sends unaccepted messages, each under its own id, until the service is dead or `upTo` were sent. */
    const talk = async (upTo: number): Promise<void> => {
      const visitor = await openBrowser(ask, 'help', token);
      ({ token } = visitor);
      while (sent < upTo) {
        const { status } = await visitor.say(`word ${sent}`);
        if (status === 200) sent += 1;
        else await pause(250); // its rate
      }
    };
    /** Reads on from the last event, until the stream ends. */
    const listen = async (wanted: number): Promise<void> => {
      const headers = { authorization: `Bearer ${token ?? ''}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
      const reader = readEvents(await ask('/chat/help/events', { headers }));
      try {
        while (seen.length < wanted) {
          seen.push(...(await reader.messages(1)));
          lastEventId = reader.lastEventId();
        }
      } finally {
        await reader.cancel().catch(() => {});
      }
    };
    const untilGone = async (work: Promise<void>): Promise<void> => {
      await work.catch((error: unknown) => {
        if (!isGone(error) && !String(error).includes('ended')) throw error;
      });
    };

    for (let kill = 1; kill <= kills; kill += 1) {
      await using service = await place.start();
      ({ url } = service);
      await talk(sent + 1);
      const [talking, listening] = [untilGone(talk(count)), untilGone(listen(count * 2))];
      await pause(600 * kill);
      await service.end('SIGKILL');
      await Promise.all([talking, listening]);
    }
    await using service = await place.start();
    ({ url } = service);
    const listening = listen(count * 2);
    await talk(count);
    await listening;
    expect(new Set(seen.map(({ messageId }) => messageId)).size).toBe(count * 2);
    const said = seen.filter(({ direction }) => direction === 'inbound').map(({ message }) => message.text);
    expect(said).toEqual(Array.from({ length: count }, (_, number) => `word ${number}`));
    const answers = seen.filter(({ direction }) => direction === 'outbound').map(({ message }) => message.text ?? '');
    expect(answers.map((text) => text.replace(/^(?:You said|Again:) /, ''))).toEqual(said);
  });
});
