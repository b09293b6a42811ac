/** Secrets that this process has seen in plain text and that are stored as hashes alone: its output must not contain them (P31). */
export interface SeenSecrets {
  note(secret: string): void;
  /** In the order of first use; a new array after each new one. */
  all(): readonly string[];
}

/** Enough for every key of a large host; a text is searched for each of them. */
const maxSecrets = 10_000;

/** Keeps the first 10,000 secrets of this process, in memory alone. */
export function createSeenSecrets(): SeenSecrets {
  const seen = new Set<string>();
  let list: readonly string[] = [];
  return {
    note(secret) {
      if (seen.has(secret) || seen.size === maxSecrets) return;
      seen.add(secret);
      list = [];
    },
    all() {
      if (list.length !== seen.size) list = [...seen];
      return list;
    },
  };
}
