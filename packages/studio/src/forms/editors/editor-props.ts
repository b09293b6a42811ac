import type { ValueProps } from '../value-props.ts';

/** What an editor made by hand gets: the value, its schema, and where it stands. */
export interface EditorProps extends ValueProps {
  /** What could be written here. */
  readonly example: string | undefined;
}
