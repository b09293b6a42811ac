// Says which write tells which event: the event is written in the same transaction, or not at all.
import type { Call } from '@hilo/stores';
import type { EventData, EventType } from './event-types.ts';

/** An event that a write tells of. */
export type ToldEvent = {
  readonly [Type in EventType]: {
    readonly type: Type;
    readonly companyId: string;
    readonly atMs: number;
    /** Events about the same person, else about the same thing, arrive in their order. */
    readonly about: { readonly userId: string } | { readonly thing: string };
    readonly data: EventData<Type>;
  };
}[EventType];

/** Whether somebody hears an event: what is read only to tell it need not be read for nobody. */
export interface Hearing {
  wants(companyId: string, type: EventType): boolean;
}

/** A call that tells of an event when its write is kept. */
interface TellingCall extends Call {
  readonly tells: () => ToldEvent | readonly ToldEvent[];
}

/**
 * Lets a call tell of an event. The call is to be a condition of its write, or alone in it: what did not happen is then not told.
 *
 * @param tells - called only where somebody listens
 */
export const telling = <Row>(one: Call<Row>, tells: TellingCall['tells']): Call<Row> => Object.assign({ ...one }, { tells });

/** What a call tells of; undefined for one that tells of nothing. */
export const toldBy = (one: Call): TellingCall['tells'] | undefined => ('tells' in one ? (one as TellingCall).tells : undefined);
