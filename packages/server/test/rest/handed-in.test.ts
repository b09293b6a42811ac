// A message that could not be processed and was set aside is handed in again by an operator: once, by the door of all messages.
import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { withPlace } from '../data/open-for-test.ts';
import { activeOf, ana, deskOf, helpDesk } from './conversations-stage.ts';

it(
  'hands a message in again, once for each time that it was set aside (P17)',
  withPlace(async ({ open }) => {
    const service = await open();
    await service.importWorkspace({ workspace: await helpDesk() });
    const desk = deskOf(service);
    const write = async (id: string, text: string) => {
      const message = { id, type: 'text', text };
      await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: `event-${id}`, user: { id: ana }, message });
      await service.engine.whenIdle();
    };
    const setAside = (messageId: string) =>
      service.messages.unmatched({ companyId: '1', botId: 'bot_wa', messageId, cause: 'NOT_PROCESSABLE' });
    const again = (messageId: string) => desk.admin(`POST /bots/bot_wa/messages/${messageId}/again`);
    const causes = async (messageId: string) =>
      (await service.messages.list('1', 'bot_wa', { limit: 100 })).results
        .filter((one) => one.messageId === messageId)
        .map(({ cause }) => cause);
    expect(await again('unknown')).toMatchObject({ status: 404, body: { error: 'MESSAGE_NOT_FOUND' } });

    await write('m2', 'help');
    expect(await again('m2')).toMatchObject({ status: 409, body: { error: 'MESSAGE_NOT_SET_ASIDE' } });
    await setAside('m2');
    expect(await again('m2')).toMatchObject({ status: 409, body: { error: 'CONVERSATION_ACTIVE' } });
    await desk.does(`POST /conversations/${await activeOf(desk)}/resolve`, { reason: 'resolved_by_operator' });
    await service.engine.whenIdle();
    const both = await Promise.all([again('m2'), again('m2')]);
    const outcomes = both.map(({ status, body }) => (status === 200 ? (body as JsonObject)['outcome'] : status));
    expect([
      ['started', 'duplicate'],
      ['duplicate', 'started'],
      ['started', 409],
      [409, 'started'],
    ]).toContainEqual(outcomes);
    expect(await again('m2')).toMatchObject({ status: 409, body: { error: 'MESSAGE_NOT_SET_ASIDE' } });
    expect(await causes('m2')).toEqual(['NOT_PROCESSABLE', null]);
    await setAside('m2');
    await service.engine.whenIdle();
    await desk.does(`POST /conversations/${await activeOf(desk)}/resolve`, { reason: 'resolved_by_operator' });
    await service.engine.whenIdle();
    expect(await again('m2')).toMatchObject({ status: 200, body: { outcome: 'started' } });

    const { results } = (await desk.does('GET /audit?object=message:m2')) as { readonly results: readonly JsonObject[] };
    expect(results.map(({ outcome, after }) => [outcome, after])).toContainEqual(['200', { outcome: 'started' }]);
  }),
  120_000,
);
