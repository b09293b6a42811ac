import { type Channel, channels } from '@hilo/engine/contract';
import { read } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import type { TagRow } from '../platform/database/attention-rows.ts';

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

export const tagView = (row: TagRow): z.output<typeof Tag> => ({
  id: row.id,
  name: read(row.name),
  color: read(row.color),
  textColor: read(row.text_color),
  language: read(row.language),
  teams: JSON.parse(row.teams) as number[],
  channels: JSON.parse(row.channels) as Channel[],
});
