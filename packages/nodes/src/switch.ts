// The node `switch`: a way for each constant that a value may be.
import {
  defineNode,
  formatPath,
  HiloError,
  isScopeName,
  type Json,
  type JsonTemplate,
  type Leave,
  leave,
  tooMuchInAll,
  ValueTemplate,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { fieldsOfTypes, isMessageType } from './messages/type-fields.ts';
import { findZone } from './fields/reading/clean.ts';
import { type CountWork, equalsByValue } from './condition/compare.ts';
import { type FindZone, inUtc } from './condition/moment.ts';
import { checkCompared, checkEqual } from './condition/other-types.ts';

const Case = z.union([z.string().min(1).max(200), z.number(), z.boolean()]);
type Case = z.output<typeof Case>;

/** Constants, each with its own port. */
const Cases = z
  .array(Case)
  .min(1)
  .max(50)
  .superRefine((cases, context) => {
    const ports = ['else', ...cases.map(String)];
    for (const [index, port] of ports.entries()) {
      if (ports.indexOf(port) === index) continue;
      context.addIssue({ code: 'custom', path: [index - 1], message: `There is a port "${port}" already; each case needs one of its own` });
    }
  });

const isVariable = (text: string): boolean => isScopeName(/^\$\w+/.exec(text)?.[0]);

const otherwise = leave('else');

/** The places that surely have a value behind each port: those that a condition asks for, and one with a default of which another port is taken. */
function findGiven({ asked }: JsonTemplate, cases: readonly Case[]): { readonly [port: string]: readonly string[] } {
  if (asked === undefined) return {};
  const { ifTrue, ifFalse, without } = asked;
  const taken = without && (findCase(cases, without.value, () => undefined, inUtc) ?? 'else');
  const ports = cases.map((constant): [string, readonly string[]] => {
    const places = constant === true ? ifTrue : constant === false ? ifFalse : without && constant !== taken ? [without.path] : [];
    return [String(constant), places.map(formatPath)];
  });
  return Object.fromEntries([...ports, ['else', without && taken !== 'else' ? [formatPath(without.path)] : []]]);
}

/** The case that a value is: one of the same spelling first, then one that is equal. */
const findCase = (cases: readonly Case[], found: Json, countWork: CountWork, zone: FindZone): Case | undefined =>
  cases.find((constant) => constant === found) ?? cases.find((constant) => equalsByValue(found, constant, countWork, zone));

/** Leaves by the case that equals the value, or by `else`. A text of the same spelling comes first, then a value that is equal: "1" is 1. */
export const switchNode = defineNode({
  type: 'switch',
  config: z.strictObject({
    value: ValueTemplate.meta({ description: 'The value to compare, usually one {{expression}}' }),
    cases: Cases.meta({ description: 'Constants, each of which is a port; the text "1" is the case 1, too' }),
  }),
  visual: {
    label: 'Switch',
    category: 'logic',
    icon: 'list-tree',
    colour: '#7c3aed',
    description: 'Chooses a path by one value: each case has its own.',
    summary: ({ value, cases }) => `${JSON.stringify(value ?? '')}: ${cases?.join(', ') ?? ''}`,
    formHints: { value: 'expression' },
  },
  facts: { limits: '50 cases', ports: 'one for each case, and `else`' },
  ports: ({ cases }) => [...cases.map(String), 'else'],
  check({ value: { source }, cases }, around) {
    if (typeof source !== 'string' || isVariable(source)) return []; // a variable without braces is a text, which another warning is about
    const constant = checkCompared(source, ['value']);
    return constant.length > 0 ? constant : cases.flatMap((one, index) => checkEqual(source, one, ['cases', index], around));
  },
  writingFields: [],
  writes: ({ value, cases }) =>
    isMessageType(value.source)
      ? Object.fromEntries(cases.map((constant) => [String(constant), fieldsOfTypes(constant)]))
      : findGiven(value, cases),
  compile({ value, cases }) {
    const ways = new Map<Json, Leave>(cases.map((constant) => [constant, leave(String(constant))]));
    return {
      run({ variables }) {
        const found = value(variables);
        const countWork = (work: number): void => {
          if (variables.spend?.(work) === false) throw new HiloError('EXPRESSION', { source: 'switch', reason: tooMuchInAll });
        };
        return ways.get(found) ?? ways.get(findCase(cases, found, countWork, () => findZone(variables)) ?? null) ?? otherwise;
      },
    };
  },
});
