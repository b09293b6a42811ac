import type { RunningService } from '@hilo/server';
import { placeStore } from '@hilo/server/kit';
import { formatCount, type Paint, printable } from '../paint.ts';

/** The content of the first log lines. */
export interface Greeting {
  readonly address: string;
  /** Where else than there it is reached. */
  readonly reach?: string;
  readonly store: string;
  readonly durability: string;
  readonly imported: string;
  readonly management: string;
  /** The admin token that this start made. */
  readonly token?: string;
  /** Opens the studio in one browser, once. */
  readonly 'log in'?: string;
  readonly studio: string;
  /** The page of the first chat that there is. */
  readonly chat?: string;
  readonly docs: string;
  /** A line for a shell that starts an execution and shows it. */
  readonly try?: string;
}

type Greeted = Pick<RunningService, 'settings' | 'store' | 'imported' | 'adminTokenFile' | 'loginCodes' | 'companies'>;

/** @param address - where the service is, such as `http://127.0.0.1:3000` @param curl - what to try */
export function createGreeting(
  { settings, store: { durability }, imported, adminTokenFile, loginCodes, companies }: Greeted,
  address: string,
  curl: string | undefined,
): Greeting {
  const isForPeople = settings.log === 'pretty'; // lines for machines are collected, and read by more than the operator
  const publicUrl = (settings.publicUrl ?? address).replace(/(?<!\/)\/+$/, '');
  const chat = companies
    .all()
    .slice(0, maxCompanies)
    .flatMap(({ id }) => companies.bots(id))
    .find(({ provider }) => provider.kind === 'web');
  const facts = Object.entries(durability.settings).map(([name, value]) => `${name} ${value}`);
  return {
    address,
    ...((settings.host === '0.0.0.0' || settings.host === '::') && { reach: 'at every address of this machine' }),
    store: placeStore(settings).described,
    durability: `survives ${survived[durability.survives]} (${facts.join(', ')})`,
    imported: imported === undefined ? 'nothing: --workspace FILE does' : `${settings.workspace ?? ''}: ${formatCounts(imported)}`,
    management:
      adminTokenFile === undefined
        ? 'asks for the token that HILO_ADMIN_TOKEN holds'
        : `asks for the admin token, which is kept in ${adminTokenFile.path}`,
    ...(isForPeople && adminTokenFile?.isNew === true && { token: `${settings.adminToken} (shown this once)` }),
    ...(isForPeople &&
      adminTokenFile !== undefined && { 'log in': `${publicUrl}/studio/#login=${loginCodes.issue()} (once, within an hour)` }),
    studio: `${address}/studio/`,
    ...(chat !== undefined && { chat: `${address}/chat/${encodeURIComponent(chat.id)}` }),
    docs: `${address}/docs`,
    ...(curl !== undefined && { try: curl }),
  };
}

/** More companies than these are not searched for a chat. */
const maxCompanies = 10;

const survived = { 'power-loss': 'power loss', 'process-death': 'the death of the process', nothing: 'nothing' } as const;

function formatCounts({ counts }: NonNullable<RunningService['imported']>): string {
  const given = (['companies', 'bots', 'users', 'templates', 'workflows'] as const).map((kind) => formatCount(counts[kind].given, kind));
  return Object.values(counts).every(({ written }) => written === 0) ? `${given.join(', ')}, all there already` : given.join(', ');
}

/** The first lines for a person. */
export function drawGreeting({ try: curl, ...facts }: Greeting, version: string, paint: Paint): string {
  const lines = Object.entries(facts).map(([name, value]: [string, string]) => `  ${paint('dim', name.padEnd(11))} ${printable(value)}`);
  const example = curl === undefined ? [] : ['', paint('dim', '  start an execution and look at it:'), `  ${paint('cyan', curl)}`];
  return `${[paint('bold', `Hilo ${version} is up`), ...lines, ...example].join('\n')}\n\n`;
}
