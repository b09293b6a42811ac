// What an author does to a canvas as a whole, for the board, the keys, the palette and the bars of the editor.
import type { BoardActs } from '../board/use-acts.ts';
import type { Placed } from '../canvas/align.ts';
import type { Point } from '../canvas/canvas-json.ts';
import type { PortRef } from '../canvas/commands.ts';

/** Each is one step that can be undone. */
export interface Editing extends BoardActs {
  /**
   * Adds a node, connects it, and opens its form. Where the node before it was edited a moment ago, its ports are asked for first.
   *
   * @param position - beside the selected node when left out
   */
  add(type: string, position?: Point, from?: PortRef): Promise<void>;
  /** Puts a new node on the way by which a port is left. */
  insert(type: string, on: PortRef): void;
  /** Leads a port to nothing. */
  disconnect(from: PortRef): void;
  tidy(): Promise<void>;
  deleteSelected(): void;
  /** Moves what is selected, all at once. @param placesOf - where cards come, by id */
  align(placesOf: (cards: readonly Placed[]) => ReadonlyMap<string, Point>): void;
  duplicate(nodeIds: ReadonlySet<string>): void;
  /** Puts a frame around what is selected, or fits the one that is selected with others to them. */
  frame(): void;
  /** Pins nodes to their places, or frees them where all are pinned. */
  pin(nodeIds: ReadonlySet<string>): void;
  /** What is selected, as a canvas; `undefined` when nothing is. */
  copied(): string | undefined;
  /**
   * Pastes a canvas, or a part of one. Any other text is left alone.
   *
   * @param at - the left upper corner of what is pasted; below everything that it would cover when left out
   * @returns whether it was a canvas
   */
  pasteText(text: string, at?: Point): boolean;
}
