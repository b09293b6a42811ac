// What an edit of a node's data brings with it: the parameters of a template, and the port of an option whose title is another.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { useEffect, useRef } from 'react';
import { type CanvasJson, isRecord, type NodeJson } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import { editedOption, followOption, type HeldEdge, optionTitles } from './option-titles.ts';

/** Who is told of an edit. */
export interface DataActs {
  readonly onData: (data: JsonObject, field: string) => void;
  /** The title of an option was edited: its edge is to leave by the port of the new title. */
  readonly onRename: (data: JsonObject, field: string, port: { readonly from: string; readonly to: string }) => void;
}

interface DataChange extends DataActs {
  readonly node: NodeJson;
  readonly canvas: CanvasJson;
  readonly choices: FieldChoices;
  /** Whether what the company has is loaded. */
  readonly isLoaded: boolean;
}

/** @returns what performs an edit of the data */
export function useDataChange({ node, canvas, choices, isLoaded, onData, onRename }: DataChange) {
  const data = node.data ?? {};
  /** Data that names a template has exactly its parameters. */
  const withParameters = (changed: JsonObject): JsonObject => {
    const template = choices.templates.find(({ id, name }) => id === changed['templateId'] || name === changed['templateId']);
    return template === undefined ? changed : { ...changed, parameters: parametersOf(template.body, changed['parameters']) };
  };
  const heldEdge = useRef<HeldEdge>(undefined);
  const chosenBefore = useRef<Json>(undefined);
  useEffect(() => {
    // A template was named before those of the company were known.
    const isStill = isLoaded && chosenBefore.current !== undefined && chosenBefore.current === data['templateId'];
    if (isStill) onData(withParameters(data), 'templateId');
    chosenBefore.current = undefined;
  }, [isLoaded]);
  return (changed: Json, field: string): void => {
    if (!isRecord(changed)) return;
    const isChosen = changed['templateId'] !== data['templateId'];
    if (isChosen && !isLoaded) chosenBefore.current = changed['templateId'];
    const after: JsonObject = isChosen ? withParameters(changed) : changed;
    const titles = optionTitles(after);
    const edited = editedOption(optionTitles(data), titles);
    if (edited === undefined) return onData(after, field);
    const ports = new Set(canvas.edges.flatMap(({ source, sourceHandle }) => (source === node.id ? [sourceHandle ?? ''] : [])));
    const { renamed, held } = followOption(edited, new Set(titles.toSpliced(edited.index, 1)), ports, heldEdge.current);
    heldEdge.current = held;
    if (renamed === undefined) return onData(after, field);
    onRename(after, field, renamed);
  };
}

/** Exactly the parameters of a template, with the values that were there already. */
function parametersOf(body: string | null | undefined, before: Json | undefined): JsonObject {
  const names = [...(body ?? '').matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name = '']) => name.trim());
  const known: JsonObject = isRecord(before) ? before : {};
  return Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
}
