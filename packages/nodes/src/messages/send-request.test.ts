import { describe, expect, it } from 'vitest';
import { issueCode, SendRequest } from './send-request.ts';

const refusals = (body: unknown) =>
  SendRequest.safeParse(body).error?.issues.map((issue) => [issue.path.join('.'), issueCode(issue), issue.message]) ?? [];

describe('SendRequest', () => {
  it('is a message, its recipient and perhaps its bot; other fields are left aside (MSG-04 to MSG-06, GEN-07)', () => {
    const body: unknown = JSON.parse('{"type":"text","text":"Hi","userId":"521","botId":"bot_wa","extra":1,"__proto__":{"text":"x"}}');
    expect(SendRequest.parse(body)).toStrictEqual({ type: 'text', text: 'Hi', userId: '521', botId: 'bot_wa', previewUrl: true });
  });

  it('leaves the form of the id to the bot (UID-05)', () => {
    expect(SendRequest.parse({ type: 'text', text: 'Hi', userId: '+52' }).userId).toBe('+52');
  });

  it.each([
    [{ type: 'text', text: 'Hi' }, 'userId', 'INVALID_REQUEST', '"userId" is missing: give the recipient'],
    [{ type: 'text', text: 'Hi', userId: 521 }, 'userId', 'INVALID_USER_ID', '"userId" must be a text: put it in quotes'],
    [{ type: 'text', userId: '521' }, 'text', 'INVALID_REQUEST', '"text" is missing: give a text'],
    [
      { type: 'text', text: 'Hi', userId: '521', botId: ' ' },
      'botId',
      'INVALID_REQUEST',
      '"botId" is blank: write at least one visible character',
    ],
    [
      { type: 'audio', mediaUrl: 'http://a.example/x', userId: '521' },
      'mediaUrl',
      'INVALID_MEDIA_URL',
      '"mediaUrl" begins with http://: give an address that begins with https://',
    ],
  ])('refuses %j at %s with %s', (body, path, code, message) => expect(refusals(body)).toEqual([[path, code, message]]));

  it('reports everything at once', () => {
    expect(refusals({ type: 'quick_reply', userId: 5, quick_replies: [] }).map(([path]) => path)).toEqual([
      'userId',
      'text',
      'quick_replies',
    ]);
  });

  it.each([[null], [[]], ['text'], [5]])('refuses %j as a body (GEN-02)', (body) => {
    expect(refusals(body)[0]?.[2]).toContain('The message must be an object');
  });
});
