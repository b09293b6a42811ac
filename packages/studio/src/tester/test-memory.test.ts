import { expect, it } from 'vitest';
import type { Fork } from '../executions/time-travel.ts';
import { firstSetting, memoryOf, settingOf } from './test-memory.ts';

const fork: Fork = { script: 'user: hello', channel: 'web', userId: 'ana', startAt: 7, answers: {} };
const company = { name: 'Acme', plan: 'free', kind: 'self-service' };

it.each([
  ['a new test', firstSetting],
  ['the conversation of an execution', memoryOf(fork).setting],
])('%s reads the settings of its company, once they have come', (_what, setting) => {
  expect(settingOf({ settings: { shop: 'test' }, company }, setting)).toEqual({ ...setting, company: { shop: 'test' }, facts: company });
});

it('settings that an author wrote stay, also none at all', () => {
  for (const written of [{ shop: 'mine' }, {}])
    expect(settingOf({ settings: { shop: 'test' }, company }, { ...firstSetting, company: written }).company).toEqual(written);
});
