// A server of Fastify that keeps nothing, as a contestant.
import { join } from 'node:path';
import type { Program } from './start-server.ts';

export const fastify: Program = {
  title: 'Fastify, nothing kept',
  files: {},
  args: () => [join(import.meta.dirname, 'fastify-server.mjs')],
  isUp: /listening at (\S+)/,
  path: '/order',
  calls: 'orders',
};
