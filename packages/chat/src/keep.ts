/** What a browser keeps of a chat between two pages, shared by its tabs; in memory, where the browser keeps nothing. */
export interface Keep {
  get(name: string): string | undefined;
  set(name: string, value: string | undefined): void;
  /** The names that begin so and have a value, sorted. */
  list(beginning: string): readonly string[];
  /** Tells what another tab changed. */
  onChange(name: string, listener: (value: string | undefined) => void): void;
  /** Tells what another tab keeps under a name that begins so. */
  onKept(beginning: string, listener: (name: string) => void): void;
}

/** Keeps values in `localStorage` under names with this prefix. */
export function createKeep(prefix: string): Keep {
  const memory = new Map<string, string>();
  return {
    get(name) {
      try {
        return localStorage.getItem(prefix + name) ?? undefined;
      } catch {
        return memory.get(name);
      }
    },
    set(name, value) {
      try {
        if (value === undefined) localStorage.removeItem(prefix + name);
        else localStorage.setItem(prefix + name, value);
      } catch {
        if (value === undefined) memory.delete(name);
        else memory.set(name, value);
      }
    },
    list(beginning) {
      let names: string[];
      try {
        names = Object.keys(localStorage).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
      } catch {
        names = [...memory.keys()];
      }
      return names.filter((name) => name.startsWith(beginning)).sort();
    },
    onChange(name, listener) {
      addEventListener('storage', ({ key, newValue }) => {
        if (key === prefix + name) listener(newValue ?? undefined);
      });
    },
    onKept(beginning, listener) {
      addEventListener('storage', ({ key, newValue }) => {
        if (newValue !== null && key?.startsWith(prefix + beginning)) listener(key.slice(prefix.length));
      });
    },
  };
}
