// A node of your own is one value; what it needs of the world is an effect, which a driver performs.
import {
  defineEffect,
  defineNode,
  drive,
  fail,
  formatPath,
  leave,
  type Outcome,
  perform,
  Template,
  VariablePath,
} from '@hilo/engine/node-kit';
import { z } from 'zod';

/** The effect of the node: its request, and every possible answer. */
const scoreOf = defineEffect('leads.score', {
  request: z.strictObject({ company: z.string(), employees: z.number().nonnegative() }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('scored'), score: z.int().min(0).max(100) }),
    z.strictObject({ kind: z.literal('unknown') }),
  ]),
});

/** Scores a lead, and decides whether it is worth a call. */
export const scoreLead = defineNode({
  type: 'score-lead',
  config: z.strictObject({
    company: Template.meta({ description: 'The name of the company', examples: ['{{$context.company}}'] }),
    employees: Template.meta({ description: 'How many people it has', examples: ['{{$context.employees}}'] }),
    hotFrom: z.int().min(1).max(100).default(60).meta({ description: 'The score from which a lead is hot' }),
    saveAs: VariablePath.meta({ description: 'Where the score is kept' }),
  }),
  visual: {
    label: 'Score a lead',
    category: 'integration',
    icon: 'flame',
    colour: '#b45309',
    description: 'Scores a lead with our own model, and says whether it is worth a call.',
    summary: ({ hotFrom = 60 }) => `hot from ${hotFrom}`,
    formHints: { hotFrom: 'score', saveAs: 'variable' },
  },
  ports: ['hot', 'cold'],
  optionalPorts: ['error'], // for a driver that fails, hangs or returns an invalid result, and for an unknown company
  effects: [scoreOf], // publishing refuses the node without a driver for it
  writes: ({ saveAs }) => ({ hot: [formatPath(saveAs)], cold: [formatPath(saveAs)] }),
  run: ({ config: { company, employees, hotFrom, saveAs }, variables }) =>
    perform(
      scoreOf({ company: company(variables), employees: Number(employees(variables)) }),
      (answer): Outcome<'hot' | 'cold' | 'error'> =>
        answer.kind === 'unknown'
          ? fail('LEAD_UNKNOWN', 'Nobody knows this company')
          : leave(answer.score >= hotFrom ? 'hot' : 'cold', [{ path: saveAs, value: answer.score }]),
    ),
});

/** Performs the effect. A real one asks a model or a CRM, and passes on the `idempotencyKey` of its second argument. */
export const leadScores = drive(scoreOf, ({ company, employees }) =>
  company.trim() === '' ? { kind: 'unknown' } : { kind: 'scored', score: Math.min(100, Math.round(Math.log10(employees + 1) * 30)) },
);
