import { compileJson, containsText, defineNode, getPath, isHiloError, type JsonObject, leave } from '@hilo/engine/contract';
import { z } from 'zod';
import { foldText } from './messages/text.ts';

const Keyword = z
  .string()
  .max(200)
  .refine((keyword) => foldText(keyword) !== '', { error: 'A keyword needs at least one visible character' })
  .meta({ description: 'A word or phrase, or with "match": "pattern" an RE2 pattern; case and accents do not count', examples: ['menu'] });

/** A payload or reference is an identifier that a person never sees: it is compared as it is. */
const Identifier = z.string().min(1).max(1_000);

const Config = z
  .strictObject({
    keywords: z.array(Keyword).max(100).default([]).meta({ description: 'The keywords that start this flow' }),
    match: z.enum(['exact', 'contains', 'words', 'pattern']).default('exact').meta({
      description:
        'How a message matches a keyword: it is the keyword (exact), contains it anywhere (contains) or as whole words (words), or the keyword is a pattern found in it (pattern)',
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
  })
  .superRefine(({ keywords, payloads, refs, interrupts }, context) => {
    if (interrupts && keywords.length + payloads.length + refs.length === 0)
      context.addIssue({
        code: 'custom',
        path: ['interrupts'],
        message: 'Only a keyword, a payload or a reference interrupts: add one, or leave interrupts out',
      });
  })
  .transform(({ keywords, payloads, refs, match, fallback, interrupts }, context) => ({
    keywords: match === 'pattern' ? keywords : keywords.map(foldText),
    payloads: new Set(payloads),
    refs: new Set(refs),
    match,
    fallback,
    interrupts,
    matches: keywords.map((keyword, index) => {
      if (match !== 'pattern') return wordMatcher(foldText(keyword), match);
      const test = patternMatcher(keyword);
      if (typeof test === 'function') return (folded: string, raw: string) => test(raw) || test(folded);
      context.issues.push({ code: 'custom', path: ['keywords', index], input: keyword, message: test });
      return () => false;
    }),
  }));

/** Whether a message that was folded matches a keyword that was. A keyword of signs alone, such as 👍, has no words and is found anywhere. */
function wordMatcher(keyword: string, match: 'exact' | 'contains' | 'words'): (message: string) => boolean {
  if (match === 'exact') return (message) => message === keyword;
  if (match === 'contains' || splitWords(keyword).length === 0) return (message) => containsText(message, keyword);
  const wanted = normalizeWords(keyword);
  return (message) => containsText(normalizeWords(message), wanted);
}

const splitWords = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The words of a text, separated and surrounded by single blanks, so that a phrase matches whole words only. */
const normalizeWords = (text: string): string => ` ${splitWords(text).join(' ')} `;

/** A test in linear time; or why the pattern is malformed. */
function patternMatcher(pattern: string): ((message: string) => boolean) | string {
  try {
    const like = compileJson(`{{like($message.text, ${JSON.stringify(`(?i)${pattern}`)})}}`);
    const test = (text: string) => like({ get: () => text }) === true;
    test('');
    return test;
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

/** Starts a conversation: by a keyword, a payload or a reference, or by any message, as the fallback. */
export const start = defineNode({
  type: 'start',
  config: Config,
  visual: {
    label: 'Start',
    category: 'entry',
    icon: 'play',
    colour: '#16a34a',
    description:
      'Where a conversation begins: when the user writes one of the keywords, presses a button of one of the payloads, comes by one of the references, or writes anything that no other flow knows.',
    summary: ({ keywords = [], payloads = [], refs = [], fallback = false }) =>
      [...keywords, ...payloads, ...refs, ...(fallback ? ['anything else'] : [])].join(', ') || 'When called',
  },
  facts: { limits: '100 keywords of 200 characters; 100 payloads and 100 references of 1,000' },
  ports: ['next'],
  entry: {
    kind: 'message',
    sample: { fallback: true },
    match: ({ keywords, payloads, refs, match, matches, fallback }, message: JsonObject) => {
      const { payload, refs: given } = readIdentifiers(message);
      if (payload !== undefined) {
        if (payloads.has(payload)) return 'payload';
        // A payload has no words: it names a keyword, or none.
        if (match !== 'pattern' && keywords.includes(foldText(payload))) return 'payload';
      }
      if (given.some((ref) => refs.has(ref))) return 'payload';
      const { text } = message;
      const raw = typeof text === 'string' ? text : '';
      const folded = foldText(raw);
      if (folded !== '' && matches.some((test) => test(folded, raw))) return 'keyword';
      return fallback ? 'fallback' : undefined;
    },
    keywords: ({ keywords, match, matches }) =>
      keywords.flatMap((keyword, index) => {
        const text = match === 'pattern' ? keyword.replace(/^\^|\$$/g, '') : keyword;
        // A pattern is an example message only when it matches itself, as "cancel" and "^cancel$" do.
        return matches[index]?.(foldText(text), text) === true
          ? [{ text, at: ['keywords', index], ...((match === 'exact' || match === 'words') && { words: splitWords(text) }) }]
          : [];
      }),
    interrupts: ({ interrupts }) => interrupts,
  },
  run: () => leave('next'),
});
