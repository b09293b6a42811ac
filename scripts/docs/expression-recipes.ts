// What authors want to write most often, with the expression for it: a table of docs/expressions.md, every row of which is run in every place that
// evaluates expressions (tests/properties/one-meaning.test.ts).
import type { Json, JsonObject } from '../../packages/engine/src/contract/index.ts';

/** The variables that the recipes are shown with. */
export const recipeContext: JsonObject = {
  price: 19.9,
  n: 3,
  total: 1234.5,
  paid: 300,
  birthday: '1990-05-17',
  due: '2026-12-24',
  time: '15:30',
  opened: '2026-12-01T15:00:00Z',
  minutes: 95,
  answer: 'Sí!',
  choice: '2',
  comment: ' the quick  brown fox ',
  code: 'ABC-123',
  card: '4111111111111111',
  email: 'Ana.Lopez@Example.com',
  options: ['red', 'green', 'blue'],
  tags: ['a', 'b', 'a'],
  items: [
    { name: 'Tea', kind: 'drink', price: 8, count: 2 },
    { name: 'Cake', kind: 'food', price: 15.25, count: 1 },
    { name: 'Café', kind: 'drink', price: 7.5, count: 1 },
  ],
  order: { id: 7, status: 'paid', address: null },
  json: '{"id": 7, "lines": ["x"]}',
};

/** The user of the recipes. */
export const recipeUser = { names: 'Ana María López Ruiz', timeZone: 'America/Lima', locale: 'es-PE' };

/** The time of the recipes: a Friday, 17:30 in the zone of the user. */
export const recipeNow = '2026-12-04T22:30:00.000Z';

/** One wish: in words that authors look for, with the expression and what it gives with the variables above. */
export type Recipe = readonly [wish: string, source: string, value: Json];

