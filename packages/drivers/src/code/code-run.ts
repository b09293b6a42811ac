import type { runCode } from '@hilo/nodes/effects';
import type { z } from 'zod';

/** Code with all that a run of it depends on. */
export type CodeRun = z.output<typeof runCode.request>;

/** What came of a run. */
export type CodeResult = z.output<typeof runCode.result>;
export type CodeFailure = Extract<CodeResult, { readonly kind: 'failed' }>;

export const codeFailure = (reason: CodeFailure['reason'], message: string): CodeFailure => ({ kind: 'failed', reason, message });
