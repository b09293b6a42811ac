import type { Json } from '@hilo/engine/contract';
import { aiTask } from '@hilo/nodes';
import { askModel } from '@hilo/nodes/effects';
import { describe, expect, it } from 'vitest';
import { visit } from '../visit.ts';
import { createModelAnswer } from './sample-answers.ts';

const config = { baseUrl: 'https://models.example', model: 'small', instructions: 'Do.', input: '' };

describe('createModelAnswer', () => {
  it.each<{ readonly [name: string]: Json }>([
    { a: { type: 'string' } },
    { a: { type: 'string', minLength: 3 }, b: { enum: ['x', 'y'] }, c: { const: 7 } },
    { a: { type: 'integer', minimum: 5 }, b: { type: 'number' }, c: { type: 'boolean' }, d: { type: 'null' } },
    { a: { type: 'array', items: { type: 'string' } }, b: { type: ['string', 'null'] }, c: { anyOf: [{ type: 'number' }, { const: 1 }] } },
    { a: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] } },
  ])('is valid under the schema of an ai-task: %j', (properties) => {
    const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    const [question] = visit(aiTask, { config: { ...config, schema } }).effects;
    const [first] = askModel.request.parse(question?.request).messages;
    const results = [
      { kind: 'answered', text: createModelAnswer(first?.role === 'system' ? first.text : ''), finish: 'stop', usage: {}, tookMs: 0 },
    ];
    expect(visit(aiTask, { config: { ...config, schema }, results }).by).toBe('success');
  });

  it('is an empty object where there is no schema', () => expect(createModelAnswer('Do what you like.')).toBe('{}'));
});
