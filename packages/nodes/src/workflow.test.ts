import type { JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { workflow } from './workflow.ts';

const webhook = { contract: { body: { signer: 'Ana' } } };
const completed = { kind: 'completed', outputs: { signedBy: 'Ana' }, webhook };
const failed = { kind: 'failed', cause: 'NO_AGENT', message: 'Nobody was there', webhook };
const after = (result: JsonObject, config: JsonObject = {}) =>
  visit(workflow, { config: { workflowId: 'sign', ...config }, results: [result] });

describe('workflow', () => {
  it('starts a child with its inputs', () => {
    const config = { workflowId: 'sign', version: 3, inputs: { order: '{{$context.order}}', note: 'hi' }, timeout: 'PT1H' };
    const request = {
      kind: 'child',
      workflowId: 'sign',
      version: 3,
      inputs: { order: 7, note: 'hi' },
      inheritWebhook: true,
      dueInMs: 3_600_000,
    };
    expect(visit(workflow, { config, connected: [], variables: { $context: { order: 7 } } }).effects).toEqual([
      { type: 'wait.child', request },
    ]);
  });

  it('starts the latest version, without a time limit, by default', () => {
    const { effects } = visit(workflow, { config: { workflowId: 'sign' }, connected: [] });
    expect(effects[0]?.request).toEqual({ kind: 'child', workflowId: 'sign', inputs: {}, inheritWebhook: true });
  });

  it('keeps the outputs of a child that completed', () => {
    expect(after({ ...completed, webhook: {} }, { saveAs: '$context.signature' })).toMatchObject({
      by: 'success',
      writes: { '$context.signature': { signedBy: 'Ana' } },
    });
  });

  it('leaves by error with the cause of a child that failed', () => {
    const { by, failure } = after(failed);
    expect({ by, failure }).toEqual({ by: 'error', failure: { cause: 'NO_AGENT', message: 'Nobody was there' } });
  });

  it('leaves by timeout with its cause', () => {
    const { by, failure } = after({ kind: 'timeout', lateByMs: 0 });
    expect({ by, cause: failure?.cause }).toEqual({ by: 'timeout', cause: 'TIMEOUT' });
  });

  it("writes the webhook data that the child received over this execution's, however the child ended (WEB-17)", () => {
    const written = { '$webhook.contract': webhook.contract };
    expect(after(completed).writes).toEqual(written);
    expect(after(failed).writes).toEqual(written);
  });

  it('leaves the webhook data alone where the child does not inherit (WEB-17)', () => {
    expect(after(completed, { inheritWebhook: false }).writes).toEqual({});
    expect(after(failed, { inheritWebhook: false }).writes).toEqual({});
  });

  it('refers to the workflow it calls', () => {
    const references = (config: JsonObject) => workflow.references(workflow.config.parse(config));
    expect(references({ workflowId: 'sign' })).toEqual([{ kind: 'workflow', id: 'sign', at: ['workflowId'] }]);
    expect(references({ workflowId: 'sign', version: 2 })).toEqual([{ kind: 'workflow', id: 'sign', version: 2, at: ['workflowId'] }]);
  });

  it.each([
    [{ version: 0 }],
    [{ version: 1.5 }],
    [{ inputs: { 'no name': 1 } }],
    [{ inputs: { constructor: 1 } }],
    [{ workflowId: 'a b' }],
  ])('refuses %j', (config) => {
    expect(workflow.config.safeParse({ workflowId: 'sign', ...config }).success).toBe(false);
  });
});
