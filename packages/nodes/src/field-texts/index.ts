/** What people read beside the fields of the standard nodes: labels, help and examples, in every language of the studio. */
import type { FieldTexts } from '@hilo/engine/contract';
import { commonTexts, sharedTexts } from './common.ts';
import { connectTexts } from './connect.ts';
import { logicTexts } from './logic.ts';
import { talkTexts } from './talk.ts';

const standardTexts: ReadonlyMap<string, FieldTexts> = new Map(Object.entries({ ...talkTexts, ...logicTexts, ...connectTexts }));

/**
 * The texts of a type of node: those of every node, over them those that standard nodes share, and those of its own.
 *
 * @param fields - the names of all its fields: texts of others are left out
 */
export function fieldTextsOf(type: string, own: FieldTexts | undefined, fields: ReadonlySet<string>): FieldTexts {
  const standard = standardTexts.get(type);
  const texts = standard === undefined ? { ...commonTexts, ...own } : { ...commonTexts, ...sharedTexts, ...standard, ...own };
  const isOfField = ([at]: [string, unknown]): boolean => (at.split('=')[0] ?? '').split('.').every((name) => fields.has(name));
  return Object.fromEntries(Object.entries(texts).filter(isOfField));
}
