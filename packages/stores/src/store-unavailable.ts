import { HiloError } from '@hilo/engine/contract';

/**
 * The database could not do what it was asked: the disk is full, the server gone, the store closed. Nothing is half
 * written; whether a commit happened may be unknown. The next call may succeed again (P26).
 */
export class StoreUnavailable extends HiloError<'STORE_UNAVAILABLE'> {
  constructor(reason: string, options?: ErrorOptions) {
    super('STORE_UNAVAILABLE', { reason }, options);
  }
}
