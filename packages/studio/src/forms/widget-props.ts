import type { Json, Problem } from '@hilo/engine/contract';

/** The properties of a widget. A host can provide one for a hint of its own nodes, or to replace one of ours. */
export interface WidgetProps {
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly label: string;
  readonly id: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  /** The JSON pointer of the field in the canvas. */
  readonly pointer: string;
  readonly problems: readonly Problem[];
  readonly examples: readonly string[];
  /** What holds where nothing is written. */
  readonly usual?: Json | undefined;
}
/** A field of a form that a host draws itself. */
export type WidgetComponent = React.ComponentType<WidgetProps>;
