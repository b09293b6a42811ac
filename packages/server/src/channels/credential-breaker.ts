import type { SendResult } from '@hilo/channels';
import { type Clock, isWithin } from '@hilo/engine/contract';
import type { Logger } from '../platform/logging/logger.ts';
import type { Bot } from '../tenants/companies.ts';

/**
 * Spares a provider that refuses the credentials of a bot. The first refusal opens the breaker of that bot alone: its sends then
 * fail at once, and one message a minute is tried (P24). New credentials make another {@link Bot}, whose breaker is closed.
 */
export interface CredentialBreaker {
  /** Why nothing is sent for the bot now; `undefined` when it may. */
  refusal(bot: Bot): Extract<SendResult, { readonly kind: 'refused' }> | undefined;
  /** Updates the breaker from the result of a send. */
  note(bot: Bot, result: SendResult): void;
  /** How many bots nothing is sent for. @param isCurrent - whether a bot is configured so: one that was changed or removed does not count */
  countRefused(isCurrent: (bot: Bot) => boolean): number;
}

/** What adapters call a token or an account that the provider does not take. */
const unauthorized = 'PROVIDER_UNAUTHORIZED';

/** How long a provider is spared, before one message tries again. */
const openMs = 60_000;

interface OpenBreaker {
  readonly bot: Bot;
  /** What the provider said. */
  readonly message: string;
  sinceMs: number;
}

/** A breaker for each bot, in memory: a restarted process begins with all of them closed. */
export function createCredentialBreaker({ clock, log }: { readonly clock: Pick<Clock, 'now'>; readonly log: Logger }): CredentialBreaker {
  const open = new Map<string, OpenBreaker>();
  const nameOf = ({ companyId, id }: Bot): string => JSON.stringify([companyId, id]);

  return {
    refusal(bot) {
      const known = open.get(nameOf(bot));
      if (known === undefined || known.bot !== bot) return undefined;
      if (isWithin(known.sinceMs, openMs, clock.now())) return { kind: 'refused', cause: unauthorized, message: known.message };
      known.sinceMs = clock.now(); // this message is the trial
      return undefined;
    },
    note(bot, result) {
      const { companyId, id: botId } = bot;
      const known = open.get(nameOf(bot));
      if (result.kind !== 'refused' || result.cause !== unauthorized) {
        // Any answer about the message itself means that the credentials were accepted.
        if (known === undefined || (result.kind !== 'sent' && result.kind !== 'refused')) return;
        open.delete(nameOf(bot));
        log.info({ companyId, botId }, `The provider of bot "${botId}" takes its credentials again`);
        return;
      }
      const { message } = result;
      open.set(nameOf(bot), { bot, message, sinceMs: clock.now() });
      if (known?.bot === bot) return;
      log.warn(
        { companyId, botId, cause: unauthorized },
        `The provider of bot "${botId}" refuses its credentials: what it sends fails until they are mended; "hilo channels check ${botId}" says more. ${message}`,
      );
    },
    countRefused: (isCurrent) => [...open.values()].filter(({ bot }) => isCurrent(bot)).length,
  };
}
