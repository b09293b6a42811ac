import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAddress, writeAddress } from './address.ts';
import { settingsSections, type View } from './studio-context.ts';

const screens = ['executions', 'examples', 'inbox', 'versions', 'jobs', 'audit', 'settings'];
const id = fc.stringMatching(/^[A-Za-z0-9_:-]{1,20}$/).filter((one) => !screens.includes(one));
const view: fc.Arbitrary<View> = fc.oneof(
  fc.constant({ screen: 'workflows' } as const),
  fc.constant({ screen: 'home' } as const),
  fc.record({ screen: fc.constant('gallery' as const), exampleId: id }, { requiredKeys: ['screen'] }),
  fc.record(
    { screen: fc.constant('editor' as const), workflowId: id, nodeId: id, layer: fc.constantFrom('proof' as const, 'changes' as const) },
    { requiredKeys: ['screen', 'workflowId'] },
  ),
  fc.record({
    screen: fc.constant('editor' as const),
    workflowId: id,
    layer: fc.constant('numbers' as const),
    from: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    version: fc.integer({ min: 1 }),
    channel: fc.constantFrom('web' as const, 'whatsapp' as const),
  }),
  fc.record(
    { screen: fc.constant('settings' as const), section: fc.constantFrom(...settingsSections), recordId: id },
    { requiredKeys: ['screen', 'section'] },
  ),
  fc.record({ screen: fc.constant('versions' as const), workflowId: id }),
  fc.record({ screen: fc.constant('executions' as const), workflowId: id, status: id, userId: id }, { requiredKeys: ['screen'] }),
  fc.record({ screen: fc.constant('inbox' as const), conversationId: id, whose: id, q: id }, { requiredKeys: ['screen'] }),
  fc.record({ screen: fc.constant('jobs' as const), jobId: id }, { requiredKeys: ['screen'] }),
  fc.record({ screen: fc.constant('audit' as const), actor: id, object: id, from: id }, { requiredKeys: ['screen'] }),
  fc.record({ screen: fc.constant('execution' as const), executionId: id, step: fc.nat() }, { requiredKeys: ['screen', 'executionId'] }),
);

it('every place has an address that leads back to it', () => {
  fc.assert(
    fc.property(id, view, (companyId, place) => {
      const [path = '', search = ''] = writeAddress(companyId, place).split('?');
      expect(readAddress(path, search)).toEqual({ companyId, view: place });
    }),
  );
});

it('an address that leads nowhere is the list', () => {
  for (const path of ['', '/', '%/', '1/']) expect(readAddress(path, '').view).toEqual({ screen: 'workflows' });
});
