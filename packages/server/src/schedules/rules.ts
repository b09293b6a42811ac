// The rules of the clock that are in force: those of the latest version of every workflow that is published and not archived. Canvases are
// read once for each content, and only those that may have a rule.
import { Canvas, type Gate, parseJsonText } from '@hilo/engine/contract';
import { z } from 'zod';
import { readSchedules, type ScheduleRule } from '@hilo/nodes';
import type { DurableStore } from '@hilo/stores';
import type { Companies } from '../tenants/companies.ts';
import { selectClocked, selectLatestVersions } from './sql.ts';

/** The rules of a workflow. */
export interface WorkflowRules {
  readonly companyId: string;
  readonly workflowId: string;
  readonly publishedAtMs: number;
  /** Nothing begins while it is paused: what falls due meanwhile is judged when the pause is over. */
  readonly isPaused: boolean;
  readonly rules: readonly ScheduleRule[];
}

interface RuleParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly companies: Pick<Companies, 'company' | 'isArchived'>;
}

/** Reads the rules that are in force. */
export interface RuleReader {
  read(nowMs: number): Promise<readonly WorkflowRules[]>;
}

/** The rules of a company that are in force, by their workflows. */
export async function readRules(
  { store: { canvases }, companies }: { readonly store: Pick<DurableStore, 'canvases'>; readonly companies: Pick<Companies, 'isArchived'> },
  companyId: string,
  nowMs: number,
): Promise<readonly WorkflowRules[]> {
  const published = await canvases.published(companyId);
  return published.flatMap(({ workflowId, canvas, publishedAtMs, gate: written }) => {
    const gate = inForce(written, nowMs);
    const rules = readSchedules(canvas);
    if (rules.length === 0 || gate?.state === 'unpublished' || companies.isArchived(companyId, workflowId)) return [];
    return [{ companyId, workflowId, publishedAtMs, isPaused: gate !== undefined, rules }];
  });
}

/** So many contents are looked at in one request of the database. */
const contentsAtOnce = 50;

/** Makes a reader that remembers the rules of each content. */
export function createRuleReader({ store: { runner }, companies }: RuleParts): RuleReader {
  let known = new Map<string, readonly ScheduleRule[]>();
  return {
    async read(nowMs) {
      const rows = await runner.read(selectLatestVersions({}));
      const open = rows.filter(
        ({ companyId, workflowId, gate }) =>
          companies.company(companyId) !== undefined && !companies.isArchived(companyId, workflowId) && !isUnpublished(gate, nowMs),
      );
      const seen = new Map<string, readonly ScheduleRule[]>();
      const unread = open.filter((row) => !known.has(nameContent(row)));
      for (let from = 0; from < unread.length; from += contentsAtOnce) {
        const part = unread.slice(from, from + contentsAtOnce);
        const found = await runner.readEach(part.map(({ companyId, hash }) => selectClocked({ companyId, hash })));
        for (const [index, row] of part.entries()) {
          const [content] = found[index] ?? [];
          known.set(nameContent(row), readContent(content?.canvas));
        }
      }
      const result = open.map((row) => {
        const rules = known.get(nameContent(row)) ?? [];
        seen.set(nameContent(row), rules);
        const { companyId, workflowId, publishedAtMs } = row;
        return { companyId, workflowId, publishedAtMs, isPaused: gateOf(row.gate, nowMs) !== undefined, rules };
      });
      known = seen; // contents that nothing has any more are forgotten
      return result.filter(({ rules }) => rules.length > 0);
    },
  };
}

/** A content that this release cannot read has no rule: no execution of it could begin either. */
function readContent(text: string | undefined): readonly ScheduleRule[] {
  const canvas = text === undefined ? undefined : Canvas.safeParse(parseJsonText(text)).data;
  return canvas === undefined ? [] : readSchedules(canvas);
}

const nameContent = ({ companyId, hash }: { readonly companyId: string; readonly hash: string }): string => `${companyId}\0${hash}`;

/** What is read of a gate. */
const GateState = z.object({ state: z.enum(['paused', 'unpublished']), untilMs: z.number().optional() });
type GateState = Pick<Gate, 'state'> & { readonly untilMs?: number | undefined };

/** What keeps a workflow from being started at an instant. */
const inForce = (gate: GateState | undefined, nowMs: number): GateState | undefined =>
  gate?.untilMs !== undefined && gate.untilMs <= nowMs ? undefined : gate;

const gateOf = (text: string | undefined, nowMs: number): GateState | undefined =>
  text === undefined ? undefined : inForce(GateState.parse(parseJsonText(text)), nowMs);

const isUnpublished = (text: string | undefined, nowMs: number): boolean => gateOf(text, nowMs)?.state === 'unpublished';
