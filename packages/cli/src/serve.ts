import { WorkspaceRefused } from '@hilo/server';
import { hostOf, loadConfig } from '@hilo/server/kit';
import { Command } from 'commander';
import { drawRefusal } from './draw-refusal.ts';
import { type Given, readSettings } from './serve/settings.ts';

export const serveCommand = (version: string): Command =>
  new Command('serve')
    .summary('run the service: webhooks, messages, management')
    .description('Runs the service: the webhook gateway, inbound messages, management, health and metrics, all on one port.')
    .option('-p, --port <number>', 'where to listen; 0 takes any free port (HILO_PORT; 3000)')
    .option('--host <address>', 'on which address; 0.0.0.0 for all of this machine (HILO_HOST; 127.0.0.1)')
    .option('--public-url <url>', 'where people reach it, for links to its own pages (HILO_PUBLIC_URL; where it listens)')
    .option('--config <file>', 'nodes, drivers and channels of your own; without it hilo.config.ts of this directory, where there is one')
    .option('-d, --data <directory>', 'what holds hilo.db (HILO_DATA; ./data)')
    .option('--database-url <url>', 'PostgreSQL instead of SQLite (HILO_DATABASE_URL)')
    .option('--workspace <file>', 'a workspace to import at start (HILO_WORKSPACE)')
    .option('--egress-allow <list>', 'host:port,… that outbound calls may reach though they are private (HILO_EGRESS_ALLOW)')
    .option('--egress-ca <file>', 'a PEM file that outbound TLS trusts as well (HILO_EGRESS_CA)')
    .option('--rate-limit <number>', 'requests a second for each credential, or off (HILO_RATE_LIMIT; off)')
    .option('--legacy-hosts <list>', 'host,… that serve the earlier addresses; all, when left out (HILO_LEGACY_HOSTS)')
    .option('--log <format>', 'pretty or json (HILO_LOG; pretty)')
    .addHelpText(
      'after',
      `
Secrets are variables only. HILO_ADMIN_TOKEN, at least 16 characters, is what management and the studio ask everybody for;
without it, one is made at the first start, shown once, and kept in the file admin.token of the data directory.
HILO_SECRET_KEY, 32 bytes in base64, encrypts what is secret in the store; without it, the file secret.key beside that.

Exit code: 0 after SIGTERM or Ctrl-C, 1 when it cannot start, 2 for wrong use.`,
    )
    .action(async function (this: Command, { config, ...flags }: Given & { readonly config?: string }) {
      const parts = await loadConfig(config);
      const read = readSettings(flags, process.env, parts.settings);
      if (read.kind === 'refused') this.error(read.reasons.map((reason) => `error: ${reason}`).join('\n'));
      const { settings } = read;
      const { runService } = await import('./serve/run-service.ts'); // help and wrong use need none of it
      try {
        await runService({ ...settings, ...hostOf(parts) }, version);
      } catch (error) {
        if (!(error instanceof WorkspaceRefused) || settings.workspace === undefined) throw error;
        process.stderr.write(`${await drawRefusal(settings.workspace, error, '`hilo import --json`')}\n`);
        process.exitCode = 1;
      }
    });
