import { defineNode, leave } from '@hilo/engine/contract';
import { z } from 'zod';
import { refuseRepeats } from './messages/choices.ts';

/** Counted in hundredths of a percent, so that 33.33 + 33.33 + 33.34 is the whole, which it is not in floating point. */
const hundredths = (percent: number): number => Math.round(percent * 100);
const whole = hundredths(100);

const Percent = z
  .number()
  .min(0)
  .max(100)
  .refine((percent) => Number(percent.toFixed(2)) === percent, { error: 'A percentage has at most two decimals' });

const Route = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'The port', examples: ['variant-a'] }),
  percent: Percent.meta({ description: 'The percentage of this route; all of them total 100' }),
});
type Route = z.output<typeof Route>;

const Routes = z
  .array(Route)
  .min(2)
  .max(20)
  .superRefine(refuseRepeats(({ name }) => name, 'name', 'give each route a name of its own'))
  .superRefine((routes, context) => {
    const total = routes.reduce((sum, { percent }) => sum + hundredths(percent), 0);
    if (total !== whole) context.addIssue(`The percentages total ${total / 100}; they must total exactly 100`);
  });

/** Leaves by a route that is drawn by its percentage, from the execution's own random source: a replay draws the same. */
export const random = defineNode({
  type: 'random',
  config: z.strictObject({ routes: Routes.meta({ description: 'The ways to draw from' }) }),
  visual: {
    label: 'Random',
    category: 'logic',
    icon: 'dices',
    colour: '#7c3aed',
    description: 'Chooses a path at random by percentages, as for an A/B test.',
    summary: ({ routes }) =>
      routes?.map(({ name, percent }: { readonly name: string; readonly percent: number }) => `${name} ${percent} %`).join(', ') ?? '',
  },
  facts: { limits: '2 to 20 routes that total 100 %', ports: 'one for each route' },
  names: ['routes.name'],
  ports: ({ routes }) => routes.map(({ name }) => name),
  run: ({ config, random }) => leave(chooseRoute(config.routes, random())),
});

/** @param number - in [0, 1), which is divided among the routes in order */
function chooseRoute(routes: readonly Route[], number: number): string {
  let end = 0;
  for (const { name, percent } of routes) {
    end += hundredths(percent);
    if (number * whole < end) return name;
  }
  throw new RangeError(`The routes do not reach ${number}`);
}
