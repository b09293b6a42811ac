import type { Problem } from '@hilo/engine/contract';
import { html } from 'hono/html';
import type { Html } from '../platform/http/page.ts';

/** How much is wrong, in words. */
export function problemCount(problems: readonly Problem[]): string {
  if (problems.length === 0) return 'no problems';
  const { error = [], warning = [] } = Object.groupBy(problems, ({ severity }) => severity);
  return [counted(error.length, 'error'), counted(warning.length, 'warning')].filter((text) => text !== '').join(', ');
}

const counted = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`);

/** What is wrong, where, and what to do. */
export const problemList = (problems: readonly Problem[]): Html => html`<ul>
  ${problems.map(({ severity, code, pointer, message, hint }) => html`<li>${severity} <code>${code}</code> at <code>${pointer || '/'}</code>: ${message}. ${hint}</li>`)}
</ul>`;
