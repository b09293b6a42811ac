import { Command, InvalidArgumentError } from 'commander';
import type { CapacityFlags } from '../capacity.ts';

export const capacityCommand = (): Command =>
  new Command('capacity')
    .summary('how many machines so many users take')
    .description(
      'Works out what users and their messages take: processes or cells, commits, log, memory and disk. The model, and what of it was measured, is in docs/scaling.md.',
    )
    .requiredOption('--users <number>', 'how many users in all, such as 250000, 250k or 100M', countFlag)
    .requiredOption('--messages <rate>', 'how many messages, such as 50000/s, 3M/min or 4G/day', rateFlag)
    .option('--json', 'print the figures as JSON, and nothing else')
    .addHelpText('after', '\nExit code: 0, 1 for more than there can be cells, 2 for wrong use.')
    .action(async (flags: CapacityFlags) => {
      const { capacity } = await import('../capacity.ts');
      capacity(flags);
    });

const multiples = { '': 1, k: 1e3, M: 1e6, G: 1e9, B: 1e9 } as const;
const perSecond = { s: 1, min: 60, h: 3_600, day: 86_400 } as const;

/** Reads `250k` or `1.5M`. */
function countFlag(text: string): number {
  const [, digits, multiple = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([kMGB]?)$/.exec(text) ?? [];
  const count = Number(digits) * multiples[multiple as keyof typeof multiples];
  if (digits === undefined || count < 1 || count > 1e12)
    throw new InvalidArgumentError('Give a number from 1 to 1000G, such as 250000, 250k or 1.5M.');
  return Math.round(count);
}

/** Reads `50000/s`, `3M/min`, `20k/h` or `4G/day`; without a unit, a second's. */
function rateFlag(text: string): number {
  const [, digits, multiple = '', unit = 's'] = /^(\d{1,15}(?:\.\d{1,6})?)([kMGB]?)(?:\/(s|min|h|day))?$/.exec(text) ?? [];
  const rate = (Number(digits) * multiples[multiple as keyof typeof multiples]) / perSecond[unit as keyof typeof perSecond];
  if (digits === undefined || !(rate > 0) || rate > 1e9)
    throw new InvalidArgumentError('Give messages in a time, such as 50000/s, 50k/s, 3M/min, 20k/h or 4G/day.');
  return rate;
}
