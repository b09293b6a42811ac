// What authors bring along from JavaScript, SQL, spreadsheets and the templates of other products, and what to write here instead.

const choice = 'a choice is written with "?" and ":", as in $context.n > 1 ? "many" : "one"';
const ofEach = 'a part of each item is list.map(item, item.name)';
/** What is said of a block of a template language. */
export const noBlocks =
  'there are no blocks: a choice is written $context.n > 1 ? "many" : "one", and list.map(item, item.name) goes through a list';
const noPower = 'there is no sign for a power: write the product, as in $context.side * $context.side';

const otherQuotes = 'a text with one kind of quotes in it has the other kind around it, as in "it\'s"';

/** Found where the parser stops, by what begins there. */
const notations: readonly (readonly [found: RegExp, remedy: string])[] = [
  [/^=>(?= ?[\d$])/, '"=>" is written ">=" between numbers, and a list operation names its item, as in list.map(item, item.name)'],
  [/^=>/, 'a list operation names its item, as in list.map(item, item.name)'],
  [/^=</, '"=<" is written "<="'],
  [/^=~/, 'whether a pattern is found is like($context.name, "(?i)an")'],
  [/^=/, 'values are compared by "==" and "!="; an expression assigns nothing'],
  [/^and\b/i, '"and" is written "&&"'],
  [/^or\b/i, '"or" is written "||"'],
  [/^is (?:not )?(?:defined|undefined|set)\b/i, 'whether there is a value is has($context.name), and a default is given with "??"'],
  [/^is not\b/i, '"is not" is written "!="'],
  [/^is (?:not )?(?:even|odd|divisible)/i, 'the remainder of a division is $context.n % 2'],
  [/^is\b/i, '"is" is written "=="'],
  [/^between\b/i, '"between" is written $context.n >= 1 && $context.n <= 9'],
  [/^like\b/i, '"like" is a function, as in like($context.name, "^A")'],
  [/^(?:contains|includes)\b/i, 'whether a text has another one in it is contains($context.name, "an")'],
  [/^(?:matches|regexp?|rlike|ilike)\b/i, 'whether a pattern is found is like($context.name, "(?i)an")'],
  [/^(?:starts|begins)\b/i, 'how a text starts is startsWith($context.name, "An")'],
  [/^ends\b/i, 'how a text ends is endsWith($context.name, "na")'],
  [/^&/, '"&" is written "&&" between conditions, and "+" between texts'],
  [/^\^/, noPower],
  [/^[“”„‘’«»`]/, 'a text needs straight quotes, " or \''],
  [/^\\["']/, 'a quote in an expression has no backslash before it'],
  [/^\\/, 'a backslash in a text is written twice, or stands in a raw text, as in like($context.name, r"^[A-Z]\\d+$")'],
  [/^~/, 'texts are joined by "+", as in "Hello " + $context.name'],
  [/^;/, 'an expression is one value, and has no ";"'],
  [/^\+/, 'a value has no "+" before it: number(…) makes a number of a text'],
  [/^(?=\P{ASCII})\p{L}/u, 'a text is in quotes, as in "sí"'],
  [/^\/[^/\n]{1,80}\//, 'a pattern is a text in quotes, as in like($context.name, "(?i)an")'],
  [/^(?:if|unless|when|then|else)\b/i, choice],
  [/^not in\b/i, '"not in" is written !($context.n in [1, 2])'],
  [/^in\b/i, '"in" is written in small letters and takes a list, as in $context.n in [1, 2]'],
  [/^mod\b/i, '"mod" is written "%"'],
  [/^div\b/i, 'a whole quotient is int($context.n / 2)'],
  [/^(?:[×·✕]|x (?=[\d$(]))/, '"*" multiplies'],
  [/^÷/, '"/" divides'],
  [/^≥/, '"≥" is written ">="'],
  [/^≤/, '"≤" is written "<="'],
  [/^≠/, '"≠" is written "!="'],
  [/^(?:instanceof|as)\b/, 'the type of a value is type($context.name) == string, and string(…), number(…), bool(…) convert'],
  [/^for\b/, 'a list operation names its item, as in list.map(item, item.name)'],
  [/^_\d/, 'a number has digits alone, as in 1000'],
  [/^::/, 'a part is named behind a point, as in $context.name'],
  [/^loop\b/, 'the place of an item is the first name of list.transformList(i, item, (i + 1) + ". " + item)'],
];

/** The same by what stands before that place too. */
const notationsBehind: readonly (readonly [before: RegExp, found: RegExp, remedy: string])[] = [
  [/<$/, /^>/, '"<>" is written "!="'],
  [/\+$/, /^\+/, 'an expression assigns nothing: a set node counts, with {{$context.count + 1}}'],
  [/\*$/, /^\*/, noPower],
  [/\?$/, /^:/, '"?:" is written "??"'],
  [/\?$/, /^\.(?:length|size|count)(?![\w(])/, 'the size of what may be missing is size($context.list ?? [])'],
  [/\?$/, /^\.[A-Za-z]\w{0,40}\(/, 'what may be missing gets its default first, as in upper($context.name ?? "")'],
  [/\?$/, /^\./, '"?." is written ".?"'],
  [/\w\((?:[^()]{1,60}, ?)? ?\.?$/, /^\.\./, 'a function takes a list as a whole, as in max($context.list)'],
  [/(?<!\[)\[(?:[^[\]]{1,60}, ?)? ?\.?$/, /^\.\./, 'lists are joined by "+", as in $context.list + [7]'],
  [/\d$/, /^\.\.\d/, 'a list is gone through by map and filter, or by a for-each node'],
  [/\d\.$/, /^\.\d/, 'a list is gone through by map and filter, or by a for-each node'],
  [/\{ ?\.?$/, /^\.\./, 'an object is written with its keys, as in {"name": $context.name}, and nothing is spread into it'],
  [/\Win \([^()]*$/, /^,/, '"in" takes a list in square brackets, as in $context.n in [1, 2]'],
  [/\d$/, /^(?:d|h|m|s|days?|hours?|minutes?|weeks?|months?|years?)\b/, 'a duration is a text in a function, as in $now + duration("P1D")'],
  [/^$/, /^=(?![=>])/, 'an expression begins with its value, and with no "="'],
  [/[(,] ?[A-Za-z_]\w{0,40}$/, /^=(?![=>])/, 'an argument has its place and no name, as in slice($context.name, 0, 3)'],
  [/\([^()]*$/, /^;/, 'arguments are separated by ",", as in slice($context.name, 0, 3)'],
  [/\d$/, /^, ?\d/, 'a decimal number has a point, as in 1.16'],
  [/[A-Za-z_)\]]\.$/, /^\d/, 'an item of a list is in square brackets, as in $context.list[0]'],
  [/(?:^|\W)not$/, /^/, '"not" is written "!"'],
  [/(?:^|\W)new$/, /^Date\b/, '"$now" is the instant at which it is evaluated'],
  [/\(\w+$/, /^,[^()]{1,60}\) ?=>/, 'sum, min, max and join take a whole list; what else goes through a list belongs into a code node'],
  [/\.find\(\(?\w{1,30}\)?$/, /^=>/, 'the first that fits is list.filter(item, item > 0).first()'],
  [/\.(?:some|includes|any)\(\(?\w{1,30}\)?$/, /^=>/, 'whether an item fits is list.exists(item, item > 0)'],
  [/\.every\(\(?\w{1,30}\)?$/, /^=>/, 'whether every item fits is list.all(item, item > 0)'],
  [/\.filter\(\(?\w{1,30}\)?$/, /^=>/, 'what fits is list.filter(item, item > 0)'],
  [/\[[^[\]]{0,60}$/, /^:/, 'a part of a list is slice($context.list, 0, 2)'],
  [/(?:^|\W)typeof$/, /^/, '"typeof" is the function type(), as in type($context.name) == string'],
  [/\$$/, /^\{/, 'a variable has no braces, as in $context.name'],
  [/^$/, /^[#/](?:if|each|for|unless|with)\b/, noBlocks],
  [/^$/, /^(?:\.\.\/|>|!--)/, noBlocks],
  [/[[.]$/, /^[*\]]/, ofEach],
  [/-$/, /^>/, 'a part is named behind a point, as in $context.name'],
  [/["']$/, /^["']/, otherQuotes],
  [/(?:^|\W)[fF]$/, /^["']/, 'texts are joined by "+", as in "Hello " + $context.name'],
  [/^\{{1,2}[^{}"':]{0,60}$/, /^\}/, 'an expression has one pair of braces {{ }} around it, and none inside'],
  [/(?:^|[(\s])[A-Za-z_]\w{0,40}$/, /^[$"']/, 'a function has brackets, as in upper($context.name)'],
  [/^$/, /^[@#%]\w/, 'variables start with "$"'],
];

/** So much on either side of the place is looked at. */
const nearChars = 100;

/** What to write instead of a notation that the parser stopped at; `undefined` for one that nobody knows. */
export function findNotation(before: string, rest: string): string | undefined {
  const [behind, found] = [before.slice(-nearChars), rest.slice(0, nearChars)];
  if (found === '' && /\?\[/.test(behind))
    return 'what may be missing in brackets is .?NAME, as in $context.order.?id.orValue(""), or gets a default with "??"';
  if (found === '') return /\d ?%$/.test(behind) ? 'a percentage is a number, as in $context.price * 0.16' : undefined;
  if (found.startsWith('|')) return describePipe(behind, found);
  const special = notationsBehind.find(([left, right]) => left.test(behind) && right.test(found));
  return special?.[2] ?? notations.find(([pattern]) => pattern.test(found))?.[1] ?? findQuotes(behind, found);
}

/** `'it's'` and `"say "hi""`: a text that ends at a quote in it. */
const findQuotes = (before: string, rest: string): string | undefined =>
  /(["'])[^"']{0,60}\1$/.test(before) && /^\p{L}[^"'$]{0,60}["']/u.test(rest) ? otherQuotes : undefined;

/** `value | change(more)` of template languages, as the call that it is here. */
function describePipe(before: string, rest: string): string {
  const value = /\$[\w.]{1,40}$/.exec(before)?.[0] ?? '$context.name';
  if (/^\|\s*(?:\$|!|\d+ ?[<=>])/.test(rest)) return '"|" is written "||" between conditions';
  const [, name = '', given = ''] = /^\|\s*([A-Za-z]\w{0,40})(?:\s*[:(])?(.{0,80})/.exec(rest) ?? [];
  const literals = /^ ?("[^"]{0,30}"|'[^']{0,30}'|\d{1,9})(?:, ?("[^"]{0,30}"|'[^']{0,30}'|\d{1,9}))?/.exec(given) ?? [];
  const [, more = '', second = ''] = literals;
  const attribute = /^ ?attribute ?= ?["']([A-Za-z]\w{0,30})["']/.exec(given)?.[1] ?? '';
  if (attribute !== '' && foldName(name) === 'sum') return `a sum of parts is sum(${value}.map(item, item.${attribute}))`;
  if (attribute !== '' && name === 'map') return `a part of each item is ${value}.map(item, item.${attribute})`;
  if (attribute !== '') return `objects are sorted by a part, as in ${value}.sortBy(item, item.${attribute})`;
  if (foldName(name) === 'sum' && /^["']\w/.test(more)) return `a sum of parts is sum(${value}.map(item, item.${more.slice(1, -1)}))`;
  if (name === 'sort' && /^["']\w/.test(more))
    return `objects are sorted by a part, as in ${value}.sortBy(item, item.${more.slice(1, -1)})`;
  if (/^(?:select|reject)(?:attr)?$/.test(name)) {
    const part = /^["']\w/.test(more) ? `.${more.slice(1, -1)}` : '';
    return `what fits is ${value}.filter(item, ${name.startsWith('r') ? `!(item${part} > 0)` : `item${part} > 0`})`;
  }
  if (name === 'append' || name === 'prepend') return `texts are joined by "+", as in ${value} + ${more === '' ? '"!"' : more}`;
  if (name === 'date' && /["']now["'] ?$/.test(before))
    return `a value is changed by a function, as in format($now, ${more === '' ? '"dd/MM/yyyy"' : fromPhp(toLuxon(more))})`;
  if (name === 'default') return `a default is written ${value} ?? ${more === '' ? '"none"' : more}`;
  if (name === 'money' || name === 'currency') return `a value is changed by a function, as in "S/ " + formatNumber(${value}, 2)`;
  const operator = pipedOperators.get(foldName(name));
  if (operator !== undefined) return `a number is changed by an operator, as in ${value} ${operator} ${/^\d/.test(more) ? more : 2}`;
  const remedy = name === 'date' || name === 'find' ? undefined : findRemedy(name === 'json' || name === 'tojson' ? 'stringify' : name);
  if (remedy !== undefined) return remedy;
  if (name === 'map' || name === 'where') return name === 'map' ? ofEach : 'what fits is list.filter(item, item > 0)';
  const called = name === 'date' ? 'format' : (findOtherName(name) ?? name);
  const calls = (inside: string): string => `a value is changed by a function, as in ${inside}`;
  if (called === '') return calls(`upper(${value})`);
  if (called === 'format') return calls(`format(${value}, ${more === '' ? '"dd/MM/yyyy"' : fromPhp(toLuxon(more))})`);
  if (called === 'formatNumber') return calls(`formatNumber(${value}, ${/^\d/.test(more) ? more : 2})`);
  return calls(`${called}(${[value, more, second].filter((part) => part !== '').join(', ')})`);
}

/** Tokens of `strftime`, as Luxon's. */
const strftimeTokens: ReadonlyMap<string, string> = new Map(
  Object.entries({
    d: 'dd',
    e: 'd',
    m: 'MM',
    b: 'MMM',
    B: 'MMMM',
    y: 'yy',
    Y: 'yyyy',
    H: 'HH',
    I: 'hh',
    M: 'mm',
    S: 'ss',
    p: 'a',
    a: 'ccc',
    A: 'cccc',
    F: 'yyyy-MM-dd',
    T: 'HH:mm:ss',
  }),
);

/** A pattern of `strftime` in quotes, such as `"%d/%m/%Y"`, with Luxon's tokens; any other as it is. */
const toLuxon = (quoted: string): string =>
  quoted.includes('%')
    ? JSON.stringify(
        quoted
          .slice(1, -1)
          .replaceAll(/%-([dmHIMS])|%([A-Za-z])|[A-Za-z]{1,30}/g, (all, short: string | undefined, token: string | undefined) =>
            short === undefined
              ? (strftimeTokens.get(token ?? '') ?? (token === undefined ? `'${all}'` : all))
              : (strftimeTokens.get(short) ?? '').slice(1),
          ),
      )
    : quoted;

/** Tokens of PHP and Twig, one letter each, as Luxon's. */
const phpTokens: ReadonlyMap<string, string> = new Map(
  Object.entries({
    d: 'dd',
    j: 'd',
    m: 'MM',
    n: 'M',
    M: 'MMM',
    F: 'MMMM',
    y: 'yy',
    Y: 'yyyy',
    H: 'HH',
    G: 'H',
    h: 'hh',
    g: 'h',
    i: 'mm',
    s: 'ss',
    A: 'a',
    D: 'ccc',
    l: 'cccc',
  }),
);

/** A pattern of PHP in quotes, such as `"d/m/Y"`, with Luxon's tokens; any other as it is. Luxon's own has no year of one letter, and no `i`. */
const fromPhp = (quoted: string): string =>
  /^["'](?:[djmnMFyYHGhgisADl](?![A-Za-z])|[^A-Za-z"'])+["']$/.test(quoted) && /[YFi]/.test(quoted)
    ? JSON.stringify(quoted.slice(1, -1).replaceAll(/[A-Za-z]/g, (token) => phpTokens.get(token) ?? token))
    : quoted;

const pipedOperators: ReadonlyMap<string, string> = new Map(
  Object.entries({ plus: '+', minus: '-', times: '*', multipliedby: '*', dividedby: '/', modulo: '%' }),
);

/** Several names that mean the same, in one text with blanks between them. */
const byName = (rows: readonly (readonly [names: string, meaning: string])[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(([names, meaning]) => names.split(' ').map((name) => [name, meaning] as const)));

/** Names of functions are compared without their case and `_`: `TODAY`, `date_add` and `dateAdd` are one. */
const foldName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Functions of other languages, by their names there, and those of this one. */
const otherNames = byName([
  ['touppercase uppercase upcase toupper ucase', 'upper'],
  ['tolowercase lowercase downcase tolower lcase', 'lower'],
  ['capitalize proper totitlecase titlecase ucwords', 'title'],
  ['length strlen count len counta countrows', 'size'],
  ['substr mb_substr', 'slice'],
  ['limit take head', 'slice'],
  ['nth elementat', 'get'],
  ['unix epoch timestampseconds', 'int'],
  ['tostring toisostring toiso str', 'string'],
  ['strip ltrim rtrim', 'trim'],
  ['normalize removeaccents removediacritics unaccent deburr', 'fold'],
  ['replaceall substitute', 'replace'],
  ['search strpos', 'indexOf'],
  ['sorted', 'sort'],
  ['unique uniq removeduplicates dedupe', 'distinct'],
  ['year', 'getFullYear'],
  ['month', 'getMonth'],
  ['day', 'getDate'],
  ['hour', 'getHours'],
  ['minute', 'getMinutes'],
  ['second', 'getSeconds'],
  ['weekday dayofweek', 'getDayOfWeek'],
  ['tolocalestring tofixed numberformat numberwithdelimiter intcomma thousands', 'formatNumber'],
  ['roundto', 'round'],
  ['tolocaledatestring tolocaletimestring', 'format'],
  ['roundup', 'ceil'],
  ['rounddown', 'floor'],
  ['trunc truncatenumber', 'math.trunc'],
  ['sqrt', 'math.sqrt'],
  ['parseint tointeger', 'int'],
  ['parsefloat float value tonumber tofloat', 'number'],
  ['boolean toboolean', 'bool'],
  ['formatdate dateformat strftime toformat formatdatetime', 'format'],
  ['test regexmatch regex regexp match ismatch', 'matches'],
  ['encodeuri urlencode encode escapeurl cgiescape', 'encodeURIComponent'],
]);

/** The function of this language that does what one of another does. */
export const findOtherName = (name: string): string | undefined => otherNames.get(foldName(name));

/** Functions of other languages that are none here, and how to say the same. */
const remedies = byName([
  ['if iif ifelse ifs cond switch choose case else elseif elif endif unless', choice],
  ['and', '"and" is written "&&", as in $context.n >= 1 && $context.n <= 9'],
  ['or', '"or" is written "||", as in $context.n < 1 || $context.n > 9'],
  ['not', '"not" is written "!", as in !has($context.name)'],
  ['isnull isnil isset defined isdefined isundefined isna', 'whether there is a value is has($context.name); a default is given with "??"'],
  ['isempty empty isblank isnotempty notempty', 'an empty text is "", as in ($context.name ?? "") == "", and an empty list has the size 0'],
  [
    'isnumber isstring istext isarray isobject isinteger isnan isinstance typeof gettype',
    'the type of a value is type($context.name) == string',
  ],
  [
    'now today moment dayjs luxon date getdate currentdate utcnow',
    '"$now" is the instant at which it is evaluated, as in format($now, "yyyy-MM-dd")',
  ],
  ['adddays addhours addminutes addmonths addyears dateadd edate adddate', 'a duration is added, as in $now + duration("P1D")'],
  ['mul multiply times', 'numbers are multiplied by "*", as in $context.n * 2'],
  ['div divide dividedby', 'numbers are divided by "/", as in $context.n / 2'],
  ['sub', 'a number is subtracted by "-", as in $context.n - 1'],
  [
    'greater greaterthan gt greaterorequals greaterthanorequal gte less lessthan lt lessorequals lessthanorequal lte',
    'values are compared by ">", "<", ">=" and "<=", as in $context.n > 1',
  ],
  ['notequals neq', 'values are compared by "!=", as in $context.name != "Ana"'],
  ['array createarray list makelist', 'a list is written in square brackets, as in [1, 2]'],
  ['startofday startofhour startofweek', 'the start of a day is startOf($now, "day")'],
  ['ticks', 'the seconds since 1970 are int($now)'],
  ['variables variable getvar getvariable', 'a variable is named behind its "$", as in $context.name'],
  ['body', 'the body of a request is $webhook.NODE.body, and that of an answer is where the node keeps it, as in $context.name.body'],
  ['add', '"+" adds numbers, and a duration to an instant, as in $now + duration("P1D")'],
  ['minus subtract subdays datesub', 'a duration is subtracted, as in $now - duration("P1D")'],
  [
    'datediff datedif diff difftodays daysbetween',
    'the time between two instants is their difference, as in timestamp("2031-04-03T09:00:00Z") - $now',
  ],
  [
    'fromiso todatetime todate strtotime parsedate datevalue',
    'a text with its zone is timestamp("2031-04-03T09:00:00Z"), a day and a time are instant("2031-04-03", "09:00")',
  ],
  ['setzone totimezone converttimezone tz', 'the zone is an argument, as in format($now, "HH:mm", "America/Lima")'],
  [
    'random rand randint randomint randomnumber randbetween randomitem randomchoice choice shuffle sample',
    'an expression gives the same again for the same values: a random node chooses a way',
  ],
  ['decimal bigdecimal todecimal', 'prices add up as they are, as in 19.99 + 5.01, and a product is rounded: round($context.n * 1.18, 2)'],
  ['default nvl ifnull ifempty iferror nullif coalesce', 'a default is given with "??", as in $context.name ?? "none"'],
  ['plural pluralize', 'one and many are told by a choice, as in $context.n == 1 ? "item" : "items"'],
  ['stringify tojson jsonencode', 'an object in a text with other characters is written as JSON'],
  ['equals eq exact', 'values are compared by "==", as in $context.name == "Ana"'],
  ['orderby sortedby usort', 'objects are sorted by a part with list.sortBy(item, item.price)'],
  [
    'groupby',
    'a group is list.filter(item, item.kind == "a"), and its sum sum(list.filter(item, item.kind == "a").map(item, item.price)); all groups at once take a code node',
  ],
  [
    'chunk flatten zip difference intersection union',
    'list.filter(item, item in $context.list) keeps what is in another list; what else is done with two lists takes a code node',
  ],
  ['where select reject', 'what fits is list.filter(item, item > 0)'],
  ['remove without except', 'a list without an item is list.filter(item, item != "a")'],
  ['listformat formatlist joinand tosentence humanlist sentencejoin', 'a list in words is join($context.list, ", ", " and ")'],
  ['currency formatcurrency money formatmoney', 'an amount is "S/ " + formatNumber($context.n, 2), with the sign that it has'],
  ['percent percentage topercent formatpercent', 'a percentage is round($context.n / $context.total * 100) + "%"'],
  ['clamp limitto bound', 'a number within bounds is min(max($context.n, 1), 9)'],
  ['between inrange isbetween', 'a number within bounds is $context.n >= 1 && $context.n <= 9'],
  ['oneof isin', 'one of several is $context.name in ["Ana", "Leo"]'],
  ['firstname givenname firstword', 'the first word of a text is split(trim($user.names ?? ""), " ")[0]'],
  ['lastname surname familyname lastword', 'the last word of a text is last(split(trim($user.names ?? ""), " "))'],
  [
    'ucfirst upperfirst sentencecase',
    'the first letter of each word is made large, as in title($context.name), and that of a text by upper(slice($context.name, 0, 1)) + slice($context.name, 1)',
  ],
  ['wordcount countwords words', 'the words of a text are size(split($context.text, " ").filter(word, word != ""))'],
  ['lines splitlines', 'the lines of a text are split($context.text, "\\n")'],
  ['mask maskcard redact obfuscate last4 lastfour lastdigits', 'what shows the last four signs alone is "****" + slice($context.name, -4)'],
  [
    'isemail validateemail',
    'an address is like($context.name, "^[^@ ]+@[^@ ]+[.][^@ ]+$"), and an ask node with the input email checks one',
  ],
  ['isnumeric isdigit', 'digits alone are like($context.name, "^[0-9]+$")'],
  [
    'regexreplace pregreplace regexmatchall matchall findall',
    'replace($context.name, "a", "b") changes a part as it stands; what fits a pattern is changed by a code node',
  ],
  [
    'isbefore isafter issame compare',
    'instants and days are compared by "<", ">" and "==", as in $now < timestamp("2031-04-03T09:00:00Z")',
  ],
  [
    'istoday istomorrow isyesterday',
    'a day is compared with today by $context.date == date($now), and with tomorrow by date($now + duration("P1D"))',
  ],
  [
    'isweekend isweekday isworkday isbusinessday',
    'Saturday and Sunday are getDayOfWeek($now, $user.timeZone ?? "UTC") in [0, 6], and a business-hours node knows holidays',
  ],
  [
    'nextworkday nextbusinessday addworkdays addbusinessdays workday',
    'a wait-until node with opening waits for the next opening hours, and date($now + duration("P1D")) is tomorrow',
  ],
  ['startofmonth firstofmonth beginningofmonth', 'the first day of this month is format($now, "yyyy-MM") + "-01"'],
  ['formattime timeformat', 'a time of day is format($now, "HH:mm", $user.timeZone ?? "UTC")'],
  ['nextweekday nextmonday nextday', 'the next Monday is date($now + duration("P" + string((7 - getDayOfWeek($now)) % 7 + 1) + "D"))'],
  [
    'parseurl url urlparse gethost hostname',
    'the host of an address is split($context.url, "/")[2], and what is behind its "?" split($context.url, "?")[1]',
  ],
  ['initials', 'the first letters of words are join(split(trim($context.name), " ").map(word, slice(word, 0, 1)))'],
  [
    'digits onlydigits digitsonly',
    'a number without its signs is number($context.text), and digits among letters are taken out by a code node',
  ],
  ['tomorrow', 'tomorrow is date($now + duration("P1D"))'],
  ['yesterday', 'yesterday is date($now - duration("P1D"))'],
  [
    'age getage yearsold yearsbetween',
    'an age is getFullYear($now) - int(slice($context.date, 0, 4)) - (format($now, "MM-dd") < slice($context.date, 5) ? 1 : 0)',
  ],
  [
    'humanize humanizeduration timeago fromnow tonow todistance formatduration',
    'a duration in words is made of numbers, as in int($context.n / 60) + " h " + $context.n % 60 + " min"',
  ],
  [
    'frommillis fromtimestamp fromunix',
    'an instant of seconds since 1970 is timestamp($context.n), and one of milliseconds timestamp($context.n / 1000)',
  ],
  ['quarter getquarter', 'the quarter is format($now, "q")'],
  ['ordinal', 'a number has no ending by itself: $context.n + "." is one'],
  [
    'merge assign extend spread defaults',
    'an object is written with its keys, as in {"name": $context.name}; two are joined by a code node',
  ],
  ['slugify slug', 'replace(fold($context.name), " ", "-") makes one of a text'],
  ['char chr newline nl br nl2br', 'a line break in a text is "\\n"'],
  ['countif countwhere', 'how many fit is size($context.list.filter(item, item > 0))'],
  ['sumif sumwhere sumby', 'a sum of parts is sum($context.items.map(item, item.price))'],
  ['days hours minutes seconds weeks months years timedelta interval', 'a duration is a text in a function, as in $now + duration("P1D")'],
  ['pop shift', 'an item is first($context.list), last($context.list) or $context.list[1]'],
  ['safe escape rawhtml e', 'a value is inserted as it is, and needs no function for that'],
  [
    'uuid guid newguid md5 sha1 sha256 hash hmac randomuuid atob base64decode',
    'what a code node or an api node makes, an expression reads',
  ],
  ['btoa base64encode', 'Base64 is base64(bytes($context.name))'],
  ['padstart padleft leftpad lpad zfill pad', 'digits in front are slice("00" + $context.n, -3)'],
  ['endof eomonth', 'the end of a day is the start of the next one: startOf($now + duration("P1D"), "day")'],
  ['push append', 'lists are joined by "+", as in $context.list + [7]'],
  ['concat concatenate textjoin', 'texts and lists are joined by "+", as in "Hello " + $context.name'],
  ['left truncate', 'the first three letters are slice($context.name, 0, 3)'],
  ['right', 'the last three letters are slice($context.name, -3)'],
  ['mid', 'letters from the second to the fourth are slice($context.name, 1, 4)'],
  ['text', 'formatNumber($context.n, 2) makes a text of a number, format($now, "HH:mm") one of an instant'],
  ['mod modulo iseven isodd', 'the remainder of a division is $context.n % 2'],
  ['pow power', noPower],
  ['average avg mean', 'an average is sum($context.list) / size($context.list)'],
  ['find', 'the first that fits is list.filter(item, item > 0).first(), and the place of a part of a text is indexOf($context.name, "a")'],
  [
    'vlookup xlookup hlookup lookup index',
    'a part is named by its key, as in $context["first name"], and what fits is list.filter(item, item > 0).first()',
  ],
  [
    'includes inlist',
    'whether a text has another one in it is contains($context.name, "an"), and whether a list has an item is "a" in $context.list',
  ],
  ['any some', 'whether an item fits is list.exists(item, item > 0)'],
  ['every', 'whether every item fits is list.all(item, item > 0)'],
  ['pluck', ofEach],
  ['items entries', 'keys(…) and values(…) make lists of an object'],
  ['reduce', 'sum, min, max and join take a whole list; what else goes through a list belongs into a code node'],
  ['foreach range enumerate for while', 'a list is gone through by map and filter, or by a for-each node'],
  ['parse fromjson parsejson jsonparse jsondecode', 'a text is read as JSON by json(bytes($context.text))'],
  ['extract extractemail regexextract striphtml stripnewlines repeat padend', 'a code node changes a text in other ways'],
  ['let var const assign set with', 'an expression assigns nothing: a set node keeps a value'],
  [
    'function lambda def return',
    'a list operation names its item, as in list.map(item, item.name); more than an expression is a code node',
  ],
  [
    'triggerbody triggeroutputs triggerbodytext outputs actionoutputs parameters iterationindexes formdata',
    'what a node keeps is read where it keeps it, as in $context.name, and the body of a request as $webhook.NODE.body',
  ],
  ['log print', 'a log node writes to the log'],
  ['fetch require import', 'an api node calls what is elsewhere'],
]);

/** How to say what a function of another language does, where a name alone does not. */
export const findRemedy = (name: string): string | undefined => remedies.get(foldName(name));

/** Words of other languages that stand for a value, in small letters, and those of this one. */
const words = byName([
  ['none nil undefined null', 'null'],
  ['blank empty', '""'],
  ['true', 'true'],
  ['false', 'false'],
]);

/** What stands before functions elsewhere, and such a function here. */
const libraries: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Math: 'round($context.n)',
    Object: 'keys($context.order)',
    JSON: 'json(bytes($context.text))',
    Date: 'format($now, "yyyy-MM-dd")',
    DateTime: 'format($now, "yyyy-MM-dd")',
    String: 'string($context.n)',
    Number: 'number($context.text)',
    Array: 'size($context.list)',
  }),
);

/** Names of other products for what has another one here. */
const scopes = byName([
  ['contact subscriber customer lead person profile', '$user'],
  ['firstname lastname fname lname fullname username name names nombre nombres apellido nome sobrenome', '$user.names'],
  ['phone phonenumber mobile telefono celular telefone', '$user.phone'],
  [
    'ctx vars variables flow session params results state json node workflow temp conversation slot slots widgets steps outputs',
    '$context',
  ],
  ['event msg incoming update activity', '$message'],
  ['today date time', '$now'],
  ['lastinputtext lastinput lastmessage lastutterance lastusermessage utterance userinput inputtext', '$message.text'],
  ['trigger body payload request', '$webhook'],
  ['itemindex loop forloop this self', '$item'],
  ['execution', '$context.executionId'],
]);

/** The names of durations as keys, as in `{ days: 1 }`. */
export const units: ReadonlySet<string> = new Set('days hours minutes seconds weeks months years'.split(' '));

/** The variable that another product calls so. @param name - without its `$` */
export const findScope = (name: string): string | undefined => scopes.get(foldName(name));

/** What to write instead of a name that is no variable. @param scopeNames - the variables that there are, each with its `$` */
export function describeName(name: string, scopeNames: readonly string[]): string {
  const value = words.get(name.toLowerCase());
  if (value !== undefined) return `"${name}" is written ${value.startsWith('"') ? value : `"${value}"`}`;
  if (units.has(name)) return 'a duration is a text in a function, as in duration("P1D")';
  const example = libraries.get(name);
  if (example !== undefined) return `"${name}" is not needed: a function stands alone, as in ${example}`;
  const scope = findScope(name) ?? scopeNames.find((known) => known.slice(1) === name.toLowerCase());
  const rule = 'variables start with "$", texts are in quotes';
  return scope === undefined ? `"${name}" is not a variable; ${rule}` : `"${name}" is written "${scope}": ${rule}`;
}
