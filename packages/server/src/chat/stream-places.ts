// The places of the open streams of a process, and the bytes that wait in them, shared fairly between companies and networks.
import { createPool } from '@hilo/drivers';

/**
 * How many streams one process has open, and how many one visitor: a browser opens one per tab. The visitors of one company, and those of
 * one network, may have half of them together, and this share of them however little is left. The same of the bytes that browsers have not
 * taken yet: one that does not read has a whole page of messages waiting for it.
 */
export const maxStreams = { ofProcess: 8_000, ofVisitor: 8, unreadBytes: 64 * 1024 * 1024, share: 0.25 };

/** The place of one stream. */
interface StreamPlace {
  /** Counts what the browser has now to take. @returns false where too much waits for others like it */
  hold(bytes: number): boolean;
  give(): void;
}

export function createStreamPlaces(limits: typeof maxStreams) {
  const byCompany = createPool({ streams: limits.ofProcess }, limits.share);
  const byNetwork = createPool({ streams: limits.ofProcess }, limits.share);
  const unread = createPool({ bytes: limits.unreadBytes }, limits.share);
  const one = { streams: 1 };
  return {
    /** @returns `undefined` where there is none */
    take(company: string, network: string | undefined): StreamPlace | undefined {
      if (!byCompany.take(company, one)) return undefined;
      if (network !== undefined && !byNetwork.take(network, one)) {
        byCompany.give(company, one);
        return undefined;
      }
      const reader = network ?? `company ${company}`;
      let unreadBytes = 0;
      let isGiven = false;
      const hold = (bytes: number): boolean => {
        unread.give(reader, { bytes: unreadBytes });
        const isHeld = !isGiven && unread.take(reader, { bytes });
        unreadBytes = isHeld ? bytes : 0;
        return isHeld;
      };
      return {
        hold,
        give() {
          if (isGiven) return;
          hold(0);
          isGiven = true;
          byCompany.give(company, one);
          if (network !== undefined) byNetwork.give(network, one);
        },
      };
    },
    /** How many are taken. */
    used: (): number => byCompany.used().streams,
  };
}
