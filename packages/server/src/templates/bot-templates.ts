// The management of templates at the provider of a bot, where there is one that can be asked.
import type { BoundTemplates, ChannelHost, ConnectedChannel, TemplateRefusal } from '@hilo/channels';
import { HttpError } from '../platform/http/errors.ts';
import type { Bot } from '../tenants/companies.ts';

/** Bots with the adapters of their providers. */
export interface ChannelsOfBots {
  of(bot: Bot): { readonly connected: ConnectedChannel | { readonly unfitFields: readonly string[] }; host(): ChannelHost } | undefined;
}

/** The templates of an account, and with what its provider is called. */
interface ManagedTemplates {
  readonly templates: BoundTemplates;
  readonly host: ChannelHost;
}

/** The account of a bot; undefined where it names none, or its provider has none. */
export function accountOf(channels: ChannelsOfBots, bot: Bot): string | undefined {
  const connected = channels.of(bot)?.connected;
  return connected === undefined || 'unfitFields' in connected ? undefined : connected.templates?.account;
}

/** @throws {HttpError} 409 with what is missing */
export function requireManaged(channels: ChannelsOfBots, bot: Bot): ManagedTemplates {
  const { connected, host } = channels.of(bot) ?? {};
  const { kind } = bot.provider;
  if (connected === undefined || host === undefined)
    throw new HttpError(409, 'PROVIDER_UNSUPPORTED', `There is no adapter for providers of kind "${kind}" here`);
  if ('unfitFields' in connected)
    throw new HttpError(
      409,
      'PROVIDER_INCOMPLETE',
      `The provider of bot "${bot.id}" lacks fields, or has them wrong: ${connected.unfitFields.join(', ')}`,
    );
  const { templates } = connected;
  if (templates === undefined)
    throw new HttpError(
      409,
      'PROVIDER_UNSUPPORTED',
      `A provider of kind "${kind}" has no interface for templates: what the workspace says of those of bot "${bot.id}" counts`,
    );
  if (templates.account === undefined)
    throw new HttpError(
      409,
      'PROVIDER_INCOMPLETE',
      `Bot "${bot.id}" does not say whose templates it sends: set "${templates.accountField}" of its provider in the workspace`,
    );
  return { templates, host: host() };
}

/** What a provider did not do, for the person who asked. */
export const providerRefused = (bot: Bot, { cause, message, wasSent }: TemplateRefusal): HttpError =>
  new HttpError(
    409,
    cause,
    `The provider of bot "${bot.id}" refused: ${message}${wasSent ? `. It may have been done all the same: hilo templates sync ${bot.id} tells` : ''}`,
  );
