import { isHiloError } from '@hilo/engine/contract';
import type { ServiceRuntime, Settings } from '@hilo/server';
import { hostOf, loadConfig } from '@hilo/server/parts';
import type { Command } from 'commander';
import { drawRefusal } from './draw-problem.ts';
import { runService } from './serve/run-service.ts';
import { type Given, readServeSettings } from './serve/settings.ts';

/** The flags of `hilo serve` and `hilo dev`. */
export interface ServeFlags extends Given {
  /** The file with what the project adds to Hilo. */
  readonly config?: string;
}

/** Runs the service until it is stopped. */
export async function serve(command: Command, { config, ...flags }: ServeFlags, version: string): Promise<void> {
  const parts = await loadConfig(config);
  const read = readServeSettings(flags, process.env, parts.settings);
  if (read.kind === 'refused') return command.error(read.reasons.map((reason) => `error: ${reason}`).join('\n'));
  const { settings } = read;
  try {
    const laneRuntime = settings.runtime === undefined ? undefined : await loadRestate(settings);
    await runService({ ...settings, ...hostOf(parts), laneRuntime }, version);
  } catch (error) {
    if (!isHiloError(error, 'WORKSPACE_REFUSED') || settings.workspace === undefined) throw error;
    process.stderr.write(`${await drawRefusal(settings.workspace, error, '`hilo import --json`')}\n`);
    process.exitCode = 1;
  }
}

/**
 * Loads the Restate runtime, an optional dependency.
 *
 * @throws {Error} that names the packages to install, when it is not installed
 */
async function loadRestate({
  restateUrl,
  restateService: serviceUrl,
  restateListen: listen,
  restateIdentity: identityKeys,
  restateServer,
}: Settings): Promise<ServiceRuntime> {
  const { restateService } = await import('@hilo/restate').catch((cause: unknown) => {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new Error('--runtime restate needs two packages: npm install @hilo/restate @restatedev/restate-server@1.7.12', { cause });
  });
  return restateService({ url: restateUrl, serviceUrl, listen, identityKeys, program: restateServer });
}
