import type { Json, JsonObject } from './json.ts';

/** Something to correct in a canvas. Errors refuse publishing, warnings do not. */
export interface Problem {
  /** From the table of problem codes. */
  readonly code: string;
  /** Whether it stops publishing. */
  readonly severity: 'error' | 'warning';
  /** The node that it is in; none for one of the canvas as a whole. */
  readonly nodeId?: string;
  /** The place, as a JSON pointer (RFC 6901) into the canvas. */
  readonly pointer: string;
  /** All places of the same problem in one node, the first of them `pointer`; left out where there is one. */
  readonly places?: readonly string[];
  /** The description. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
  /**
   * A way through the canvas that proves it, from where an execution begins, whole. The last step has no port where the problem lies in
   * its node.
   */
  readonly way?: readonly WayStep[];
  /**
   * Another node on the way that reads the same missing variable: an execution fails there, and comes here only once that is mended.
   * Lists fold such a problem into that of the other node.
   */
  readonly follows?: string;
  /** The variable that it is about, such as `$context.name`. */
  readonly subject?: string;
  /** Which part of the text at `pointer` it is about, in UTF-16 units: from `start` up to, not including, `end`. */
  readonly range?: { readonly start: number; readonly end: number };
  /** Fixes that can be applied mechanically, the likeliest first. Each one alone removes this problem. */
  readonly fixes?: readonly Fix[];
}

/** A node on a way, and the port by which it is left. */
export interface WayStep {
  /** The node that is passed. */
  readonly nodeId: string;
  /** The port by which it is left; none at the end of the way. */
  readonly port?: string;
}

/** A change of the canvas that an editor can offer. */
export interface Fix {
  /** What it does, as the text of a button. */
  readonly label: string;
  /** The change, as a JSON Patch (RFC 6902) of the canvas. */
  readonly patch: readonly PatchOperation[];
}

/** One step of a JSON Patch (RFC 6902) of the canvas. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** Steps into a canvas as a JSON pointer. */
export const pointer = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Why a visit or an execution failed: what `$error` holds, beside the node, its attempt and further details. */
export interface Failure {
  /** A code in capitals, such as `TIMEOUT`: what `$error.cause` holds. */
  readonly cause: string;
  /** The cause in words, for people. */
  readonly message: string;
  /** What else is known. Nothing, when left out. */
  readonly details?: JsonObject;
}
