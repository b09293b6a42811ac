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
  'rule when condition expression test if',
  'auth credential credentials authentication authorization credentialid',
  'when description criteria criterion explanation hint instruction instructions',
  'branches conditions rules cases',
  'items list array collection',
  'quick_replies options choices buttons replies',
  'assignments values variables fields set',
  'workflowid workflow flow flowid subflow',
  'timeout expires expiresin expiry',
  'path name variable key field',
  'left field path variable key operand',
  'right value',
  'op operator operation comparison',
  'percent weight percentage probability share',
  'source code script javascript',
  'at date datetime until when instant',
  'like pattern regex regexp',
  'name event eventname',
  'mon monday',
  'tue tues tuesday',
  'wed weds wednesday',
  'thu thur thurs thursday',
  'fri friday',
  'sat saturday',
  'sun sunday',
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

/** Constants by what stands for them elsewhere, in each row after the one that is known here. */
const constants: ReadonlyMap<string, string> = new Map(
  [
    'eq == === = equals equal is',
    'neq != !== <> notequals notequal ne',
    'gt > greaterthan greater',
    'gte >= greaterthanorequal ge',
    'lt < lessthan less',
    'lte <= lessthanorequal le',
    'exists isset defined isdefined',
    'empty isempty blank',
    'expression regex matches formula',
    'contains includes',
    'number integer int float decimal numeric',
    'text string str',
    'boolean bool',
    'option options choice choices select buttons list enum',
    'media file image photo document attachment',
    'image picture photo img',
    'file document attachment pdf',
    'contacts contact vcard card',
    'audio voice',
    'cta_url url link urlbutton',
    'carousel cards products',
    'date datetime day',
    'quick_reply buttons button options choices quickreply interactive',
    'string text',
  ].flatMap((row) => {
    const [known = '', ...others] = row.split(' ');
    return others.map((other) => [`${other} ${known}`, known] as const);
  }),
);

/** The constant that was likely meant by a text that none is: in other letters, with a mistake, or as it is called elsewhere. */
export function findMeantConstant(given: string, known: readonly string[]): string | undefined {
  const folded = foldField(given);
  return (given.length > 2 ? findNearestName(given, known) : undefined) ?? known.find((one) => constants.has(`${folded} ${one}`));
}
