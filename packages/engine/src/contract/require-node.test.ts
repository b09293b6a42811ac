import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEffect } from './effect.ts';
import { defineNode, leave } from './node.ts';

const visual = { label: 'Own', category: 'data', icon: 'box', colour: '#0f766e', description: 'A node of a host.' };
const sound = { type: 'own', config: z.strictObject({}), visual, ports: ['next'], run: () => leave('next') };

/** What is said to an author without a compiler. */
const told = (define: () => unknown): string => {
  try {
    define();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return '';
};
// As a host in JavaScript calls it.
const define: (input: unknown) => unknown = defineNode as never;
const name: (type: unknown, parts: unknown) => unknown = defineEffect as never;

describe('a definition of a node', () => {
  it.each<[part: string, input: unknown, said: string]>([
    ['nothing', undefined, 'defineNode() takes one object'],
    ['no type', { ...sound, type: undefined }, 'The "type" of a node is missing'],
    ['an empty type', { ...sound, type: '' }, 'The "type" of a node is ""'],
    ['a type with a blank', { ...sound, type: 'my node' }, 'a name without blanks, such as "score-lead"'],
    ['no config', { ...sound, config: undefined }, 'make it with z.strictObject({ … }) of zod 4'],
    ['no look', { ...sound, visual: undefined }, 'The "visual" of the node "own" is missing'],
    ['no ports', { ...sound, ports: undefined }, 'The "ports" of the node "own" are missing: list them, such as ["done"]'],
    ['a text for ports', { ...sound, ports: 'next' }, 'are "next": list them'],
    ['an empty port', { ...sound, ports: [''] }, 'have "" among them: a port is a text that is not empty'],
    ['a port twice', { ...sound, ports: ['a', 'b', 'a'] }, 'name "a" twice'],
    [
      'a port that is optional too',
      { ...sound, optionalPorts: ['error', 'next'] },
      'The "optionalPorts" of the node "own" name "next" twice',
    ],
    ['no run', { ...sound, run: undefined }, 'The "run" of the node "own" is missing: give run(), or compile() that makes it'],
    ['a run that is none', { ...sound, run: 'next' }, 'is "next": it is a function of the config'],
    ['writes in a list', { ...sound, writes: ['$context.a'] }, 'The "writes" of the node "own" is a list: it is a function of the config'],
    ['effects that are no list', { ...sound, effects: {} }, 'The "effects" of the node "own" is an object: it is a list'],
    ['a misspelt part', { ...sound, optionalPort: ['error'] }, 'is no part of a definition; did you mean optionalPorts?'],
    ['a part of nobody', { ...sound, xyzzy: 1 }, 'the parts are run, compile'],
  ])('with %s says so', (_part, input, said) => {
    expect(told(() => define(input))).toContain(said);
  });

  it('that is sound is taken, and so is a copy of what was defined', () => {
    expect(told(() => define(sound))).toBe('');
    expect(told(() => define({ ...(define(sound) as object), type: 'another' }))).toBe('');
    expect(told(() => define({ ...sound, optionalPorts: undefined, ports: () => ['next'] }))).toBe('');
  });
});

it.each(['', 'a b', 7, undefined, 'wait.reply', 'flow.jump', 'event.send'])('an effect is not named %j', (type) => {
  const parts = { request: z.strictObject({}), result: z.strictObject({}) };
  expect(told(() => name(type, parts))).toContain('give one of your own without blanks, such as "leads.score"');
  expect(told(() => name('own.effect', parts))).toBe('');
});
