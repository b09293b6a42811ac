import { describe, expect, it } from 'vitest';
import { createPlayedScript } from './played-script.ts';

describe('createPlayedScript', () => {
  it('is what the test begins with, until something is shown', () => {
    expect(createPlayedScript('user: hi\n').text()).toBe('user: hi');
    expect(createPlayedScript('').text()).toBe('');
  });

  it('keeps lines whose result is not shown yet, in their order', () => {
    const script = createPlayedScript('');
    script.add('user: order');
    script.replaceBy('user: order\n  bot: Which one?\n');
    script.add('user: A-17');
    script.add('time: +2h');
    expect(script.text()).toBe('user: order\n  bot: Which one?\nuser: A-17\ntime: +2h');
  });

  it('drops them with a test that is begun anew', () => {
    const script = createPlayedScript('user: hi');
    script.add('user: order');
    script.replaceBy('');
    expect(script.text()).toBe('');
  });
});
