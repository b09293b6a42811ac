// The fields by which a `start` begins by the clock: `schedule` by a cron expression, `at` by a date of a contact.
import { type ConfigProblem, Duration, findNearestName, isTimeZone, type Reference, type UserField } from '@hilo/engine/contract';
import { z } from 'zod';
import { clockTime, parseMinutes } from '../opening-hours.ts';
import { cronProblem } from './due-times.ts';
import type { ScheduleRule } from './rule.ts';

const Name = z.string().min(1).max(100);

/** The audience of a schedule. */
const Audience = z.union(
  [
    z.literal('company'),
    z.strictObject({ group: Name.meta({ description: 'The name of a group of contacts', examples: ['vip'] }) }),
    z.strictObject({ segment: Name.meta({ description: 'The name of a saved segment', examples: ['quiet'] }) }),
  ],
  {
    error: 'Write "company", {"group": "NAME"} or {"segment": "NAME"}',
  },
);

const Schedule = z.strictObject({
  cron: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: 'When it begins, in the five fields of cron: minute, hour, day of the month, month, day of the week',
      examples: ['0 9 * * 1-5', '30 8 1 * *'],
    }),
  timeZone: z
    .string()
    .refine(isTimeZone, { error: 'There is no time zone of this name: write an IANA name such as America/Lima' })
    .meta({ description: "The IANA time zone of the cron expression; without it the company's, else UTC", examples: ['America/Lima'] })
    .optional(),
  for: Audience.meta({
    description: 'Whom it begins for: once for the company, without a user, or once for each contact of a group or a segment',
  }),
});

const dateForm = /^\{\{\s*\$?user\.fields\.([A-Za-z_]\w{0,99})\s*\}\}$/;

/** The fields of a `start` that begin by the clock. */
export const clockFields = {
  schedule: Schedule.meta({ description: 'Begins this flow by the clock' }).optional(),
  at: z
    .string()
    .max(200)
    .meta({
      description: 'Begins this flow for each contact on the date that this field of theirs has, in their time zone',
      examples: ['{{user.fields.renewal}}'],
    })
    .optional(),
  before: Duration.meta({ description: 'So long before the date of "at": days are days of the calendar', examples: ['P7D'] }).optional(),
  time: z
    .string()
    .regex(clockTime, 'Write the time as "09:30", from "00:00" to "23:59"')
    .refine((time) => time !== '24:00', { error: 'Write the time as "00:00" of the next day' })
    .meta({ description: 'The time of the day for "at", on the clock of the contact; 09:00 when left out', examples: ['09:00'] })
    .optional(),
  grace: Duration.meta({
    description: 'How late it may begin what fell due while the service was away; PT1H when left out. What is later is recorded as missed',
    examples: ['PT1H'],
  }).optional(),
};

/** The same, parsed. */
export interface ClockFields {
  readonly schedule?: z.output<typeof Schedule> | undefined;
  readonly at?: string | undefined;
  readonly before?: number | undefined;
  readonly time?: string | undefined;
  readonly grace?: number | undefined;
}

/** The fields that say nothing without others. */
export function requireClock({ schedule, at, before, time, grace }: ClockFields, context: z.core.$RefinementCtx): void {
  const need = (path: string, what: string): void => context.addIssue({ code: 'custom', path: [path], message: what });
  if (at === undefined && before !== undefined) need('before', 'Give "at", the date that this is before');
  if (at === undefined && time !== undefined) need('time', 'Give "at", the date of which this is the time');
  if (at === undefined && schedule === undefined && grace !== undefined) need('grace', 'Give "schedule" or "at", which this is for');
  if (at !== undefined && !dateForm.test(at))
    need('at', 'Name one field of the contact that holds a date, such as {{user.fields.renewal}}, and nothing else');
}

/** The group or segment that a schedule names. */
export function audienceOf(audience: NonNullable<ClockFields['schedule']>['for'] | undefined): readonly Reference[] {
  if (audience === undefined || audience === 'company') return [];
  const at = ['schedule', 'for'];
  return 'group' in audience
    ? [{ kind: 'group', id: audience.group, at: [...at, 'group'] }]
    : [{ kind: 'segment', id: audience.segment, at: [...at, 'segment'] }];
}

/** What is wrong with a cron expression that is a text, and with a date that no field of the company holds. */
export function checkClock({ schedule, at }: ClockFields, userFields?: readonly UserField[]): readonly ConfigProblem[] {
  const problem = schedule === undefined ? undefined : cronProblem(schedule.cron);
  const message = userFields === undefined ? undefined : dateProblem(at, userFields);
  const hint = 'Name a field of type "date", or declare one in the "fields" of the company.';
  return [
    ...(problem === undefined ? [] : [{ ...problem, severity: 'error' as const, at: ['schedule', 'cron'] }]),
    ...(message === undefined
      ? []
      : [{ code: 'UNKNOWN_VARIABLE_FIELD' as const, severity: 'warning' as const, message, hint, at: ['at'] }]),
  ];
}

/** Why nothing ever begins on the date of a field. */
function dateProblem(at: string | undefined, userFields: readonly UserField[]): string | undefined {
  const [, key] = (at === undefined ? null : dateForm.exec(at)) ?? [];
  const field = userFields.find((one) => one.key === key);
  if (key === undefined || field?.type === 'date') return undefined;
  if (field !== undefined) return `The field "${key}" of contacts holds a ${field.type}, and no date: nothing ever begins by it`;
  const dates = userFields.flatMap((one) => (one.type === 'date' ? [one.key] : []));
  const nearest = findNearestName(key, dates);
  const others = dates.length === 0 ? 'the company declares no field of type "date"' : `there are ${dates.join(', ')}`;
  const remedy = nearest === undefined ? others : `did you mean ${nearest}?`;
  return `The company declares no field "${key}" of contacts, so that nothing ever begins by it; ${remedy}`;
}

const dayMs = 86_400_000;
const usualGraceMs = 3_600_000;
const usualTime = '09:00';

/** The rules of a `start`. */
export function rulesOf(nodeId: string, { schedule, at, before = 0, time = usualTime, grace = usualGraceMs }: ClockFields): ScheduleRule[] {
  const rules: ScheduleRule[] = [];
  if (schedule !== undefined) {
    const { cron, timeZone, for: audience } = schedule;
    const text = JSON.stringify(['cron', cron.trim().split(/\s+/).join(' '), timeZone ?? null, audience]);
    rules.push({ kind: 'cron', nodeId, text, graceMs: grace, cron, timeZone, audience });
  }
  const [, field] = (at === undefined ? null : dateForm.exec(at)) ?? [];
  if (field !== undefined) {
    const minutes = parseMinutes(time);
    const [beforeDays, beforeMs] = [Math.floor(before / dayMs), before % dayMs];
    const text = JSON.stringify(['date', field, before, minutes]);
    rules.push({ kind: 'date', nodeId, text, graceMs: grace, field, beforeDays, beforeMs, minutes });
  }
  return rules;
}
