import type { Canvas, JsonObject } from '@hilo/engine/contract';
import { parseCanvas } from '@hilo/engine';
import { describe, expect, it } from 'vitest';
import { exampleCall } from './example-call.ts';

const canvasWith = (data: JsonObject, text = ''): Canvas =>
  parseCanvas({
    schemaVersion: 1,
    id: 'hook',
    name: 'Hook',
    nodes: [
      { id: 'wh', type: 'webhook', data },
      { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    ],
  }).canvas!;

const forUser = { userId: '51999' };
const forExecution = { execution: '<execution-1>' };

describe('exampleCall', () => {
  it('puts the user where the webhook looks for one, and the fields that the canvas reads beside it', () => {
    const canvas = canvasWith(
      { variableName: 'order', methods: ['POST'], userIdPath: 'user.id' },
      '{{$webhook.order.body.id}} {{$webhook.order.body.user.name}}',
    );
    expect(exampleCall(canvas, forUser)).toBe('{"user":{"id":"51999","name":"name"},"id":"id"}');
  });

  it('names the user in the query where the body has no place for one', () => {
    expect(exampleCall(canvasWith({ variableName: 'order', methods: ['PUT'] }), forUser)).toBe('PUT {} query {"userId":"51999"}');
    expect(exampleCall(canvasWith({ variableName: 'order', methods: ['GET'] }), forUser)).toBe('GET {"userId":"51999"}');
  });

  it('names the execution that it resumes', () => {
    const canvas = canvasWith({ variableName: 'order', methods: ['GET', 'POST'], executionIdPath: 'meta.id' });
    expect(exampleCall(canvas, forExecution)).toBe('{"meta":{"id":"<execution-1>"}}');
    expect(exampleCall(canvasWith({ variableName: 'order', methods: ['POST'] }), forExecution)).toBe(
      '{} query {"executionId":"<execution-1>"}',
    );
  });

  it('has none for a webhook without methods', () => {
    expect(exampleCall(canvasWith({ variableName: 'order', methods: [] }), forUser)).toBeUndefined();
  });
});
