import { expect, it } from 'vitest';
import { isWebAddress } from './MessageView.tsx';

it('a link leads to the web, and to nothing that a browser would run', () => {
  for (const address of ['https://files.example/a.png', 'HTTP://files.example/']) expect(isWebAddress(address)).toBe(true);
  for (const address of ['javascript:alert(1)', ' https://a', 'data:text/html,x', '//a', '']) expect(isWebAddress(address)).toBe(false);
});
