import { expect, it } from 'vitest';
import { findObject } from './record-acts.ts';

it.each([
  ['/workflows/{workflowId}/publish', { workflowId: 'w' }, { kind: 'workflow', id: 'w' }],
  [
    '/workflows/{workflowId}/versions/{version}/publish',
    { workflowId: 'w', version: '3' },
    { kind: 'workflow', id: 'w', after: { version: '3' } },
  ],
  ['/workflows/{workflowId}/transcripts/{name}', { workflowId: 'w', name: 'a' }, { kind: 'workflow', id: 'w', after: { name: 'a' } }],
  ['/companies/{companyId}/templates/{id}/submit', { companyId: '1', id: 't' }, { kind: 'template', id: 't' }],
  [
    '/companies/{companyId}/event-subscriptions/{subscriptionId}',
    { companyId: '1', subscriptionId: 's' },
    { kind: 'subscription', id: 's' },
  ],
  ['/companies/{companyId}/{kind}/{id}', { companyId: '1', kind: 'teams', id: '5' }, { kind: 'teams', id: '5' }],
  ['/companies/{companyId}/contacts', { companyId: '1' }, { kind: 'company', id: '1' }],
  ['/functions/{functionId}/tokens/{tokenId}/revoke', { functionId: 'f', tokenId: 't' }, { kind: 'token', id: 't' }],
  ['/executions/bulk', {}, {}],
])('names what %s acts on', (path, params, object) => {
  expect(findObject(path, params)).toEqual(object);
});
