// Services of a test, opened one after the other in one place.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVirtualClock, seededRandom, type VirtualClock } from '@hilo/testing';
import type { Logger } from '../../src/platform/logging/logger.ts';
import type { HostParts } from '../../src/service/host-parts.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import type { Settings } from '../../src/service/settings.ts';
import { runtimeParts } from './runtime.ts';
import { settingsFor } from './settings.ts';

/** The log, line by line. */
export interface Lines extends Logger {
  readonly lines: readonly { readonly level: string; readonly fields: object; readonly message: string }[];
}

function recordLines(): Lines {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

/** A place for services, opened one after the other on what the one before left. */
export interface Place {
  readonly directory: string;
  readonly clock: VirtualClock;
  readonly log: Lines;
  open(settings?: Partial<Settings> & Pick<HostParts, 'laneRuntime'>, seams?: { readonly runs?: boolean }): Promise<RunningService>;
}

/** Runs a test with a place of its own; its services are closed afterwards. @param fixed - settings of every service there */
export const withPlace =
  (
    test: (place: Place) => Promise<void>,
    fixed: () => Promise<Partial<Settings> & Pick<HostParts, 'laneRuntime'>> = async () => ({}),
  ): (() => Promise<void>) =>
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-service-'));
    const clock = createVirtualClock();
    const log = recordLines();
    const opened: RunningService[] = [];
    try {
      const given = await fixed();
      const always = given.databaseUrl === undefined ? { ...(await runtimeParts(directory)), ...given } : given;
      await test({
        directory,
        clock,
        log,
        async open({ laneRuntime = always.laneRuntime, ...settings } = {}, seams = {}) {
          const service = await openService(
            { ...settingsFor(directory, { ...always, ...settings }), laneRuntime },
            {
              clock,
              random: seededRandom(opened.length + 1),
              log,
              ...seams,
            },
          );
          opened.push(service);
          return service;
        },
      });
    } finally {
      for (const service of opened) await service.close();
      await rm(directory, { recursive: true });
    }
  };

/** The example workspace of the repository. */
export const exampleWorkspace = new URL('../../../../examples/workspace/workspace.json', import.meta.url).pathname;
