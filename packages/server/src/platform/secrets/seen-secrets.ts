/** Secrets that this process has seen in plain text and that are stored as hashes alone: its output must not contain them (P31). */
export interface SeenSecrets {
  /** @param holder - whose it is: a company, or the service */
  note(secret: string, holder: string): void;
  /** A new array after each change. */
  all(): readonly string[];
}

/** Enough for every key of a large host; a text is searched for each of them. */
const maxSecrets = 10_000;

/**
 * Keeps secrets of this process, in memory alone. When it is full, who has most gives up the first of theirs: a company that makes or uses ever new
 * ones takes the place of nobody else's (P23).
 */
export function createSeenSecrets(atMost = maxSecrets): SeenSecrets {
  const seen = new Map<string, Set<string>>();
  let size = 0;
  let list: readonly string[] | undefined = [];
  const makeRoom = (own: Set<string>): void => {
    let most = own; // of two who have as many, the one who wants more
    for (const secrets of seen.values()) if (secrets.size > most.size) most = secrets;
    const [first] = most;
    if (first === undefined) return;
    most.delete(first);
    size -= 1;
  };
  return {
    note(secret, holder) {
      const own = seen.get(holder) ?? new Set();
      if (own.has(secret)) return;
      if (size === atMost) makeRoom(own);
      seen.set(holder, own.add(secret));
      size += 1;
      list = undefined;
    },
    all: () => (list ??= [...new Set([...seen.values()].flatMap((secrets) => [...secrets]))]),
  };
}
