import type { JsonObject } from '../contract/json.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { problem, shorten } from './problem-codes.ts';

// Node definitions of a host run inside the check of a canvas. What they throw is a problem of the node, and never of the check.

/** What is said of a definition that threw while it looked at the data of a node. */
export const describeThrown = (type: string, error: unknown): string =>
  `The definition of node type "${type}" failed on this data: ${shorten(error instanceof Error ? error.message : String(error), 300)}`;

/** The problem of a node whose definition threw at its data. */
export const describeFault = (
  { index, id, type }: { readonly index: number; readonly id: string; readonly type: string },
  error: unknown,
): Problem => problem('INVALID_CONFIG', ['nodes', index, 'data'], describeThrown(type, error), id);

/** Called with the config that a function of a definition threw at, or answered with what is no answer. */
type OnFault = (config: unknown, error: unknown) => void;

/** A definition whose functions, as far as a check calls them, report what they throw and then answer with nothing. */
export function shieldDefinition(definition: NodeDefinition, onFault: OnFault): NodeDefinition {
  const shield =
    <Rest extends readonly unknown[], Answer extends object>(
      name: string,
      ask: (config: unknown, ...rest: Rest) => Answer,
      nothing: Answer,
    ): ((config: unknown, ...rest: Rest) => Answer) =>
    (config, ...rest) => {
      try {
        const answer: unknown = ask(config, ...rest);
        const inner = isLike(answer, nothing) ? describeInner(name, answer) : undefined;
        if (isLike(answer, nothing) && inner === undefined) return answer;
        if (inner !== undefined) throw new TypeError(`${name}() returned ${inner}`);
        onFault(config, new TypeError(`${name}() returned no ${Array.isArray(nothing) ? 'list' : 'object'}`));
      } catch (error) {
        onFault(config, error);
      }
      return nothing;
    };
  const guard =
    <Rest extends readonly unknown[], Answer>(ask: (config: unknown, ...rest: Rest) => Answer) =>
    (config: unknown, ...rest: Rest): Answer | undefined => {
      try {
        return ask(config, ...rest);
      } catch (error) {
        onFault(config, error);
        return undefined;
      }
    };
  const shieldEntry = (entry: Extract<NodeDefinition['entry'], { readonly kind: 'message' }>): NodeDefinition['entry'] => ({
    ...entry,
    match: guard((config, message: JsonObject) => entry.match(config, message)),
    keywords: shield('keywords', (config) => entry.keywords?.(config) ?? [], []),
    identifiers: shield('identifiers', (config) => entry.identifiers?.(config) ?? [], []),
    takesAny: (config) => guard(() => entry.takesAny?.(config))(config) === true,
    interrupts: (config) => guard(() => entry.interrupts?.(config))(config) === true,
  });
  const { entry } = definition;
  return {
    ...definition,
    waitsBefore: shield('waitsBefore', (config) => definition.waitsBefore(config), []),
    heardBefore: shield('heardBefore', (config) => definition.heardBefore(config), []),
    sends: guard((config) => definition.sends(config)),
    advisedPorts: shield('advisedPorts', (config) => definition.advisedPorts(config), []),
    writes: shield('writes', (config) => definition.writes(config), {}),
    writesBefore: shield('writesBefore', (config, at: readonly (string | number)[]) => definition.writesBefore(config, at), []),
    shapes: shield('shapes', (config) => definition.shapes(config), {}),
    writtenKinds: shield('writtenKinds', (config) => definition.writtenKinds(config), {}),
    writtenForms: shield('writtenForms', (config) => definition.writtenForms(config), {}),
    references: shield('references', (config) => definition.references(config), []),
    risk: (config) => guard(() => definition.risk(config))(config) ?? 'change',
    check: shield('check', (config, around: Parameters<NodeDefinition['check']>[1]) => definition.check(config, around), []),
    entry: entry?.kind === 'message' ? shieldEntry(entry) : entry,
  };
}

const isListOfTexts = (given: unknown): boolean => Array.isArray(given) && given.every((one) => typeof one === 'string');
const objects: ReadonlySet<string> = new Set(['check', 'references', 'keywords', 'identifiers']);
const ofLists: ReadonlySet<string> = new Set(['writes', 'shapes']);

/** What is wrong with the parts of a list or an object that a definition gives; `undefined` where they can be read. */
function describeInner(name: string, answer: object): string | undefined {
  if (ofLists.has(name)) return Object.values(answer).every(isListOfTexts) ? undefined : 'what is no list of texts';
  if (!Array.isArray(answer)) return undefined;
  const parts: readonly unknown[] = answer;
  if (!objects.has(name)) return isListOfTexts(parts) ? undefined : 'what is no text';
  if (!parts.every((part) => typeof part === 'object' && part !== null)) return 'what is no object';
  const isPlaced = name !== 'check' || parts.every((part) => Array.isArray(Reflect.get(Object(part), 'at')));
  return isPlaced ? undefined : 'a problem without its place "at", a list';
}

/** Whether an answer is a list where a list is wanted, and an object where an object is. */
const isLike = <Answer extends object>(answer: unknown, wanted: Answer): answer is Answer =>
  typeof answer === 'object' && answer !== null && Array.isArray(answer) === Array.isArray(wanted);
