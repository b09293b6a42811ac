// What pages and generated files are made of: the routes of a service, and its description of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, defaultSettings, openService } from '../../packages/server/src/index.ts';
import { describeInterface, type InterfaceDocument } from '../../packages/server/src/operations/openapi.ts';
import { listRoutes } from '../../packages/server/src/platform/http/mount-routes.ts';

export interface DescribedService {
  readonly document: InterfaceDocument;
  readonly routes: ReturnType<typeof listRoutes>;
}

/** Describes a service of its own, in a temporary directory. */
export async function describeService(): Promise<DescribedService> {
  const data = mkdtempSync(join(tmpdir(), 'hilo-routes-'));
  const silent = { info: () => undefined, warn: () => undefined, error: console.error };
  const service = await openService({ ...defaultSettings, data }, { log: silent, runs: false });
  try {
    const app = createApp(service);
    return { document: await describeInterface(app), routes: listRoutes(app) };
  } finally {
    await service.close();
    rmSync(data, { recursive: true });
  }
}
