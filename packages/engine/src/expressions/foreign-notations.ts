// What authors bring along from JavaScript, SQL, spreadsheets and the templates of other products, and what to write here instead.

const noPower = 'there is no sign for a power: write the product, as in $context.side * $context.side';

/** Found where the parser stops, by what begins there. */
const notations: readonly (readonly [found: RegExp, remedy: string])[] = [
  [/^=>/, 'a list operation names its item, as in list.map(item, item.name)'],
  [/^=/, 'values are compared by "==" and "!="; an expression assigns nothing'],
  [/^and\b/i, '"and" is written "&&"'],
  [/^or\b/i, '"or" is written "||"'],
  [/^is\b/i, '"is" is written "=="'],
  [/^between\b/i, '"between" is written $context.n >= 1 && $context.n <= 9'],
  [/^like\b/i, '"like" is a function, as in like($context.name, "^A")'],
  [/^(?:contains|includes)\b/i, 'whether a text has another one in it is contains($context.name, "an")'],
  [/^(?:starts|begins)\b/i, 'how a text starts is startsWith($context.name, "An")'],
  [/^ends\b/i, 'how a text ends is endsWith($context.name, "na")'],
  [/^&/, '"&" is written "&&" between conditions, and "+" between texts'],
  [/^\^/, noPower],
  [/^[“”„‘’«»`]/, 'a text needs straight quotes, " or \''],
  [/^\\/, 'a quote in an expression has no backslash before it'],
  [/^(?=\P{ASCII})\p{L}/u, 'a text is in quotes, as in "sí"'],
  [/^\/[^/\n]{1,80}\//, 'a pattern is a text in quotes, as in like($context.name, "(?i)an")'],
];

/** The same by what stands before that place too. */
const notationsBehind: readonly (readonly [before: RegExp, found: RegExp, remedy: string])[] = [
  [/<$/, /^>/, '"<>" is written "!="'],
  [/\+$/, /^\+/, 'an expression assigns nothing: a set node counts, with {{$context.count + 1}}'],
  [/\*$/, /^\*/, noPower],
  [/\?$/, /^:/, '"?:" is written "??"'],
  [/\?$/, /^\./, '"?." is written ".?"'],
  [/\Win \([^()]*$/, /^,/, '"in" takes a list in square brackets, as in $context.n in [1, 2]'],
  [/\d$/, /^, ?\d/, 'a decimal number has a point, as in 1.16'],
  [/[A-Za-z_)\]]\.$/, /^\d/, 'an item of a list is in square brackets, as in $context.list[0]'],
  [/(?:^|\W)not$/, /^/, '"not" is written "!"'],
  [/(?:^|\W)new$/, /^Date\b/, '"$now" is the instant at which it is evaluated'],
  [/\(\w+$/, /^,[^()]{1,60}\) ?=>/, 'sum, min, max and join take a whole list; what else goes through a list belongs into a code node'],
  [/\[[^[\]]{0,60}$/, /^:/, 'a part of a list is slice($context.list, 0, 2)'],
  [/(?:^|\W)typeof$/, /^/, '"typeof" is the function type(), as in type($context.name) == string'],
  [/\$$/, /^\{/, 'a variable has no braces, as in $context.name'],
  [
    /^$/,
    /^#(?:if|each|for|unless|with)\b/,
    'there are no blocks: a choice is written $context.n > 1 ? "many" : "one", and list.map(item, item.name) goes through a list',
  ],
  [/^$/, /^[@#%]\w/, 'variables start with "$"'],
];

/** So much on either side of the place is looked at. */
const nearChars = 100;

/** What to write instead of a notation that the parser stopped at; `undefined` for one that nobody knows. */
export function findNotation(before: string, rest: string): string | undefined {
  const [behind, found] = [before.slice(-nearChars), rest.slice(0, nearChars)];
  if (found === '') return undefined;
  if (found.startsWith('|')) return describePipe(behind, found);
  const special = notationsBehind.find(([left, right]) => left.test(behind) && right.test(found));
  return special?.[2] ?? notations.find(([pattern]) => pattern.test(found))?.[1];
}

/** `value | change(more)` of template languages, as the call that it is here. */
function describePipe(before: string, rest: string): string {
  const value = /\$[\w.]{1,40}$/.exec(before)?.[0] ?? '$context.name';
  const [, name = '', more = ''] = /^\|\s*([A-Za-z]\w{0,40})(?:\s*[:(])? ?("[^"]{0,30}"|'[^']{0,30}'|\d{1,9})?/.exec(rest) ?? [];
  if (name === 'default') return `a default is written ${value} ?? ${more === '' ? '"none"' : more}`;
  const called = name === 'date' ? 'format' : (otherNames.get(name) ?? name);
  if (called === '') return `a value is changed by a function, as in upper(${value})`;
  return `a value is changed by a function, as in ${called}(${value}${more === '' ? '' : `, ${more}`})`;
}

/** Several names that mean the same, in one text with blanks between them. */
const byName = (rows: readonly (readonly [names: string, meaning: string])[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(([names, meaning]) => names.split(' ').map((name) => [name, meaning] as const)));

/** Functions of other languages, by their names there, and those of this one. */
const otherNames = byName([
  ['toUpperCase uppercase upcase', 'upper'],
  ['toLowerCase lowercase downcase', 'lower'],
  ['capitalize', 'title'],
  ['includes', 'contains'],
  ['length strlen count len', 'size'],
  ['substr', 'slice'],
  ['concat', '+'],
  ['toString toISOString', 'string'],
  ['replaceAll', 'replace'],
  ['year', 'getFullYear'],
  ['month', 'getMonth'],
  ['hour', 'getHours'],
  ['minute', 'getMinutes'],
  ['weekday dayOfWeek', 'getDayOfWeek'],
  ['toLocaleString toLocaleDateString currency formatCurrency', 'formatNumber'],
  ['toFixed', 'round'],
  ['parseInt', 'int'],
  ['parseFloat', 'number'],
  ['formatDate dateFormat date_format strftime', 'format'],
  ['test', 'matches'],
  ['encodeURI urlEncode urlencode escape', 'encodeURIComponent'],
]);

/** The function of this language that does what one of another does. */
export const findOtherName = (name: string): string | undefined => otherNames.get(name);

/** Functions of other languages that are none here, and how to say the same. */
const remedies = byName([
  ['if iif ifelse cond', 'a choice is written with "?" and ":", as in $context.n > 1 ? "many" : "one"'],
  ['isNull isset defined isDefined', 'whether there is a value is has($context.name); a default is given with "??"'],
  ['isEmpty empty isBlank', 'an empty text is "", as in ($context.name ?? "") == "", and an empty list has the size 0'],
  ['now today moment Date getdate currentDate', '"$now" is the instant at which it is evaluated, as in format($now, "yyyy-MM-dd")'],
  ['addDays addHours addMinutes addMonths dateAdd date_add', 'a duration is added, as in $now + duration("P1D")'],
  ['dateDiff datediff', 'the time between two instants is their difference, as in timestamp("2031-04-03T09:00:00Z") - $now'],
  ['random rand', 'an expression gives the same again for the same values: a random node chooses a way'],
  ['default nvl ifNull', 'a default is given with "??", as in $context.name ?? "none"'],
  ['plural pluralize', 'one and many are told by a choice, as in $context.n == 1 ? "item" : "items"'],
  ['stringify toJson toJSON', 'an object in a text with other characters is written as JSON'],
  ['equals eq', 'values are compared by "==", as in $context.name == "Ana"'],
  ['sortBy orderBy groupBy', 'sort takes numbers, texts and instants; to sort objects takes a code node'],
  ['uuid md5 sha256 hash', 'what a code node or an api node makes, an expression reads'],
  ['padStart padLeft', 'digits in front are slice("00" + $context.n, -3)'],
  ['endOf', 'the end of a day is the start of the next one: startOf($now + duration("P1D"), "day")'],
  ['push append', 'lists are joined by "+", as in $context.list + [7]'],
  ['find', 'the first that fits is list.filter(item, item > 0).first()'],
  ['reduce', 'sum, min, max and join take a whole list; what else goes through a list belongs into a code node'],
  ['forEach', 'a list is gone through by map and filter, or by a for-each node'],
  ['parse', 'a text is read as JSON by json(bytes($context.text))'],
]);

/** How to say what a function of another language does, where a name alone does not. */
export const findRemedy = (name: string): string | undefined => remedies.get(name);

/** Words of other languages that stand for a value, in small letters, and those of this one. */
const words = byName([
  ['none nil undefined null', 'null'],
  ['true', 'true'],
  ['false', 'false'],
]);

const libraries: ReadonlySet<string> = new Set(['Math', 'Object', 'JSON', 'Date', 'String', 'Number', 'Array']);

/** Names of other products for what has another one here. */
const scopes = byName([
  ['contact subscriber customer', '$user'],
  ['ctx vars variables flow', '$context'],
  ['today date time', '$now'],
]);

/** The variable that another product calls so. @param name - without its `$` */
export const findScope = (name: string): string | undefined => scopes.get(name);

/** What to write instead of a name that is no variable. @param scopeNames - the variables that there are, each with its `$` */
export function describeName(name: string, scopeNames: readonly string[]): string {
  const value = words.get(name.toLowerCase());
  if (value !== undefined) return `"${name}" is written "${value}"`;
  if (libraries.has(name)) return `"${name}" is not needed: a function stands alone, as in round($context.n)`;
  const scope = findScope(name) ?? scopeNames.find((known) => known.slice(1) === name.toLowerCase());
  const rule = 'variables start with "$", texts are in quotes';
  return scope === undefined ? `"${name}" is not a variable; ${rule}` : `"${name}" is written "${scope}": ${rule}`;
}
