// The token of a link to a draft.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDraftLink, sealDraftLink } from '../src/web/draft-link.ts';

const bot = { companyId: '7', id: 'bot', channel: 'web', userIdFormat: 'open' } as const;
const of = { bot, config: { appSecret: 'secret-of-the-web-chat-0123456789abcdef' } };
const drawnLink = fc.record({
  workflowId: fc.string({ minLength: 1, maxLength: 128 }).map((text) => text.toWellFormed()),
  expiresAtMs: fc.integer({ min: 1, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
});

it('opens to what it was sealed from, until its end, for its bot alone', () => {
  fc.assert(
    fc.property(drawnLink, (link) => {
      const token = sealDraftLink(link, of);
      expect(openDraftLink(token, of, link.expiresAtMs - 1)).toEqual(link);
      expect(openDraftLink(token, of, link.expiresAtMs)).toBeUndefined();
      for (const other of [{ id: 'bo' }, { companyId: '77' }])
        expect(openDraftLink(token, { ...of, bot: { ...bot, ...other } }, 0)).toBeUndefined();
      expect(openDraftLink(token, { ...of, config: { appSecret: 'another-secret-0123456789abcdef0123' } }, 0)).toBeUndefined();
    }),
  );
});

it('is nothing once a character of it is another', () => {
  fc.assert(
    fc.property(drawnLink, fc.nat(), fc.constantFrom('A', '_', '.', ' ', 'é'), (link, at, character) => {
      const token = sealDraftLink(link, of);
      const place = at % (token.length - 1); // the last one has bits that say nothing
      fc.pre(token[place] !== character);
      expect(openDraftLink(token.slice(0, place) + character + token.slice(place + 1), of, 0)).toBeUndefined();
    }),
  );
});

it.each(['', '.', 'a.b', `${'a'.repeat(1_025)}.${'a'.repeat(22)}`])('does not open %j', (token) => {
  expect(openDraftLink(token, of, 0)).toBeUndefined();
});
