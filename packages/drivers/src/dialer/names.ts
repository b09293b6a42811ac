// Finds the addresses of names, so that one whose servers never answer holds up no other. Node has the system look up two names at once, in
// threads of the whole process (`getaddrinfo`), each for some ten seconds or more: six such names of one company stopped the calls of all.
import { lookup, Resolver } from 'node:dns/promises';

/** How a name is looked up. */
export interface LookUp {
  /** The operator has named it: it does not wait for those of others. */
  readonly isListed: boolean;
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Finds the addresses of a name. @throws where there is none, or no answer */
export type Resolve = (hostname: string, how: LookUp) => Promise<readonly string[]>;

export interface NamesOptions {
  /** Asks the system, which knows more than name servers do, such as its file of hosts. */
  readonly askSystem: (hostname: string) => Promise<readonly string[]>;
  /** Asks the name servers, without a thread. */
  readonly askServers: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/**
 * Looks names up as the system does, one at a time but for those that are listed: the other thread stays free for them, and for the store.
 * A name that finds the system at work is asked of the name servers as well, and the first answer counts.
 */
export function createNames({ askSystem, askServers }: NamesOptions): Resolve {
  const waiting = new Set<() => void>();
  let isAtWork = false;

  /** Asks the system when it is free. It can't be stopped: what nobody waits for keeps its turn until it is over. */
  const askInTurn = async (hostname: string, signal: AbortSignal): Promise<readonly string[]> => {
    if (isAtWork) await waitForTurn(signal);
    isAtWork = true;
    try {
      return await askSystem(hostname);
    } finally {
      isAtWork = false;
      const [next] = waiting;
      next?.();
    }
  };

  const waitForTurn = (signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (): void => {
      waiting.delete(take);
      signal.removeEventListener('abort', giveUp);
    };
    const take = (): void => {
      end();
      isAtWork = true;
      resolve();
    };
    const giveUp = (): void => {
      end();
      reject(new Error('Nobody waits for this name any more'));
    };
    if (signal.aborted) giveUp();
    else {
      waiting.add(take);
      signal.addEventListener('abort', giveUp);
    }
    return promise;
  };

  return async (hostname, { isListed, signal }) => {
    if (isListed) return askSystem(hostname);
    if (!isAtWork) return askInTurn(hostname, signal);
    const found = new AbortController();
    const over = AbortSignal.any([signal, found.signal]);
    try {
      return await Promise.any([askServers(hostname, over).then(someOf), askInTurn(hostname, over)]);
    } catch (error) {
      throw error instanceof AggregateError ? error.errors.at(-1) : error; // that of the system, which knows more
    } finally {
      found.abort();
    }
  };
}

/** @throws {Error} where there is none */
function someOf(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw new Error('The name servers know no address');
  return addresses;
}

async function askServers(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 3 }); // a new one reads anew which servers there are
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) return [];
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Finds the addresses of a name with the system's resolver, and those of name servers where that is at work: for the whole process. */
export const systemResolve: Resolve = createNames({
  askSystem: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  askServers,
});
