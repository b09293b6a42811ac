import { setTimeout as pause } from 'node:timers/promises';
import type { HostParts, Settings } from '@hilo/server';
import { StoreRefused } from '@hilo/stores';
import type { Admin, Purpose } from './admin.ts';
import { openLocalAdmin } from './local-admin.ts';
import { openSocketAdmin } from './socket-admin.ts';

/** How often a store that is in use is tried again: its service may be starting or stopping, or another command be at work. */
const tryAgainMs = 100;

/**
 * Reaches what a data directory holds: by the service that runs over it, or by opening the store here when none runs.
 *
 * @param host - what the project adds to Hilo, where it is opened here
 * @param patienceMs - how long to wait for a store that somebody has who answers no command
 * @throws {Error} when there is no store, or it stays in use
 */
export async function openAdminOfDirectory(settings: Settings, purpose: Purpose, host: HostParts, patienceMs = 10_000): Promise<Admin> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (;;) {
    const running = await openSocketAdmin(settings);
    if (running !== undefined) return running;
    try {
      return await openLocalAdmin(settings, purpose, host);
    } catch (error) {
      if (!(error instanceof StoreRefused) || error.code !== 'STORE_LOCKED') throw error;
      if (performance.now() >= giveUpAtMs)
        throw new Error(
          `${error.message}. What has it answers no commands: it may be starting or stopping, or be a program of yours; with --url it is asked over HTTP`,
          { cause: error },
        );
    }
    await pause(tryAgainMs);
  }
}