/** The recipes, by their subject. */
export const recipes: { readonly [subject: string]: readonly Recipe[] } = {
  'Amounts and numbers': [
    ['Money with two decimals, in the notation of the user', '"S/ " + formatNumber($context.total, 2)', 'S/ 1,234.50'],
    ['The same in another notation', 'formatNumber($context.total, 2, "pt-BR") + " R$"', '1.234,50 R$'],
    ['A price with a tax or a discount, rounded to cents', 'round($context.price * 1.18, 2)', 23.48],
    ['A percentage', 'round($context.paid / $context.total * 100) + "%"', '24%'],
    ['The total of a cart: price times count of each line', 'sum($context.items.map(item, item.price * item.count))', 38.75],
    ['An average', 'round(sum($context.items.map(item, item.price)) / size($context.items), 2)', 10.25],
    ['The highest and the lowest', 'max($context.items.map(item, item.price)) - min($context.items.map(item, item.price))', 7.75],
    ['A number within bounds (clamp)', 'min(max($context.n, 1), 2)', 2],
    ['Whether a number is between two others', '$context.n >= 1 && $context.n <= 5', true],
    ['A text to a number, or 0', 'number($context.choice ?? "0") + 1', 3],
    ['A counter that may not be there yet', '($context.visits ?? 0) + 1', 1],
    ['Zeros in front (padding)', 'slice("000" + $context.n, -3)', '003'],
    ['An even or an odd number', '$context.n % 2 == 0 ? "even" : "odd"', 'odd'],
  ],
  'Names and texts': [
    ['The first name of a full name, or a default', 'split(trim($user.names ?? "friend"), " ")[0]', 'Ana'],
    ['The last word of a text', 'last(split($user.names, " "))', 'Ruiz'],
    ['Every word with a capital letter', 'title("ana maría")', 'Ana María'],
    [
      'Only the first letter large',
      'upper(slice($context.comment.trim(), 0, 1)) + slice($context.comment.trim(), 1)',
      'The quick  brown fox',
    ],
    ['Count the words', 'size(split($context.comment, " ").filter(word, word != ""))', 4],
    ['Several blanks to one', 'join(split($context.comment, " ").filter(word, word != ""), " ")', 'the quick brown fox'],
    ['Cut a long text', 'size($user.names) > 10 ? slice($user.names, 0, 9) + "…" : $user.names', 'Ana María…'],
    ['Mask all but the last four digits of a number', '"**** " + slice($context.card, -4)', '**** 1111'],
    ['What is before or after a sign', 'split($context.email, "@")[1]', 'Example.com'],
    ['A yes, whatever its letters, accents and signs', 'fold($context.answer) in ["si", "yes", "ok"]', true],
    ['Whether a text has a word in it, in any case', 'contains(lower($context.comment), "brown")', true],
    ['Whether a text fits a pattern (regular expression)', 'like($context.code, "^[A-Z]{3}-[0-9]+$")', true],
    ['Leave out signs', 'replace(replace("51 999-000", " ", ""), "-", "")', '51999000'],
    ['Texts and values put together', '"%s owes %.2f".format([$user.names, $context.total])', 'Ana María López Ruiz owes 1234.50'],
  ],
  'Choices and defaults': [
    ['If and else', '$context.n > 1 ? "many" : "one"', 'many'],
    ['Several cases', '$context.n == 0 ? "none" : $context.n < 3 ? "few" : "many"', 'many'],
    ['A word for each value (lookup)', '{"paid": "Paid ✅", "sent": "On its way"}[$context.order.status] ?? "Unknown"', 'Paid ✅'],
    ['One item, many items (plural)', '$context.n + ($context.n == 1 ? " item" : " items")', '3 items'],
    ['A default for what is missing or null', '$context.order.address.street ?? "no address"', 'no address'],
    ['A default for an empty text too', '($context.nickname ?? "") == "" ? "friend" : $context.nickname', 'friend'],
    ['Whether there is a value', 'has($context.order.id)', true],
    ['One of several', '$context.order.status in ["paid", "sent"]', true],
  ],
  Lists: [
    ['A list in words: a, b and c', 'join($context.options, ", ", " and ")', 'red, green and blue'],
    [
      'One line for each item',
      'join($context.items.map(item, "• " + item.name + ": " + formatNumber(item.price, 2)), "\\n")',
      '• Tea: 8.00\n• Cake: 15.25\n• Café: 7.50',
    ],
    [
      'The same with numbers in front',
      'join($context.items.transformList(i, item, (i + 1) + ". " + item.name), "\\n")',
      '1. Tea\n2. Cake\n3. Café',
    ],
    ['The item that the user chose by its number', '$context.options[int($context.choice) - 1] ?? "none"', 'green'],
    ['The first and the last item', 'first($context.options) + "-" + last($context.options)', 'red-blue'],
    ['The items that fit (filter)', '$context.items.filter(item, item.price < 10).map(item, item.name)', ['Tea', 'Café']],
    ['The one item that fits (find)', '$context.items.filter(item, item.name == "Cake").first().price ?? 0', 15.25],
    ['How many fit', 'size($context.items.filter(item, item.kind == "drink"))', 2],
    ['Whether a list has an item', '"a" in $context.tags', true],
    ['Whether any item fits, or all do', '$context.items.exists(item, item.price > 10) && $context.items.all(item, item.price > 0)', true],
    ['Sort by a part', '$context.items.sortBy(item, item.price).map(item, item.name)', ['Café', 'Tea', 'Cake']],
    ['Sort downwards', 'reverse($context.items.sortBy(item, item.price)).map(item, item.name)', ['Cake', 'Tea', 'Café']],
    ['The cheapest', '$context.items.sortBy(item, item.price).first().name', 'Café'],
    ['Each value once (unique)', 'distinct($context.tags)', ['a', 'b']],
    ['The sum of one group', 'sum($context.items.filter(item, item.kind == "drink").map(item, item.price))', 15.5],
    ['One more item, or one less', '($context.options + ["black"]).filter(item, item != "red")', ['green', 'blue', 'black']],
    ['Whether a list is empty, or missing', 'size($context.cart ?? []) == 0', true],
    [
      'Options of an ask node',
      '$context.items.map(item, {"title": item.name, "payload": item.name})',
      [
        { title: 'Tea', payload: 'Tea' },
        { title: 'Cake', payload: 'Cake' },
        { title: 'Café', payload: 'Café' },
      ],
    ],
  ],
  'Dates and times': [
    ['Today, tomorrow', 'date($now) + " / " + date($now + duration("P1D"))', '2026-12-04 / 2026-12-05'],
    ['A date in words, in the language of the user', 'format($now, "cccc d \'de\' MMMM")', 'viernes 4 de diciembre'],
    [
      'The same in another zone and language',
      'format($now, "cccc, d \'de\' MMMM", "America/Sao_Paulo", "pt")',
      'sexta-feira, 4 de dezembro',
    ],
    ['The time of day in the zone of the user', 'time($now)', '17:30'],
    [
      'Good morning, good evening',
      'time($now) < "12:00" ? "Good morning" : time($now) < "19:00" ? "Good afternoon" : "Good evening"',
      'Good afternoon',
    ],
    ['Whether it is a weekend', 'getDayOfWeek($now, $user.timeZone ?? "UTC") in [0, 6]', false],
    ['Tomorrow at 9:00 of the user', 'instant(date($now + duration("P1D")), "09:00")', '2026-12-05T14:00:00.000Z'],
    [
      'The next working day at 9:00, holidays aside',
      'instant(date($now + duration({"5": "P3D", "6": "P2D"}[format($now, "c")] ?? "P1D")), "09:00")',
      '2026-12-07T14:00:00.000Z',
    ],
    ['A day and a time that the user gave, as an instant', 'instant($context.due, $context.time)', '2026-12-24T20:30:00.000Z'],
    ['How many days are left', 'int(getHours(instant($context.due, "00:00") - startOf($now, "day")) / 24)', 20],
    ['Whether a day is past', '$context.due < date($now)', false],
    ['How long ago: hours since an instant', 'getHours($now - timestamp($context.opened))', 79],
    ['Whether more than a day has gone by', '$now - timestamp($context.opened) > duration("P1D")', true],
    [
      'The age of a person, by their birthday',
      'getFullYear($now) - int(slice($context.birthday, 0, 4)) - (format($now, "MM-dd") < slice($context.birthday, 5) ? 1 : 0)',
      36,
    ],
    ['A duration in words', 'int($context.minutes / 60) + " h " + $context.minutes % 60 + " min"', '1 h 35 min'],
    ['A duration of a number', 'duration($context.minutes + "m")', '5700s'],
    ['The last day of the month', 'date(plus(startOf($now, "month"), "P1M") - duration("P1D"))', '2026-12-31'],
    ['The same day of the next month', 'date(plus($now, "P1M"))', '2027-01-04'],
  ],
  'JSON and addresses': [
    ['JSON text to a value', 'json(bytes($context.json)).lines[0]', 'x'],
    [
      'An object for the body of a call',
      '{"name": $user.names, "lines": $context.items.map(item, item.name)}',
      { name: 'Ana María López Ruiz', lines: ['Tea', 'Cake', 'Café'] },
    ],
    ['A key that is in a variable', 'get({"red": 1, "green": 2}, $context.options[1], 0)', 2],
    [
      'A query string outside of an address field',
      '"?q=" + encodeURIComponent($user.names) + "&n=" + $context.n',
      '?q=Ana%20Mar%C3%ADa%20L%C3%B3pez%20Ruiz&n=3',
    ],
  ],
};
