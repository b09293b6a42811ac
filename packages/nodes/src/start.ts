// The node `start`: which messages begin a workflow.
import { compileJson, containsText, defineNode, getPath, isHiloError, type JsonObject, leave, type Routing } from '@hilo/engine/contract';
import { z } from 'zod';
import { InboundMessage } from './messages/inbound-message.ts';
import { foldLetters, foldText, readBeginning } from './messages/folded-text.ts';
import { requiredText } from './messages/required-text.ts';
import { audienceOf, checkClock, clockFields, requireClock, rulesOf } from './schedule/schedule-config.ts';

const Keyword = z
  .string()
  .max(200)
  .refine((keyword) => foldText(keyword) !== '', { error: 'A keyword needs at least one visible character' })
  .meta({
    description:
      'A word or phrase, or with "match": "pattern" an RE2 pattern; case, accents, quotes, final punctuation and emoji around it do not count',
    examples: ['menu'],
  });

/** A payload or reference is an identifier that a person never sees: it is compared as it is. */
const Identifier = z.string().min(1).max(1_000);

const Config = z
  .strictObject({
    keywords: z.array(Keyword).max(100).default([]).meta({ description: 'The keywords that start this flow' }),
    match: z.enum(['exact', 'contains', 'words', 'pattern', 'verbatim']).default('exact').meta({
      description:
        'How a message matches a keyword: it is the keyword (exact), contains it anywhere (contains) or as whole words (words), the keyword is a pattern found in it (pattern), or the message is the keyword sign by sign (verbatim)',
    }),
    payloads: z
      .array(Identifier)
      .max(100)
      .default([])
      .meta({
        description:
          'The payloads that start this flow, compared exactly: of a button of a template, an ice breaker, an entry of a menu, the button "Get started"; a slash command of Slack by its name',
        examples: [['GET_STARTED'], ['/orders']],
      }),
    refs: z
      .array(Identifier)
      .max(100)
      .default([])
      .meta({
        description:
          'The references that start this flow, compared exactly: the ref of an m.me or ig.me link, the id of the advertisement that the user came from',
        examples: [['summer-sale']],
      }),
    fallback: z.boolean().default(false).meta({ description: 'Also starts with any message that starts no other flow' }),
    interrupts: z.boolean().default(false).meta({
      description:
        'Whether a keyword, payload or reference starts this flow even while another one waits for an answer of the user; that one then ends as cancelled (INTERRUPTED)',
    }),
    ...clockFields,
  })
  .superRefine(({ keywords, payloads, refs, interrupts, ...clock }, context) => {
    requireClock(clock, context);
    if (interrupts && keywords.length + payloads.length + refs.length === 0)
      context.addIssue({
        code: 'custom',
        path: ['interrupts'],
        message: 'Only a keyword, a payload or a reference interrupts: add one, or leave interrupts out',
      });
  })
  .transform(({ keywords, payloads, refs, match, fallback, interrupts, ...clock }, context) => ({
    keywords: match === 'pattern' || match === 'verbatim' ? keywords : keywords.map(foldLetters),
    /** The keywords that a payload may be: a payload has no words, and is none of a pattern. */
    names: new Set(match === 'pattern' ? [] : match === 'verbatim' ? keywords : keywords.map(foldText)),
    payloads: new Set(payloads),
    refs: new Set(refs),
    match,
    fallback,
    interrupts,
    clock,
    /** The rules by which it begins by the clock. @param nodeId - its own id */
    rules: (nodeId: string) => rulesOf(nodeId, clock),
    matches: keywords.map((keyword, index) => {
      if (match === 'verbatim') return ({ raw }: Heard) => raw === keyword;
      if (match !== 'pattern') return wordMatcher(foldText(keyword), match);
      const test = patternMatcher(keyword);
      if (typeof test === 'function') return test;
      context.issues.push({ code: 'custom', path: ['keywords', index], input: keyword, message: test });
      return () => false;
    }),
  }));

/** What a message says, in the forms that keywords are compared with: made once a message, of its first 4,096 characters. */
export interface Heard {
  readonly raw: string;
  readonly lower: string;
  readonly letters: string;
  readonly folded: string;
  /** Its words, separated and surrounded by single blanks, so that a phrase matches whole words only. */
  readonly words: string;
}

function hear({ text }: JsonObject): Heard {
  const whole = typeof text === 'string' ? text : '';
  const raw = readBeginning(whole);
  const letters = foldLetters(raw);
  return { raw, lower: raw.toLowerCase(), letters, folded: raw === whole ? foldText(raw) : letters, words: normalizeWords(letters) };
}

type Matcher = (heard: Heard, spend: Routing['spend'] | undefined) => boolean;

/** Whether a message matches a keyword that was folded. A keyword of signs alone, such as 👍, has no words and is found anywhere. */
function wordMatcher(keyword: string, match: 'exact' | 'contains' | 'words'): Matcher {
  if (match === 'exact') return ({ folded }) => folded === keyword;
  const isWord = match === 'words' && splitWords(keyword).length > 0;
  const wanted = isWord ? normalizeWords(keyword) : keyword;
  return (heard, spend) => {
    const text = isWord ? heard.words : heard.letters;
    return spend?.(text.length + wanted.length) !== false && containsText(text, wanted);
  };
}

