// What reaches a workflow of what a provider delivers, through the service: groups and notices do not, and a button answers its own question.
import { describe, expect, it } from 'vitest';
import { channelsStage } from './stage.ts';

const number = { display_phone_number: '15550001111', phone_number_id: '1065' };

describe('a delivery of WhatsApp', () => {
  it('moves nothing by a message of a group or an unsupported one, and keeps and counts both', async () => {
    await using stage = await channelsStage();
    const line = stage.line('whatsapp-cloud');
    const deliver = (message: object) =>
      line.deliver({
        entry: [
          {
            changes: [
              { field: 'messages', value: { metadata: number, messages: [{ from: '5215512345678', timestamp: '1', ...message }] } },
            ],
          },
        ],
      });
    const told: string[] = [];
    stage.rest.service.channels.notices.listen(({ what }) => told.push(what));
    const group = { id: 'w1', type: 'text', text: { body: 'order' }, group_id: 'Y2Fw' };
    expect(await deliver(group)).toMatchObject({ status: 200, body: { outcome: 'noted' } });
    expect(await deliver({ id: 'w2', type: 'unsupported', errors: [{ code: 131_051 }] })).toMatchObject({ body: { outcome: 'noted' } });
    expect(await deliver(group)).toMatchObject({ body: { outcome: 'duplicate' } });
    expect(told).toEqual(['group', 'unsupported']);
    expect(line.texts()).toEqual([]);
  });
});
