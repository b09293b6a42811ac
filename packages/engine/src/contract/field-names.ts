// Fields by the names that people and models bring along from other products, or misspell.
import { findNearestName } from '../expressions/nearest-name.ts';

/** Words for one thing, in each row. None is known here as a field: a schema has the one that is meant, or none. */
const groups: readonly ReadonlySet<string>[] = [
  'source from sourceid sourcenode sourcenodeid fromnode fromid',
  'target to targetid targetnode targetnodeid tonode toid destination dest',
  'sourcehandle sourceport fromport port handle outlet output sourceoutput',
  'data config configuration parameters params properties props options settings attributes',
  'type kind nodetype',
  'name title label',
  'schemaversion version formatversion',
  'nodes steps blocks states elements',
  'edges connections links transitions arrows wires',
  'message text question prompt content body',
  'text body content caption',
  'saveas saveto variable variablename storein resultvariable outputvariable assignto',
  'duration delay time wait seconds',
  'url uri href endpoint address link',
  'mediaurl url link src file',
  'rule when condition expression test',
  'branches conditions rules cases',
  'cases branches conditions rules',
  'items list array collection',
  'quick_replies options choices buttons replies',
  'assignments values variables fields set',
  'workflowid workflow flow flowid subflow',
  'timeout expires expiresin expiry',
].map((row) => new Set(row.split(' ')));

const foldField = (name: string): string => name.slice(0, 64).replaceAll(/[-\s]/g, '').toLowerCase();

/** The known field that is called so elsewhere. */
function findOtherField(name: string, known: readonly string[]): string | undefined {
  const folded = foldField(name);
  for (const group of groups) {
    if (!group.has(folded)) continue;
    const found = known.find((field) => group.has(foldField(field)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The field that was likely meant by a name that none has. */
export const findMeantField = (name: string, known: readonly string[]): string | undefined =>
  findNearestName(name, known) ?? findOtherField(name, known);