const splitWords = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]{1,4096}/gu) ?? [];
const normalizeWords = (text: string): string => ` ${splitWords(text).join(' ')} `;

/** A test in linear time, of the message as it is and folded; or why the pattern is malformed. What goes over the budget does not match. */
function patternMatcher(pattern: string): Matcher | string {
  try {
    const like = compileJson(`{{like($message.text, ${JSON.stringify(`(?i)${pattern}`)})}}`);
    const test = (text: string, spend: Routing['spend'] | undefined): boolean => {
      try {
        return like({ get: () => text, spend }) === true;
      } catch (error) {
        if (isHiloError(error, 'EXPRESSION')) return false;
        throw error;
      }
    };
    like({ get: () => '' });
    const wanted = requiredText(pattern);
    const mayMatch = (text: string, spend: Routing['spend'] | undefined): boolean =>
      wanted === '' || (spend?.(text.length + wanted.length) !== false && containsText(text, wanted));
    return ({ raw, lower, folded }, spend) =>
      (mayMatch(lower, spend) && test(raw, spend)) || (folded !== lower && mayMatch(folded, spend) && test(folded, spend));
  } catch (error) {
    if (!isHiloError(error, 'EXPRESSION')) throw error;
    return `"${pattern}" is not a pattern: ${error.details.reason}`;
  }
}

/** The payload of a message, and the references of the link or advertisement that led to it. */
function readIdentifiers(message: JsonObject): { readonly payload: string | undefined; readonly refs: readonly string[] } {
  const { payload, referral } = message;
  const refs = ['ref', 'source_id', 'ad_id'].map((name) => getPath(referral, [name]));
  return {
    payload: typeof payload === 'string' && payload !== '' ? payload : undefined,
    refs: refs.filter((ref) => typeof ref === 'string'),
  };
}

/** Starts a conversation: by a keyword, a payload or a reference, by any message, as the fallback, or by the clock. */
export const start = defineNode({
  type: 'start',
  config: Config,
  visual: {
    label: 'Start',
    category: 'entry',
    icon: 'play',
    colour: '#16a34a',
    description:
      'Where a conversation begins: when the user writes one of the keywords, presses a button of one of the payloads, comes by one of the references, or writes anything that no other flow knows. It also begins by the clock: at the times of a schedule, or on a date of each contact.',
    summary: ({ keywords = [], payloads = [], refs = [], fallback = false, schedule, at }) =>
      [
        ...keywords,
        ...payloads,
        ...refs,
        ...(fallback ? ['anything else'] : []),
        ...(schedule === undefined ? [] : [schedule.cron]),
        ...(at === undefined ? [] : [at]),
      ].join(', ') || 'When called',
    formHints: { keywords: 'texts', payloads: 'texts', refs: 'texts', before: 'duration', grace: 'duration' },
  },
  facts: { limits: '100 keywords of 200 characters; 100 payloads and 100 references of 1,000; a schedule at most once a minute' },
  references: ({ clock: { schedule } }) => audienceOf(schedule?.for),
  check: ({ clock }, { userFields }) => checkClock(clock, userFields),
  ports: ['next'],
  entry: {
    kind: 'message',
    sample: { fallback: true },
    match: ({ names, payloads, refs, match, matches, fallback }, message: JsonObject, routing) => {
      const { payload, refs: given } = readIdentifiers(message);
      if (payload !== undefined && (payloads.has(payload) || names.has(match === 'verbatim' ? payload : foldText(readBeginning(payload)))))
        return 'payload';
      if (given.some((ref) => refs.has(ref))) return 'payload';
      const heard = matches.length === 0 ? undefined : (routing?.once(hear) ?? hear(message));
      if (heard !== undefined && heard.folded !== '' && matches.some((test) => test(heard, routing?.spend))) return 'keyword';
      return fallback ? 'fallback' : undefined;
    },
    keywords: ({ keywords, match, matches }) =>
      keywords.flatMap((keyword, index) => {
        const text = match === 'pattern' ? keyword.replace(/^\^|\$$/g, '') : keyword;
        // A pattern is an example message only when it matches itself, as "cancel" and "^cancel$" do.
        return matches[index]?.(hear({ text }), undefined) === true
          ? [{ text, at: ['keywords', index], ...((match === 'exact' || match === 'words') && { words: splitWords(text) }) }]
          : [];
      }),
    identifiers: ({ payloads, refs }) => [
      ...[...payloads].map((text, index) => ({ text, at: ['payloads', index], message: { type: 'button', payload: text } })),
      ...[...refs].map((text, index) => ({ text, at: ['refs', index], message: { type: 'referral', referral: { ref: text } } })),
    ],
    fields: Object.keys(InboundMessage.shape),
    takesAny: ({ fallback }) => fallback,
    interrupts: ({ interrupts }) => interrupts,
  },
  run: () => leave('next'),
});
