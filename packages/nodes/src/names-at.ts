// What a node says of the object that it keeps at a path: its names, so that the check finds a read of another one.
import { formatPath, type Path } from '@hilo/engine/contract';

/** `shapes` of a node that keeps one object; nothing where it keeps none. */
export const namesAt = (saveAs: Path | undefined, names: readonly string[]): { readonly [path: string]: readonly string[] } =>
  saveAs === undefined ? {} : { [formatPath(saveAs)]: names };
