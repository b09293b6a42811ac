import type { HostParts } from './host-parts.ts';

/**
 * What a project adds to Hilo, for every command: `hilo.config.ts` in the directory that a command is run in, or the file
 * that `--config` names. Its paths begin at its folder; flags and variables go before its settings.
 */
export interface HiloConfig extends HostParts {
  /** A workspace to import when the service starts. */
  readonly workspace?: string;
  /** What holds `hilo.db`; `./data` of the directory that the command is run in, when left out. */
  readonly data?: string;
  /** Where the service listens; 3000, when left out, and 0 for any that is free. */
  readonly port?: number;
  /** On which address; `127.0.0.1`, when left out. */
  readonly host?: string;
  /** Where people reach the service, for links to its own pages; where it listens, when left out. */
  readonly publicUrl?: string;
  /** `host:port` pairs that outbound calls may reach though they are private; none, when left out. */
  readonly egressAllow?: readonly string[];
  /** Days that executions are kept after their end; 30, when left out. */
  readonly keepDays?: number;
  /** The same for those that failed; 90, when left out. */
  readonly keepFailedDays?: number;
  /** Where their histories go before they are removed: a directory, or `s3://bucket/prefix`; nowhere, when left out. */
  readonly historyOutbox?: string;
}

/**
 * The default export of a `hilo.config.ts`, checked by TypeScript.
 *
 * @example
 * export default defineConfig({ nodes: [scoreLead], drivers: [leadScores], channels: [pager], workspace: './workspace.json' });
 */
export const defineConfig = (config: HiloConfig): HiloConfig => config;
