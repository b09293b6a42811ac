import { expect, it } from 'vitest';
import { shownName } from './shown-name.ts';

it('calls people as they call themselves', () => {
  const cases = [
    ['operator maria', 'maria'],
    ['user ana', 'ana'],
    ['user ana+0123456789abcdef', 'ana'],
    ['user ana@example.com+0123456789abcdef', 'ana@example.com'],
    ['user ana+news@example.com+0123456789abcdef', 'ana+news@example.com'],
    ['user ana+0123456789abcde', 'ana+0123456789abcde'], // a digit less
    ['user ana+0123456789ABCDEF', 'ana+0123456789ABCDEF'],
    ['user +0123456789abcdef', '+0123456789abcdef'],
    ['operator user', 'user'],
    ['token deploy', 'deploy'],
    ['admin session', 'admin session'],
    ['operator', 'operator'],
    ['operator ', 'operator '],
    ['', ''],
  ] as const;
  for (const [name, shown] of cases) expect(shownName(name)).toBe(shown);
});
