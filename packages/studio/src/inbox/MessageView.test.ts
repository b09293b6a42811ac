import { expect, it } from 'vitest';
import { isWebAddress } from './MessageView.tsx';
import { fileHandleOf, nameInDisposition } from './UserFile.tsx';

it('a link leads to the web, and to nothing that a browser would run', () => {
  for (const address of ['https://files.example/a.png', 'HTTP://files.example/']) expect(isWebAddress(address)).toBe(true);
  for (const address of ['javascript:alert(1)', ' https://a', 'data:text/html,x', '//a', '']) expect(isWebAddress(address)).toBe(false);
});

it('a file has the name that the service gives it, or that of its message', () => {
  for (const [disposition, name] of [
    ["attachment; filename*=UTF-8''da%C3%B1o%20%27a%27.png", "daño 'a'.png"],
    ["attachment; filename*=UTF-8''%E0%A4%A", 'other'],
    ["attachment; filename*=UTF-8''", 'other'],
    ['attachment', 'other'],
    [null, 'other'],
  ] as const)
    expect(nameInDisposition(disposition, 'other')).toBe(name);
  expect([{ file: 'file_a' }, { file: 'https://a' }, { file: 7 }, {}].map(fileHandleOf)).toEqual([
    'file_a',
    undefined,
    undefined,
    undefined,
  ]);
});
