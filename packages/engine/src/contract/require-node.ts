// What is wrong with the definition of a node, in a sentence: for authors whose compiler did not say it, and for what it cannot see.
import { findNearestName, suggest } from '../expressions/nearest-name.ts';

/** Parts that are functions, each with what it is asked for. */
const functions =
  'run compile upgrade writes writesBefore shapes writtenKinds writtenForms sends references risk check waitsBefore advisedPorts heardBefore'.split(
    ' ',
  );
const lists = 'effects names writingFields portsWhenEntered boundedPorts webhookPorts'.split(' ');
const others = 'type config visual ports optionalPorts facts version entry callback isRemark waitFields supports'.split(' ');
const parts: readonly string[] = [...functions, ...lists, ...others];

/** @throws {TypeError} for what is no definition of a node */
export function requireNode(input: unknown): void {
  if (typeof input !== 'object' || input === null)
    throw new TypeError('defineNode() takes one object: the type, config, look, ports and run of a node');
  const given = new Map<string, unknown>(Object.entries(input));
  const type = given.get('type');
  if (typeof type !== 'string' || !/^[^\s"]{1,100}$/u.test(type))
    throw new TypeError(`The "type" of a node is ${show(type)}: give a name without blanks, such as "score-lead"`);
  const refuse = (part: string, why: string): never => {
    throw new TypeError(`The "${part}" of the node "${type}" ${why}`);
  };
  for (const [name, value] of given) {
    if (value === undefined) continue;
    if (!parts.includes(name))
      refuse(name, `is no part of a definition; ${suggest(findNearestName(name, parts)) ?? `the parts are ${parts.join(', ')}`}`);
    if (functions.includes(name) && typeof value !== 'function') refuse(name, `is ${show(value)}: it is a function of the config`);
    if (lists.includes(name) && !Array.isArray(value)) refuse(name, `is ${show(value)}: it is a list`);
  }
  if (given.get('run') === undefined && given.get('compile') === undefined)
    refuse('run', 'is missing: give run(), or compile() that makes it');
  const visual: unknown = given.get('visual');
  if (typeof visual !== 'object' || visual === null) refuse('visual', 'is missing: give its label, category, icon, colour and description');
  requirePorts(given, refuse);
}

/** Ports that are listed; those that are worked out from the config are looked at with it. */
function requirePorts(given: ReadonlyMap<string, unknown>, refuse: (part: string, why: string) => never): void {
  const seen = new Set<string>();
  for (const part of ['ports', 'optionalPorts']) {
    const ports = given.get(part);
    if (typeof ports === 'function' || (ports === undefined && part === 'optionalPorts')) continue;
    if (!Array.isArray(ports))
      refuse(part, ports === undefined ? 'are missing: list them, such as ["done"]' : `are ${show(ports)}: list them, such as ["done"]`);
    const fault = describePorts(ports, seen);
    if (fault !== undefined) refuse(part, fault);
  }
}

/** What is wrong with ports; `undefined` for what can be ports. @param seen - names that are taken, to which these are added */
export function describePorts(ports: unknown, seen: Set<string>): string | undefined {
  if (!Array.isArray(ports)) return `are ${show(ports)}, and no list`;
  for (const port of ports as readonly unknown[]) {
    if (typeof port !== 'string' || port === '') return `have ${show(port)} among them: a port is a text that is not empty`;
    if (seen.has(port)) return `name "${port}" twice`;
    seen.add(port);
  }
  return undefined;
}

function show(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
