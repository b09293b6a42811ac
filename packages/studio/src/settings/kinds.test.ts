import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aboutOf, channelOf, formSchema, formValue, freshId, isListed, nameOf, providersOf } from './kinds.ts';

describe('records of a company', () => {
  it('a fresh id is one that no record has, whatever the name', () =>
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, others) => {
        const first = freshId('bots', [], name);
        expect(first).toMatch(/^[a-z0-9][a-z0-9-]*$/);
        const ids = [...others, first, `${first}-2`].map((id) => ({ id }));
        expect(ids.map(({ id }) => id)).not.toContain(freshId('bots', ids, name));
      }),
    ));

  it.each(['constructor', 'Prototype', 'null'])('a record that is called %s has an id that nothing else has', (name) =>
    expect(freshId('bots', [], name)).toBe(`bot-${name.toLowerCase()}`),
  );

  it('numbers go on behind the highest', () => {
    expect(freshId('teams', [])).toBe('1');
    expect(freshId('teams', [{ id: 3 }, { id: 1 }])).toBe('4');
  });

  it('a form hides what it fills in, also in each form of a record', () => {
    const form = { type: 'object', properties: { id: {}, kind: { const: 'a' } }, required: ['id', 'kind'] };
    expect(formSchema(form)).toEqual({ type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] });
    expect(formSchema({ oneOf: [form] })).toEqual({
      oneOf: [{ type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] }],
    });
    expect(formValue({ id: 'x', connectedAt: 'y', name: 'z' })).toEqual({ name: 'z' });
  });

  it('providers are read off the schema of a bot, and each has a channel', () => {
    const provider = { oneOf: [{ properties: { kind: { const: 'web' } } }, { properties: { kind: { const: 'whatsapp-cloud' } } }] };
    expect(providersOf({ properties: { provider } })).toEqual(['web', 'whatsapp-cloud']);
    expect(['web', 'whatsapp-cloud', 'x'].map(channelOf)).toEqual(['web', 'whatsapp', 'twitter']);
    expect(providersOf({})).toEqual([]);
  });

  it('a record is called by its name, else by its id', () => {
    expect(nameOf({ id: 7, names: 'Olga' })).toBe('Olga');
    expect(nameOf({ id: 'tpl', elementName: 'order_shipped' })).toBe('order_shipped');
    expect(nameOf({ id: 7 })).toBe('7');
    expect(isListed('workflows')).toBe(false);
  });
});

it('a bot for tests is told apart in its list', () => {
  const labels: { readonly [at: string]: string } = { 'channel=web': 'Web', 'settings.environment=test': 'drafts, for tests' };
  const about = (settings?: object) =>
    aboutOf('bots', { id: 'a', channel: 'web', ...(settings && { settings: { ...settings } }) }, (at) => labels[at]);
  expect([about(), about({}), about({ environment: 'live' }), about({ environment: 'test' })]).toEqual([
    'Web',
    'Web',
    'Web',
    'Web · drafts, for tests',
  ]);
});
