// What a search knows of its canvases, and what a move of it is.
import { type EffectDefinition, type Path, parsePath } from '@hilo/engine/contract';
import type { CompiledNode } from '@hilo/engine/debug';
import type { ScriptInput } from '../script/script-input.ts';
import { addInput, type Setting, type Standing } from './standing.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Something that may happen: its line in a script, and the standing that it leads to. */
export interface Move {
  readonly inputs: readonly ScriptInput[];
  take(): Standing | undefined;
}

/** What a search knows of its canvases. */
export interface Repertoire {
  readonly setting: Setting;
  readonly words: Vocabulary;
  /** Effects of own nodes, which a script answers. */
  readonly asks: readonly EffectDefinition[];
}

/** A standing with one more input. */
export const said = (standing: Standing, inputs: readonly ScriptInput[]): Standing => ({
  ...standing,
  script: addInput(standing.script, inputs),
});

/** Where a node keeps what it gets; nowhere, where it keeps nothing. */
export function readSaveAs(node: CompiledNode | undefined): Path {
  const saveAs = (node?.config as { readonly saveAs?: unknown } | undefined)?.saveAs;
  if (Array.isArray(saveAs)) return saveAs as Path;
  return typeof saveAs === 'string' ? (parsePath(saveAs) ?? []) : [];
}
