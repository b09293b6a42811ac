import { compileJson, containsText, defineNode, isHiloError, type JsonObject, leave } from '@hilo/engine/contract';
import { z } from 'zod';
import { foldText } from './messages/text.ts';

const Keyword = z
  .string()
  .max(200)
  .refine((keyword) => foldText(keyword) !== '', { error: 'A keyword needs at least one visible character' })
  .meta({ description: 'A word or phrase, or with "match": "pattern" an RE2 pattern; case and accents do not count', examples: ['menu'] });

const Config = z
  .strictObject({
    keywords: z.array(Keyword).max(100).default([]).meta({ description: 'The keywords that start this flow' }),
    match: z.enum(['exact', 'contains', 'words', 'pattern']).default('exact').meta({
      description:
        'How a message matches a keyword: it is the keyword (exact), contains it anywhere (contains) or as whole words (words), or the keyword is a pattern found in it (pattern)',
    }),
    fallback: z.boolean().default(false).meta({ description: 'Also starts with any message that starts no other flow' }),
    interrupts: z.boolean().default(false).meta({
      description:
        'Whether a keyword starts this flow even while another one waits for an answer of the user; that one then ends as cancelled (INTERRUPTED)',
    }),
  })
  .superRefine(({ keywords, interrupts }, context) => {
    if (interrupts && keywords.length === 0)
      context.addIssue({ code: 'custom', path: ['interrupts'], message: 'Only a keyword interrupts: add one, or leave interrupts out' });
  })
  .transform(({ keywords, match, fallback, interrupts }, context) => ({
    keywords: match === 'pattern' ? keywords : keywords.map(foldText),
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

/** Starts a conversation: by a keyword that the user writes, or by any message, as the fallback. */
export const start = defineNode({
  type: 'start',
  config: Config,
  visual: {
    label: 'Start',
    category: 'entry',
    icon: 'play',
    colour: '#16a34a',
    description: 'Where a conversation begins: when the user writes one of the keywords, or anything that no other flow knows.',
    summary: ({ keywords = [], fallback = false }) => [...keywords, ...(fallback ? ['anything else'] : [])].join(', ') || 'When called',
  },
  facts: { limits: '100 keywords of 200 characters' },
  ports: ['next'],
  entry: {
    kind: 'message',
    match: ({ matches, fallback }, { text }: JsonObject) => {
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
