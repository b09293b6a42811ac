import type { Json } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { aiTask } from '../ai-task/index.ts';
import { askModel } from './ask-model.ts';
import { answersToInstructions } from './schema-samples.ts';

const config = { baseUrl: 'https://models.example', model: 'small', instructions: 'Do.', input: '' };

describe('answersToInstructions', () => {
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
    for (const text of answersToInstructions(first?.role === 'system' ? first.text : '')) {
      const results = [{ kind: 'answered', text, finish: 'stop', usage: {}, tookMs: 0 }];
      expect([text, visit(aiTask, { config: { ...config, schema }, results }).by]).toEqual([text, 'success']);
    }
  });

  it('is an empty object where there is no schema', () => expect(answersToInstructions('Do what you like.')).toEqual(['{}']));
});
