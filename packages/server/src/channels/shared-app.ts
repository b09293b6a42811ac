// Bots of one app whose deliveries cannot be told apart: said where they are connected, since nothing fails and users are heard by the wrong bot.
import type { Bot, Companies } from '../tenants/companies.ts';
import type { ChannelRegistry } from './channels.ts';

interface Parts {
  readonly companies: Pick<Companies, 'bots'>;
  readonly channels: Pick<ChannelRegistry, 'of'>;
}

/** @returns what is wrong and what to do; `undefined` where each bot of the app names its account, or the bot has an app of its own */
export function explainSharedApp({ companies, channels }: Parts, bot: Bot): string | undefined {
  const own = connectedOf(channels, bot);
  if (own?.app === undefined) return undefined;
  for (const other of companies.bots(bot.companyId)) {
    if (other.id === bot.id || other.provider.kind !== bot.provider.kind) continue;
    const connected = connectedOf(channels, other);
    if (connected?.app !== own.app) continue;
    const unnamed = [
      { id: bot.id, ...own },
      { id: other.id, ...connected },
    ].find(({ account }) => account === undefined);
    if (unnamed !== undefined)
      return `Bots "${bot.id}" and "${other.id}" share an app, and "${unnamed.id}" names no account, so that it takes what is for the other one as its own: give each its accountId`;
  }
  return undefined;
}

function connectedOf(channels: Parts['channels'], bot: Bot) {
  const connected = channels.of(bot)?.connected;
  return connected === undefined || 'unfitFields' in connected ? undefined : { account: connected.account, app: connected.app };
}
