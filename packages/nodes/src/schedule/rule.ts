// The rules by which executions begin by the clock, as they follow from the fields of a `start`.

/** The audience of a schedule: the company itself, or each contact of a set. */
export type Audience = 'company' | { readonly group: string } | { readonly segment: string };

/** One rule by which executions begin by the clock. */
export type ScheduleRule = CronRule | DateRule;

interface RuleBase {
  readonly nodeId: string;
  /** All that it says: another text is another rule. */
  readonly text: string;
  readonly graceMs: number;
}

/** Begins at the instants of a cron expression. */
export interface CronRule extends RuleBase {
  readonly kind: 'cron';
  readonly cron: string;
  /** The company's, when undefined. */
  readonly timeZone: string | undefined;
  readonly audience: Audience;
}

/** Begins for each contact, relative to a date of theirs. */
export interface DateRule extends RuleBase {
  readonly kind: 'date';
  readonly field: string;
  /** So many days of the calendar before the date, and so much time before the time of that day. */
  readonly beforeDays: number;
  readonly beforeMs: number;
  /** Minutes after midnight. */
  readonly minutes: number;
}
