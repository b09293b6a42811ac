import type { Json } from '@hilo/engine/contract';
import type { JsonSchema } from '../canvas/canvas-json.ts';

/** What edits a value, and where the value stands. */
export interface ValueProps {
  readonly schema: JsonSchema;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** Dotted, for hints and texts. */
  readonly at: string;
  readonly pointer: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly id: string;
}
