import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { message } from './message.ts';

const config = { message: { type: 'text', text: 'Hello {{$user.names}}' } };
const variables = { $user: { names: 'Ana' } };

describe('message', () => {
  it('sends its message with the values of the moment', () => {
    const visited = visit(message, { config, variables, results: [{ kind: 'sent', messageId: 'm1' }] });
    expect(visited).toMatchObject({ by: 'sent', failure: undefined });
    expect(visited.writes).toEqual({});
    expect(visited.effects).toEqual([
      { type: 'message.send', request: { message: { type: 'text', text: 'Hello Ana', previewUrl: true } } },
    ]);
  });

  it('leaves by windowClosed when only a template would go out (WIN-01)', () => {
    expect(visit(message, { config, variables, results: [{ kind: 'windowClosed' }] })).toMatchObject({
      by: 'windowClosed',
      failure: { cause: 'WINDOW_CLOSED' },
    });
  });

  it('leaves by error with the cause of a refusal', () => {
    const results = [{ kind: 'refused', cause: 'MEDIA_TOO_LARGE', message: 'Over 5 MB' }];
    expect(visit(message, { config, variables, results })).toMatchObject({
      by: 'error',
      failure: { cause: 'MEDIA_TOO_LARGE', message: 'Over 5 MB' },
    });
  });

  it('leaves by error with every problem, and sends nothing, when the values make no message that the channel accepts', () => {
    const blank = {
      message: {
        type: 'cta_url',
        title: '{{$user.names}}',
        text: 'a',
        caption: 'b',
        parameters: { url: '{{$user.names}}', display_text: 'c' },
      },
    };
    const visited = visit(message, { config: blank, variables: { $user: { names: ' ' } }, channel: 'whatsapp' });
    expect(visited).toMatchObject({ by: 'error', effects: [], failure: { cause: 'INVALID_MESSAGE' } });
    expect(visited.failure?.details).toMatchObject({ problems: [{ path: ['title'] }, { path: ['parameters', 'url'] }] });
    expect(visited.failure?.message).toContain('"title" is blank');
  });

  it('reports a missing value as such', () => {
    expect(() => visit(message, { config })).toThrow('$user.names is missing');
  });
});
