import { createContext, type ReactNode } from 'react';
import type { Mark } from '../canvas/diff.ts';

/** Overlays of a canvas: where a test or an execution is, the path of a problem, the marks of a diff. */
export interface Overlay {
  /** How often each port was left, by `portKey`. */
  readonly taken?: { readonly [port: string]: number };
  /** How often each node was visited, and how many executions wait there now, by node id. */
  readonly visits?: ReadonlyMap<string, { readonly visits: number; readonly waiting: number }>;
  /** Ports that no kept test takes, as `node.port`. */
  readonly neverTaken?: ReadonlySet<string>;
  /** The tests that take a port, by `portKey`. */
  readonly tested?: ReadonlyMap<string, readonly string[]>;
  /**
   * Counts of a time: what stands at the foot of a card (`short`: on a small one), how much of all leaving it has (0 to 1), and what stands
   * beside a port; of a rare one only while its card is pointed at.
   */
  readonly numbers?: {
    readonly cards: ReadonlyMap<string, { readonly text: string; readonly short: string; readonly heat: number }>;
    readonly ports: ReadonlyMap<
      string,
      { readonly text: string; readonly title: string; readonly widthPx: number; readonly isRare: boolean }
    >;
  };
  /** What stands beside cards, whatever else is shown: who is there, and comments. */
  readonly beside?: ReadonlyMap<string, ReactNode>;
  /** What all of it comes to, in a line below the canvas. */
  readonly strip?: ReactNode;
  readonly passed?: ReadonlySet<string>;
  readonly running?: string;
  readonly waiting?: { readonly nodeId: string; readonly text: string };
  readonly failed?: { readonly nodeId: string; readonly cause: string };
  /** Nodes and ports of a way that is shown: all others dim. */
  readonly way?: { readonly nodes: ReadonlySet<string>; readonly ports: ReadonlySet<string>; readonly at: string | undefined };
  /** What became of nodes and ports from one version to another. */
  readonly marks?: { readonly nodes: ReadonlyMap<string, Mark>; readonly ports: ReadonlyMap<string, Mark> };
}

/** One object, since each card is drawn again for another one. */
export const noOverlay: Overlay = {};

export const OverlayContext = createContext<Overlay>(noOverlay);

/** Told the size that a frame got; left out where a canvas is to look at. */
export const ResizeContext = createContext<
  ((nodeId: string, size: { readonly width: number; readonly height: number }) => void) | undefined
>(undefined);
