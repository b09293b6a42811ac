/** A line of JSON as people read it: time, level, message, and the fields behind it. What a terminal would obey stays escaped. */
export function prettyLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { readonly [name: string]: unknown };
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  return `${String(time).slice(11, 19)} ${String(level).toUpperCase().padEnd(5)} ${[plain(String(msg)), ...rest].join('  ')}\n`;
}

const shown = (value: unknown): string => (typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : plain(JSON.stringify(value)));

const plain = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
