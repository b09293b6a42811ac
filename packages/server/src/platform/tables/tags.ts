import type { Channel } from '@hilo/engine/contract';
import { defineTable, integer, json, key, plain, text } from '@hilo/stores';

/** Tags of rooms (TAG rules). */
export const tags = defineTable(
  'tags',
  {
    companyId: key(text()),
    id: key(integer()),
    name: text(),
    color: plain(),
    textColor: plain(),
    language: text(),
    teams: json<number[]>(),
    channels: json<Channel[]>(),
  },
  { workspace: 'tags', moves: 'copied', personal: 'none' },
);
