// What a test begins with, and what of it is kept while its panel is closed: apart from the panel, which is loaded when it is opened.
import type { References } from '../api/client.ts';
import type { Fork } from '../executions/time-travel.ts';
import type { TestSetting } from '../worker/protocol.ts';
import { channelNamed } from './channel-named.ts';

/** A conversation that can be played again. */
export interface TestMemory {
  readonly script: string;
  /** Where it is walked step by step: the lines, of which `script` is the first. */
  readonly steps?: readonly string[];
  readonly setting: TestSetting;
  /** What calls answered, by node. */
  readonly answers: ReadonlyMap<string, string>;
  /** Nodes whose call is answered so by itself. */
  readonly always?: ReadonlySet<string>;
}

/** A user that no channel has, who is tried with. */
const somebody: TestSetting['user'] = { id: '5215512345678', names: 'Ana', phone: '5215512345678' };

/** What a test begins with. */
export const firstSetting: TestSetting = { channel: 'whatsapp', user: somebody };

/**
 * The setting of a test of a company: its settings as drafts read them, and what else decides how a conversation goes.
 *
 * @param before - what it begins with; settings of the company that it has were written by an author, and stay
 */
export const settingOf = (
  { settings, company: facts }: Pick<References, 'settings' | 'company'>,
  before: TestSetting = firstSetting,
): TestSetting => ({
  ...before,
  company: before.company ?? settings ?? {},
  ...(facts !== undefined && { facts }),
});

/** The conversation of an execution, up to a step. */
export const memoryOf = ({ script, channel, userId, startAt, answers }: Fork): TestMemory => ({
  script,
  setting: {
    channel: channelNamed(channel),
    user: typeof userId === 'string' ? { id: userId } : somebody,
    ...(startAt !== undefined && { startAt }),
  },
  answers: new Map(Object.entries(answers)),
});
