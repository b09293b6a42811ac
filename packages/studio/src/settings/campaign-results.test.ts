// Who did not read a campaign, of its results.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unreadOfResults } from './campaign-results.ts';

const head = 'user,status,messageId,error,at';

it('are those whose message was taken or arrived, each as the results have them', () => {
  const results = [
    head,
    '51999000111,read,m1,,2031-03-03T09:00:00.000Z',
    '51999000112,sent,m2,,2031-03-03T09:00:00.000Z',
    '51999000113,delivered,m3,,2031-03-03T09:00:00.000Z',
    '51999000114,failed,,"A reason, with ""quotes"",\r\nsent,sent",2031-03-03T09:00:00.000Z',
    '51999000115,pending,,,',
    '51999000116,skipped,,NO_CONSENT,',
    '"U,1",sent,m4,,',
    '',
  ];
  expect(unreadOfResults(results.join('\r\n'))).toBe('user\n51999000112\n51999000113\n"U,1"');
  expect(unreadOfResults(`${head}\r\n`)).toBe('user');
});

it('are as many as there are such lines, whatever the errors say', () => {
  const row = fc.tuple(
    fc.integer({ min: 1, max: 10 ** 9 }),
    fc.constantFrom('read', 'sent', 'delivered', 'failed', 'pending', 'skipped'),
    fc.string(),
  );
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const text = [head, ...rows.map(([user, status, error]) => `${user},${status},,${quoted(error)},`)].join('\r\n');
      const expected = rows.flatMap(([user, status]) => (status === 'sent' || status === 'delivered' ? [String(user)] : []));
      expect(unreadOfResults(text).split('\n').slice(1)).toEqual(expected);
    }),
  );
});
