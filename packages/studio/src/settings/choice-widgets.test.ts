import { expect, it } from 'vitest';
import { choiceWidgets, timeZones, withChosen } from './choice-widgets.tsx';
import { settingsHints } from './settings-texts.ts';

it('what is chosen and not there any more is shown first, and nothing twice', () => {
  const options = [{ value: 1, name: 'Sales' }];
  expect(withChosen(options, [])).toEqual(options);
  expect(withChosen(options, [1])).toEqual(options);
  expect(withChosen(options, [2, 1])).toEqual([{ value: 2, name: '2' }, ...options]);
});

it('the zones have UTC and no zone twice', () => {
  const zones = timeZones();
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'America/Lima']));
  expect(new Set(zones).size).toBe(zones.length);
});

it('each choice is wanted by a field', () => {
  const hints = new Set(Object.values(settingsHints).flatMap((fields) => Object.values(fields)));
  for (const name of Object.keys(choiceWidgets)) expect(hints).toContain(name);
});
