import type { Json } from '@hilo/engine/contract';
import type { HistoryEntry } from '../api/client.ts';
import { isRecord } from '../canvas/canvas-json.ts';

/** One time that a visit asked for an effect. */
export interface Attempt {
  /** The step at which it was asked for, from 1. */
  readonly step: number;
  /** The type of the effect. */
  readonly type: string;
  readonly answer:
    | {
        /** The status of a response, the kind of a result, `failed` or `unknown`; empty where the node masks it. */
        readonly outcome: string;
        /** After its request, in milliseconds. */
        readonly tookMs: number;
        /** The step that has it, from 1. */
        readonly step: number;
      }
    | undefined;
}

/**
 * The attempts of the visit that a step belongs to, as they stand at that step. A try again has the key of the first try, so that the
 * steps with one key are a request and its answer in turn.
 */
export function attemptsUntil(entries: readonly HistoryEntry[], step: number): readonly Attempt[] {
  const here = entries[step - 1];
  const attempts: Attempt[] = [];
  const open = new Map<string, { readonly index: number; readonly at: string }>();
  for (const [index, { nodeId, visitNumber, effect, at }] of entries.slice(0, step).entries()) {
    if (nodeId !== here?.nodeId || visitNumber !== here.visitNumber || effect === undefined) continue;
    const asked = open.get(effect.key);
    const attempt = asked === undefined ? undefined : attempts[asked.index];
    if (asked === undefined || attempt === undefined) {
      open.set(effect.key, { index: attempts.length, at });
      attempts.push({ step: index + 1, type: effect.type, answer: undefined });
    } else {
      open.delete(effect.key);
      const tookMs = Date.parse(at) - Date.parse(asked.at);
      attempts[asked.index] = { ...attempt, answer: { outcome: outcomeOf(effect), tookMs, step: index + 1 } };
    }
  }
  return attempts;
}

/** The shortest telling name of a result. */
function outcomeOf({ result, outcome }: NonNullable<HistoryEntry['effect']>): string {
  const response = fieldOf(result, 'response');
  const status = fieldOf(response, 'status');
  const kind = fieldOf(result, 'kind');
  if (typeof status === 'number') return String(status);
  return outcome ?? (typeof kind === 'string' ? kind : '');
}

const fieldOf = (value: Json | undefined, name: string): Json | undefined => (isRecord(value) ? value[name] : undefined);
