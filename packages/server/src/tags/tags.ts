import { Channel, channels } from '@hilo/engine/contract';
import type { ItemOf } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { QueryText } from '../platform/http/query.ts';
import type { tags } from '../platform/tables/tags.ts';

/** A tag as the API shows it (TAG-06). */
export const Tag = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string(),
    textColor: z.string(),
    language: z.string(),
    teams: z.array(z.int()),
    channels: z.array(z.enum(channels)),
  })
  .openapi('Tag');

/** A tag of the catalogue (TAG-06). */
export const describeTag = ({ companyId: _company, ...tag }: ItemOf<typeof tags.columns>): z.output<typeof Tag> => tag;

/** Values of a query parameter that is repeated, or given once with commas (TAG-01). */
const ListOf = (field: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => (typeof given === 'string' ? [given] : given).flatMap((text) => text.split(',')))
    .refine((values) => values.every((value) => value !== ''), `${field} has an empty entry`);

/** The filters on tags of the catalogue. All filters must match; of one filter's values any. */
export const TagFilter = z.object({
  name: QueryText('name', 500).optional().openapi({ description: 'A part of the name, in any case' }),
  language: QueryText('language', 500).optional(),
  teams: ListOf('teams')
    .pipe(z.array(z.string().regex(/^\d+$/, 'a team is a whole number').transform(Number)))
    .optional()
    .openapi({ type: 'array', items: { type: 'integer' } }),
  channels: ListOf('channels')
    .pipe(z.array(z.enum(Channel.options, `a channel is one of ${channels.join(', ')}`)))
    .optional()
    .openapi({ type: 'array', items: { type: 'string', enum: [...channels] } }),
});

/** Whether a filter lets a tag through. */
export function matchesFilter(tag: z.output<typeof Tag>, { name, language, teams, channels }: z.output<typeof TagFilter>): boolean {
  if (name !== undefined && !foldCase(tag.name).includes(foldCase(name))) return false;
  if (language !== undefined && foldCase(tag.language) !== foldCase(language)) return false;
  if (teams !== undefined && !teams.some((team) => tag.teams.includes(team))) return false;
  return channels === undefined || channels.some((channel) => tag.channels.includes(channel));
}

/** Case-folded. Lower case alone is not enough: a Greek sigma has two forms. */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase();
