import { createGateway, openService } from '@hilo/server';

/** One service for the process: Next.js loads a route's module again when it changes, and a store belongs to one service. */
const opened = globalThis as { hilo?: ReturnType<typeof open> };

async function open() {
  const service = await openService({ data: process.env['HILO_DATA'] ?? './data', workspace: './workspace.json' });
  return { service, gateway: createGateway(service) };
}

/** The service of this process, opened at first use. */
export const hilo = () => (opened.hilo ??= open());
