import type { Evidence } from '../evidence.ts';

/** Looks for what must never be. @returns what is wrong, a sentence each; nothing, when all is well */
export type Oracle = (evidence: Evidence) => readonly string[];
