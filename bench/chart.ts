// Draws the charts of the README.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './part.ts';

const docs = join(import.meta.dirname, '../docs');
const width = 760;
const rowHeight = 26;
const labels = 340;

/** Draws the parts that the README shows, each as a picture of bars beside its table. */
export function drawCharts(parts: readonly Part[]): void {
  for (const [file, start, better] of [
    ['bench-engine.svg', 'W1', 'shorter'],
    ['bench-server.svg', 'W2: webhook to answer, 32', 'longer'],
    ['bench-stores.svg', 'W3: durable on SQLite', 'longer'],
  ] as const) {
    const part = parts.find(({ name }) => name.startsWith(start));
    if (part !== undefined) writeFileSync(join(docs, file), barChart(part, better));
  }
}

/** Bars by the logarithm of the figure, since contestants differ by thousands; the figure is beside each. */
function barChart({ name, unit, contestants }: Part, better: 'shorter' | 'longer'): string {
  const smallest = Math.min(...contestants.map(({ median }) => median)) / 2;
  const longest = Math.max(...contestants.map(({ median }) => Math.log10(median / smallest)));
  const height = 56 + contestants.length * rowHeight + 12;
  const rows = contestants.map(({ name: contestant, median }, index) => {
    const y = 52 + index * rowHeight;
    const length = Math.max(2, (Math.log10(median / smallest) / longest) * (width - labels - 130));
    const colour = contestant.startsWith('Hilo') ? '#4f46e5' : contestant.startsWith('floor') ? '#98a2b3' : '#cfd5de';
    return `<text x="${labels - 10}" y="${y + 13}" text-anchor="end">${escape(contestant)}</text><rect x="${labels}" y="${y}" width="${length.toFixed(1)}" height="18" rx="4" fill="${colour}"/><text x="${(labels + length + 8).toFixed(1)}" y="${y + 13}">${rounded(median)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, system-ui, sans-serif" font-size="13" fill="#344054"><rect width="${width}" height="${height}" rx="12" fill="#ffffff"/><text x="20" y="30" font-size="15" font-weight="600" fill="#101828">${escape(name)}</text><text x="${width - 20}" y="30" text-anchor="end">${escape(unit)}, logarithmic; ${better} is better</text>${rows.join('')}</svg>
`;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const rounded = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));
