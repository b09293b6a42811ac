// The node `condition`.
import { defineNode, leave } from '@hilo/engine/contract';
import { z } from 'zod';
import { refuseRepeats } from '../messages/choices.ts';
import { checkRule } from './other-types.ts';
import { compileRule, findPlaces, findPlacesBefore, Rule } from './rule.ts';

const Branch = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .refine((name) => name !== 'else', { error: 'The port "else" is there for when no rule holds; choose another name' })
    .meta({ description: 'The port of the branch', examples: ['adult'] }),
  rule: Rule.meta({ description: 'The condition of the branch' }),
});

type Branch = z.output<typeof Branch>;

/** How many places are told that earlier branches have found: they are told of again at each later one, and a check takes time for each. */
const maxPassed = 4;

/** The places that surely have a value once the rules of the first branches, or of all of them, did not hold. */
const findPassed = (branches: readonly Branch[], count = branches.length): readonly string[] =>
  branches
    .slice(0, count)
    .flatMap(({ rule }) => findPlaces(rule, false))
    .slice(0, maxPassed);

const otherwise = leave('else');

/** Leaves by the first branch whose rule holds, or by `else`. */
export const condition = defineNode({
  type: 'condition',
  config: z.strictObject({
    branches: z
      .array(Branch)
      .min(1)
      .max(20)
      .superRefine(refuseRepeats(({ name }) => name, 'name', 'give each branch a name of its own'))
      .meta({ description: 'The ways to choose from: the first whose rule holds' }),
  }),
  visual: {
    label: 'Condition',
    category: 'logic',
    icon: 'split',
    colour: '#7c3aed',
    description: 'Chooses a path by rules over the variables.',
    summary: ({ branches }) => branches?.map(({ name }: { readonly name: string }) => name).join(', ') ?? '',
    formHints: {
      'branches.rule': 'rule',
      'branches.rule.left': 'expression',
      'branches.rule.right': 'expression',
      'branches.rule.expression': 'expression',
    },
  },
  facts: { limits: '20 branches', ports: 'one for each branch, and `else`' },
  names: ['branches.name'],
  ports: ({ branches }) => [...branches.map(({ name }) => name), 'else'],
  writingFields: [],
  writes: ({ branches }) => ({
    ...Object.fromEntries(branches.map(({ name, rule }, index) => [name, [...findPlaces(rule, true), ...findPassed(branches, index)]])),
    else: findPassed(branches),
  }),
  writesBefore: ({ branches }, [, index, , ...steps]) => {
    const rule = branches[Number(index)]?.rule;
    return rule === undefined ? [] : [...findPlacesBefore(rule, steps), ...findPassed(branches, Number(index))];
  },
  check: ({ branches }, around) => branches.flatMap(({ rule }, index) => checkRule(rule, ['branches', index, 'rule'], around)),
  compile({ branches }) {
    const ways = branches.map(({ name, rule }) => ({ holds: compileRule(rule), way: leave(name) }));
    return {
      run({ variables }) {
        for (const { holds, way } of ways) if (holds(variables)) return way;
        return otherwise;
      },
    };
  },
});
