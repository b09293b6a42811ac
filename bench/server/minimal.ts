import { join } from 'node:path';
import type { LayoutName } from './minimal-layouts.ts';
import type { Program } from './start-server.ts';

/** The floors of what is durable: by hand over node:http and SQLite, with Hilo's row and indexes, and with a lean row. */
const minimal = (layout: LayoutName, title: string): Program => ({
  title,
  files: {},
  args: (directory) => [join(import.meta.dirname, 'minimal-server.ts'), layout, directory],
  isUp: /listening at (\S+)/,
  path: '/order',
  calls: 'orders',
});

export const minimalSame = minimal('same', "minimal same: by hand, durable, Hilo's row and indexes");
export const minimalLean = minimal('lean', 'minimal lean: by hand, durable, a lean row');
