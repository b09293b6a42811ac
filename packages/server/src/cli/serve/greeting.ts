import { resolve } from 'node:path';
import type { RunningService } from '../../service/open-service.ts';
import type { Paint } from '../paint.ts';
import { printable } from '../printable.ts';

/** What the first lines of the log say. */
export interface Greeting {
  readonly address: string;
  /** Where else than there it is reached. */
  readonly reach?: string;
  readonly store: string;
  readonly durability: string;
  readonly imported: string;
  readonly management: string;
  readonly studio: string;
  readonly docs: string;
  /** A line for a shell that starts an execution and shows it. */
  readonly try?: string;
}

/** @param address - where the service is, such as `http://127.0.0.1:3000` @param curl - what to try */
export function greetingOf(
  { settings, store: { durability }, imported }: Pick<RunningService, 'settings' | 'store' | 'imported'>,
  address: string,
  curl: string | undefined,
): Greeting {
  const facts = Object.entries(durability.settings).map(([name, value]) => `${name} ${value}`);
  return {
    address,
    ...((settings.host === '0.0.0.0' || settings.host === '::') && { reach: 'at every address of this machine' }),
    store:
      settings.databaseUrl === undefined ? `SQLite, ${resolve(settings.data, 'hilo.db')}` : `PostgreSQL, ${placeOf(settings.databaseUrl)}`,
    durability: `survives ${survived[durability.survives]} (${facts.join(', ')})`,
    imported: imported === undefined ? 'nothing: --workspace FILE does' : `${settings.workspace ?? ''}: ${countsOf(imported)}`,
    management:
      settings.adminToken === undefined
        ? 'open to this machine alone: set HILO_ADMIN_TOKEN to let others in'
        : 'for those who have the admin token',
    studio: `${address}/studio/`,
    docs: `${address}/docs`,
    ...(curl !== undefined && { try: curl }),
  };
}

const survived = { 'power-loss': 'power loss', 'process-death': 'the death of the process', nothing: 'nothing' } as const;

/** A database's address without what is secret in it. */
const placeOf = (databaseUrl: string): string => {
  const { hostname = '', port = '', pathname = '' } = URL.parse(databaseUrl) ?? {};
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
};

function countsOf({ counts }: NonNullable<RunningService['imported']>): string {
  const given = (['companies', 'bots', 'users', 'templates', 'workflows'] as const).map((kind) => `${counts[kind].given} ${kind}`);
  return Object.values(counts).every(({ written }) => written === 0) ? `${given.join(', ')}, all there already` : given.join(', ');
}

/** The first lines for a person. */
export function drawGreeting({ try: curl, ...facts }: Greeting, version: string, paint: Paint): string {
  const lines = Object.entries(facts).map(([name, value]: [string, string]) => `  ${paint('dim', name.padEnd(11))} ${printable(value)}`);
  const example = curl === undefined ? [] : ['', paint('dim', '  start an execution and look at it:'), `  ${paint('cyan', curl)}`];
  return `${[paint('bold', `Hilo ${version} is up`), ...lines, ...example].join('\n')}\n\n`;
}
