/** The first entries of a list show what the others look like. */
const maxItems = 2;
const maxChars = 400;
/** Objects deeper than this are shown empty: further up in what describes itself at length. */
const maxLevels = 7;
const levelsOf: { readonly [operation: string]: number } = { 'GET /openapi.json': 1, 'GET /admin/v1/canvas.schema.json': 1 };

/** The parts of an answer that are shown: short lists and texts, and the same text for what differs each time. */
export const shorten = (operation: string, answer: unknown): unknown => cut(answer, levelsOf[operation] ?? maxLevels);

function cut(value: unknown, levels: number): unknown {
  if (typeof value === 'string') {
    const same = value
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ3ZWI6dkVqUTBGSFEifQ.kq9mS1bG0pQ')
      .replace(/\/files\/[\w-]{32}$/, '/files/j9NWczYZ1ty3DWs0yyKZ7sZJ2abwLgP0')
      .replace(/web:[\w-]{22}/g, 'web:vEjQ0FHQa1bS2cT3dU4eVg')
      .replace(/con_[\da-f]{23}/g, 'con_0196f0c2d4a18b3e5f7c90d')
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '4b0c6f3e-5d1a-4f0e-9a57-2f1b3c4d5e6f');
    return same.length > maxChars ? `${same.slice(0, maxChars - 1)}…` : same;
  }
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => cut(item, levels - 1));
  if (typeof value !== 'object' || value === null) return value;
  if (levels < 0) return {};
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, levels - 1)]));
}
