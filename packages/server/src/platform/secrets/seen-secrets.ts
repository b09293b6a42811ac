/** Secrets that came to this process readable and are kept as hashes alone: nothing it writes may hold them (P31). */
export interface SeenSecrets {
  note(secret: string): void;
  /** In the order in which they came; another list after each that is new. */
  all(): readonly string[];
}

/** Enough for every key of a large host; a text is searched for each of them. */
const most = 10_000;

export function createSeenSecrets(): SeenSecrets {
  const seen = new Set<string>();
  let list: readonly string[] = [];
  return {
    note(secret) {
      if (seen.has(secret) || seen.size === most) return;
      seen.add(secret);
      list = [];
    },
    all() {
      if (list.length !== seen.size) list = [...seen];
      return list;
    },
  };
}
