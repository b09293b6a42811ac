// The node `code`.
import {
  defineNode,
  Duration,
  fail,
  formatPath,
  isJsonObject,
  type Json,
  leave,
  perform,
  ValueTemplate,
  VariablePath,
  type Write,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { runCode } from '../effects/run-code.ts';
import { renderFields } from '../render-fields.ts';

const defaultTimeoutMs = 1_000;
const maxTimeoutMs = 10_000;
const defaultMemoryMb = 64;
/** How long a run may wait for its turn, for a process to start, and for a processor of a busy machine. */
const queueMs = 60_000;

/**
 * Runs JavaScript: the body of a function of `input`, without any I/O. Its result is stored at `saveAs`; without that, it returns a patch,
 * `{ "$context.total": 7 }`, or nothing. Its clock shows the instant of the visit, and its random numbers derive from the execution: the
 * same visit computes the same.
 */
export const code = defineNode({
  type: 'code',
  config: z.strictObject({
    source: z
      .string()
      .min(1)
      .max(32_768)
      .meta({
        description: 'JavaScript: the body of a function of "input" that returns a result',
        examples: ['return { total: input.price * input.quantity };'],
      }),
    input: z
      .record(z.string().min(1).max(64), ValueTemplate)
      .default({})
      .meta({ description: 'The inputs of the code, by name; it has access to nothing else' }),
    timeout: Duration.refine((ms) => ms <= maxTimeoutMs, { error: 'Code runs for at most PT10S' })
      .optional()
      .meta({ description: 'How long it may run: 1 second when left out, 10 at most' }),
    memoryMb: z.int().min(16).max(128).default(defaultMemoryMb).meta({ description: 'How much memory it may use, in MB' }),
    saveAs: VariablePath.optional().meta({
      description: 'Where the result is kept; without it the code returns the values to write, by path: { "$context.name": value }',
    }),
  }),
  visual: {
    label: 'Code',
    category: 'data',
    icon: 'code',
    colour: '#0891b2',
    description: 'Runs JavaScript in a sandbox, without access to anything else.',
    summary: ({ source }) => source?.split('\n', 1)[0]?.slice(0, 80) ?? '',
    formHints: { source: 'multiline', input: 'expression', timeout: 'duration', saveAs: 'variable' },
  },
  facts: {
    limits:
      '1 s if unset, 10 s at most; 64 MB, 128 MB at most; 32 KB of source, 63 KB of result, of what JSON holds; no locales and no time zones',
  },
  ports: ['next'],
  optionalPorts: ['error'],
  effects: [runCode],
  run({ config, variables, random, nowMs }) {
    const { source, timeout, memoryMb, saveAs } = config;
    const timeoutMs = timeout ?? defaultTimeoutMs;
    const input = renderFields(config.input, variables);
    const seed = Math.floor(random() * 2 ** 32);

    return perform(
      runCode({ source, input, nowMs, seed, timeoutMs, memoryMb }),
      (result) => {
        if (result.kind === 'failed') {
          const { reason, message, line, retryAfterMs } = result;
          const known = { ...(line !== undefined && { line }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
          return fail(causes[reason], message, known);
        }
        if (saveAs !== undefined) return leave('next', [{ path: saveAs, value: result.value }]);
        const patch = readPatch(result.value);
        return patch.kind === 'refused' ? fail('CODE_RESULT_INVALID', patch.message) : leave('next', patch.writes);
      },
      { deadline: { appliedMs: 2 * timeoutMs + queueMs, cause: 'CODE_UNAVAILABLE' } },
    );
  },
  writingFields: ['saveAs'],
  writes: ({ saveAs }) => ({ next: saveAs === undefined ? [] : [formatPath(saveAs)] }),
});

const causes = {
  broken: 'CODE_ERROR',
  timeout: 'CODE_TIMEOUT',
  memory: 'CODE_MEMORY',
  result: 'CODE_RESULT_INVALID',
  unavailable: 'CODE_UNAVAILABLE',
} as const;

/** The writes of the returned patch, or why it is invalid. */
export type Patch = { readonly kind: 'writes'; readonly writes: readonly Write[] } | { readonly kind: 'refused'; readonly message: string };

/** Reads what code returned as `{ path: value }`, each path one of `$context`; null writes nothing. */
function readPatch(value: Json): Patch {
  if (value === null) return { kind: 'writes', writes: [] };
  if (!isJsonObject(value)) return refusal('The code returned no valid patch');
  const writes: Write[] = [];
  for (const [text, written] of Object.entries(value)) {
    const { success, data: path } = VariablePath.safeParse(text);
    if (!success || path[0] !== '$context') return refusal(`The code may not write to "${text.slice(0, 100)}"`);
    writes.push({ path, value: written });
  }
  return { kind: 'writes', writes };
}

const refusal = (what: string): Patch => ({
  kind: 'refused',
  message: `${what}: return { "$context.name": value }, or say in saveAs where the result goes`,
});
