import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { message } from './message.ts';

/** zod reads JSON Schema too: a value that it accepts, an editor accepts. */
const Editor = z.fromJSONSchema(
  JSON.parse(JSON.stringify(z.toJSONSchema(message.config, { io: 'input' }))) as z.core.JSONSchema.JSONSchema,
);

const takes = (message: unknown) => Editor.safeParse({ message }).success;

describe('the JSON Schema of a message', () => {
  it.each([
    { type: 'text', text: 'Hi {{$user.names}}', previewUrl: '{{$context.preview}}' },
    { type: 'text', text: 'Hi', buttons: { options: [{ title: 'a' }, '{{$context.option}}'] } },
    { type: 'text', text: 'Hi', buttons: '{{$context.buttons}}' },
    { type: 'location', coordinates: { lat: '{{$context.lat}}', long: 7 } },
    { type: 'flow', title: 'a', text: 'b', caption: 'c', parameters: { mode: '{{$context.mode}}' } },
    '{{$context.message}}',
  ])('accepts %j, as the config does', (authored) => {
    expect(takes(authored)).toBe(true);
    expect(message.config.safeParse({ message: authored }).success).toBe(true);
  });

  it.each([
    { type: 'fax', text: 'Hi' },
    { type: 'text' },
    { type: 'text', text: 'Hi', colour: 'red' },
    { type: 'text', text: 'Hi', buttons: 'none' },
    { type: 'location', coordinates: { lat: 91, long: 7 } },
    { type: 'flow', title: 'a', text: 'b', caption: 'c', parameters: { mode: 'test' } },
    'hello',
  ])('refuses %j, as the config does', (authored) => {
    expect(takes(authored)).toBe(false);
    expect(message.config.safeParse({ message: authored }).success).toBe(false);
  });
});
