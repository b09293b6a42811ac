// Which tables a statement reads, changes or empties without saying whose rows. It reads the tree of Kysely, in which each kind of node has
// its name: what stands in SQL as text alone is not seen.

export type Node = { readonly kind: string; readonly [part: string]: unknown };
/** The sources of a query by what it calls them, and whether they are tables with a company. */
type Sources = ReadonlyMap<string, boolean>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'kind' in value;
const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);
const partOf = (node: Node, ...path: readonly string[]): Node | undefined => {
  let found: Node | undefined = node;
  for (const part of path) {
    const next: unknown = found?.[part];
    found = isNode(next) ? next : undefined;
  }
  return found;
};
const textOf = (node: Node | undefined, part: string): string => {
  const text = node?.[part];
  return typeof text === 'string' ? text : '';
};

const queries: ReadonlySet<string> = new Set(['SelectQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/**
 * @param node - the root of a statement
 * @param isOfCompanies - whether the rows of a table are of companies
 * @returns the tables that no equality ties to one company, in the order in which the statement names them
 */
export function listUnfenced(node: Node, isOfCompanies: (table: string) => boolean, outer: Sources = new Map()): readonly string[] {
  if (!queries.has(node.kind)) return childrenOf(node).flatMap((child) => listUnfenced(child, isOfCompanies, outer));
  const tables = listSources(node);
  const own = new Map(tables.map(({ name, table }) => [name, table !== undefined && isOfCompanies(table)]));
  const fenced = findFenced(listConditions(node), own, outer);
  const within = new Map([...outer, ...own]);
  return [
    ...tables.flatMap(({ name, table }) => (own.get(name) === true && !fenced.has(name) ? [table ?? name] : [])),
    ...childrenOf(node).flatMap((child) => listUnfenced(child, isOfCompanies, within)),
  ];
}

/** What a query reads or changes; those that are no tables are queries or lists themselves. */
function listSources(query: Node): readonly { readonly name: string; readonly table: string | undefined }[] {
  const lists = [partOf(query, 'table'), ...['from', 'using'].flatMap((part) => partOf(query, part) ?? []), ...nodesOf(query, 'joins')];
  return lists
    .flatMap((one) => (one === undefined ? [] : one.kind === 'JoinNode' ? (partOf(one, 'table') ?? []) : one))
    .flatMap((one) => (one.kind === 'FromNode' ? nodesOf(one, 'froms') : one.kind === 'UsingNode' ? nodesOf(one, 'tables') : [one]))
    .map((one) => {
      const table = one.kind === 'AliasNode' ? partOf(one, 'node') : one;
      const name = table?.kind === 'TableNode' ? textOf(partOf(table, 'table', 'identifier'), 'name') : undefined;
      return { name: one.kind === 'AliasNode' ? textOf(partOf(one, 'alias'), 'name') : (name ?? ''), table: name };
    });
}

const nodesOf = (node: Node, part: string): readonly Node[] => {
  const list = node[part];
  return Array.isArray(list) ? list.filter(isNode) : [];
};

/** All that must be true of each row: conditions that are joined by "and". */
function listConditions(query: Node): readonly Node[] {
  const all = [partOf(query, 'where', 'where'), ...nodesOf(query, 'joins').map((join) => partOf(join, 'on', 'on'))];
  return all.flatMap((one) => (one === undefined ? [] : splitAnd(one)));
}

function splitAnd(node: Node): readonly Node[] {
  if (node.kind === 'AndNode')
    return [partOf(node, 'left'), partOf(node, 'right')].flatMap((side) => (side === undefined ? [] : splitAnd(side)));
  const inner = node.kind === 'ParensNode' ? partOf(node, 'node') : undefined;
  return inner === undefined ? [node] : splitAnd(inner);
}

/** The sources whose company equals a value, the company of a query around it, or that of a source that is fenced. */
function findFenced(conditions: readonly Node[], own: Sources, outer: Sources): ReadonlySet<string> {
  const withCompany = [...own].flatMap(([name, has]) => (has ? [name] : []));
  const sideOf = (node: Node): string | undefined => {
    const plain = unwrap(node);
    if (plain.kind === 'ValueNode') return '';
    if (plain.kind !== 'ReferenceNode' || textOf(partOf(plain, 'column', 'column'), 'name') !== 'company_id') return undefined;
    const table = textOf(partOf(plain, 'table', 'table', 'identifier'), 'name');
    const name = table === '' ? (withCompany.length === 1 ? withCompany[0] : undefined) : table;
    if (name === undefined) return undefined;
    return own.has(name) ? name : outer.has(name) ? '' : name;
  };
  const equal = conditions.flatMap(listEqualities).map((pair) => pair.map(sideOf));
  const fenced = new Set(['']);
  // Derived tables and lists have the company of what they are made of.
  for (const [name, has] of own) if (!has) fenced.add(name);
  for (let size = 0; size < fenced.size; ) {
    size = fenced.size;
    for (const [left, right] of equal) {
      if (left === undefined || right === undefined) continue;
      if (fenced.has(left)) fenced.add(right);
      else if (fenced.has(right)) fenced.add(left);
    }
  }
  return fenced;
}

/** What a condition says to be equal, also where it is written as text around references. */
function listEqualities(condition: Node): readonly (readonly [Node, Node])[] {
  if (condition.kind === 'BinaryOperationNode') {
    const [left, right] = [partOf(condition, 'leftOperand'), partOf(condition, 'rightOperand')];
    const isEqual = textOf(partOf(condition, 'operator'), 'operator') === '=';
    return isEqual && left !== undefined && right !== undefined ? [[left, right]] : [];
  }
  if (condition.kind !== 'RawNode') return [];
  const [texts, values] = [textsOf(condition), nodesOf(condition, 'parameters')];
  if (texts.some((text) => /\b(?:or|case|not)\b/i.test(text))) return [];
  return values.flatMap((right, index) => {
    const [before = '', after = ''] = [texts[index]?.trim(), texts[index + 1]?.trim()];
    const left = values[index - 1];
    if (left !== undefined && before === '=') return [[left, right] as const];
    return /^$|\band$/i.test(before) && /^$|^and\b/i.test(after) ? listEqualities(right) : [];
  });
}

const textsOf = (raw: Node): readonly string[] => {
  const texts = raw['sqlFragments'];
  return Array.isArray(texts) ? texts.map(String) : [];
};

/** A reference or a value inside of brackets and text around it. */
function unwrap(node: Node): Node {
  const [inner, ...others] = node.kind === 'RawNode' ? nodesOf(node, 'parameters') : childrenOf(node);
  const isAround = node.kind === 'RawNode' || node.kind === 'ParensNode';
  return isAround && inner !== undefined && others.length === 0 ? unwrap(inner) : node;
}
