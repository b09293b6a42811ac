import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Node's own collector on request, without a flag on the command line. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Frees what nothing refers to any more. */
export const collectGarbage = collector();
