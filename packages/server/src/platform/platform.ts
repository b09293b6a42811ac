import type { Engine } from '@hilo/engine';
import type { Clock, NodeDefinition } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { StoreSettings } from './database/store-place.ts';
import type { Logger } from './logging/logger.ts';

/** What every part of the service is built on. Each part takes a `Pick` of it. */
export interface Platform {
  /** How the service is set up, as far as requests are handled by it. */
  readonly settings: StoreSettings & {
    /** Under which address people reach this service; the address listened on, when left out. */
    readonly publicUrl?: string | undefined;
    readonly adminToken: string;
    /** Requests a second for each credential; none, when undefined. */
    readonly rateLimit: number | undefined;
    /** Messages that the anonymous visitors of one network may send in a day; 20,000, when undefined. */
    readonly visitorMessagesADay?: number | 'off' | undefined;
    /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; none, when undefined. */
    readonly trustedProxies?: readonly string[] | undefined;
    /** Hosts of the legacy paths; all, when undefined. */
    readonly legacyHosts: readonly string[] | undefined;
  };
  readonly engine: Engine;
  readonly store: DurableStore;
  /** The types of nodes: the standard ones, and those of the host. */
  readonly nodes: readonly NodeDefinition[];
  /** The effects that there are drivers for. */
  readonly effects: ReadonlySet<string>;
  readonly log: Logger;
  /** The store's clock: decides what is due, open or over. */
  readonly clock: Clock;
  /** False from the first signal to stop: nothing new is accepted. */
  readonly isAccepting: () => boolean;
}
