import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Node's own collector on request, without a flag on the command line. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Runs a garbage collection. */
export const collectGarbage = collector();
