import { createVirtualClock } from '@hilo/testing';
import { expect, it } from 'vitest';
import { createLimitReports } from './limit-reports.ts';

it('counts every bound that was reached, and warns once a minute for each holder (P22, P23)', () => {
  const clock = createVirtualClock();
  const lines: object[] = [];
  const counted: string[] = [];
  const reports = createLimitReports({ clock, log: { warn: (fields, message) => void lines.push({ ...fields, message }) } });
  reports.listen(({ limit, holder }) => void counted.push(`${limit} ${holder}`));
  const report = (holder: string): void => reports.report({ limit: 'function-places', holder, functionId: 'fn', message: 'All taken' });
  for (const holder of ['1', '1', '2', '1']) report(holder);
  clock.advanceBy(60_000);
  report('1');
  const line = { limit: 'function-places', functionId: 'fn', message: 'All taken' };
  expect(lines).toEqual([
    { ...line, holder: '1' },
    { ...line, holder: '2' },
    { ...line, holder: '1', moreBefore: 2 },
  ]);
  expect(counted).toHaveLength(5);
});
