// The channels that a test can be on.
import type { Channel } from '@hilo/engine/contract';

export const allChannels: readonly Channel[] = ['whatsapp', 'web', 'instagram', 'facebook', 'slack', 'teams', 'twitter', 'custom'];

/** A channel by its name; the first one for any other. */
export const channelNamed = (name: string | null | undefined): Channel => allChannels.find((channel) => channel === name) ?? 'whatsapp';
