// Writes the page of the docs about the expression language from what the language says of itself.
import {
  celDifferences,
  expressionLanguage,
  type Json,
  type JsonObject,
  type LanguageGroup,
} from '../../packages/engine/src/contract/index.ts';
import { recipeContext, recipeNow, recipes, recipeUser } from './expression-recipes.ts';

const groups: { readonly [group in LanguageGroup]: string } = {
  operators: 'Operators',
  texts: 'Texts',
  numbers: 'Numbers',
  lists: 'Lists',
  objects: 'Objects',
  time: 'Time',
  conversions: 'Conversions',
  bytes: 'Bytes',
};

/** The documentation of the expression language, in Markdown. */
export function expressionsPage(): string {
  const tables = Object.entries(groups).map(([group, title]) => {
    const rows = expressionLanguage
      .filter((part) => part.group === group)
      .map(({ forms, gives, says, examples }) => {
        const shown = examples.map(([source, value]) => `${code(source)} → ${code(JSON.stringify(value))}`).join('<br>');
        return `| ${forms.map(code).join('<br>')} | ${gives} | ${says} | ${shown} |`;
      });
    return `## ${title}\n\n| form | gives | what it does | examples |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  const differences = celDifferences.map(({ says, examples }) => {
    const shown = examples.map(([source, value]) =>
      value === null ? `${code(source)} is refused` : `${code(source)} → ${code(JSON.stringify(value))}`,
    );
    return `| ${says} | ${shown.join('<br>')} |`;
  });
  const differing = `## Differences from CEL\n\n| what differs | examples |\n| --- | --- |\n${differences.join('\n')}\n`;
  return `${introduction}\n${recipesSection()}\n${reference}\n${[...tables, differing].join('\n')}`;
}

/** What authors want to write, by subject. */
function recipesSection(): string {
  const tables = Object.entries(recipes).map(([subject, rows]) => {
    const lines = rows.map(([wish, source, value]) => `| ${wish} | ${code(source)} | ${code(JSON.stringify(value))} |`);
    return `### ${subject}\n\n| you want | write | it gives |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  const given = Object.entries<Json | JsonObject>({
    ...prefixed('$context', recipeContext),
    ...prefixed('$user', recipeUser),
    $now: recipeNow,
  });
  const shown = given.map(([path, value]) => `| ${code(path)} | ${code(JSON.stringify(value))} |`).join('\n');
  return `${recipesIntroduction}\n${tables.join('\n')}\n### The variables of the recipes\n\n| variable | value |\n| --- | --- |\n${shown}\n`;
}

const prefixed = (scope: string, values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${scope}.${name}`, value]));

/** Inside a table a bar separates cells, be it in code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const introduction = `# Expressions

Any text of a canvas may contain expressions between \`{{\` and \`}}\`. The syntax is that of [CEL](https://cel.dev), with \`$scope\` names and
\`left ?? right\`; there is one type of number, that of JSON. \`npm run generate\` writes this page from the language itself, and a test runs its
examples.

- **Values.** If the whole text is one expression, the value keeps its type. Inside a longer text, a text is inserted as it is, null as nothing, and
  any other value as JSON.
- **Calls.** \`f(a, b)\` and \`a.f(b)\` are the same call. In the tables below, a question mark after a parameter means that it is optional, three dots
  that more may follow.
- **Numbers** keep their digits. Amounts that are added, subtracted or multiplied have the decimal places of their terms, so that prices give
  prices; \`round(x, 2)\` rounds what a division gives. A whole number beyond 9007199254740991 is an error in an expression. In JSON from outside,
  such as a body or an answer, it is the text of its digits, so that an id stays the id that it was: compare it with a text.
- **Missing numbers.** \`sum\`, \`min\` and \`max\` of a list in which a number is missing or null are an error, which \`??\` around them does not
  handle: give that number its default, as in \`sum($context.items.map(i, i.price ?? 0))\`.
- **Keys.** Only an object's own keys can be read. \`constructor\` and \`prototype\` are refused in a path; \`get(object, key)\` reads them.
- **Addresses.** In \`url\` of \`api\` and \`soap\`, \`mediaUrl\`, \`url\` and \`link\` of a message, the \`url\` of a file that \`api\` sends, the header \`Location\`
  of \`respond\` and \`header.link\` of a template, the value of an expression behind the host is percent-encoded: it is one segment of the path,
  one name or value of the query, or the fragment, whatever a user wrote. A segment that comes out empty, as null, \`.\` or \`..\` is an error with
  cause \`EXPRESSION\`. An expression that begins the text makes the whole address, or its beginning, and is not encoded; one in the host must be
  a part of its name. \`encodeURIComponent(…)\` around a whole expression is not encoded again, and \`raw(…)\` inserts a value as it is.
- **Errors.** A missing path is an error with cause \`EXPRESSION\`; provide a default with \`??\`. A value of the wrong type is an error too. An
  expression that always fails, regardless of the variables, is refused when the canvas is checked.
- **Other notations**, such as \`{name}\`, \`[[name]]\`, \`\${name}\` and \`%name%\`, are no expressions: a user reads them as they stand. The check warns of one and
  offers the expression that it most likely is (\`PATH_AS_TEXT\`), except in code between backticks.
- **Positions** in a text count characters as \`size\` does: a pair of surrogates is one.
- **Limits.** A list operation processes at most 1,000 items of a variable, and cannot contain another list operation. The work of one expression is
  bounded to some 50 ms, and so is that of all expressions between two waits.

`;

const recipesIntroduction = `## Recipes

Each row is an expression to be put between \`{{\` and \`}}\`, with what it gives for [these variables](#the-variables-of-the-recipes). What changes
a text by a pattern, groups a list by all its kinds, or makes a hash or an id is done by a [\`code\`](nodes/code.md) node, and a choice by chance by a
[\`random\`](nodes/random.md) node; the time when a shop opens next is known by [\`wait-until\`](nodes/wait-until.md) with \`opening\`, with its holidays.
`;

const reference = `## Scopes

| scope | what it holds, and when |
| --- | --- |
| \`$webhook.<name>\` | the request that the webhook node with that variable name received: \`body\`, \`headers\`, \`query\`, \`method\`, \`mode\` (\`new\` or \`resume\`), \`executionId\`, \`isNewExecution\` |
| \`$context\` | values that the canvas writes (\`set\`, \`saveAs\`), declared defaults, and \`executionId\` |
| \`$memory\` | values of the user that are kept between executions, with a time to live: an object or a list for at most one day, a text or a number without a limit |
| \`$user\` | the user: \`id\`, and from the channel or the workspace \`names\` and \`phone\`, null if unknown, and \`timeZone\`, \`locale\` and \`fields.KEY\`, missing if unknown: give a default |
| \`$message\`, \`$messages\` | the last message of the user: \`type\`, \`text\`, \`payload\` (of the chosen option), \`mediaUrl\`, \`filename\`, \`coordinates\`, \`contacts\`; and all messages that a \`collect\` node gathered |
| \`$input\` | the inputs of a tool, a child or a start with inputs |
| \`$output\` | the outputs of a child workflow |
| \`$item\` | the current item of the enclosing \`for-each\` |
| \`$tool\` | in the question of a tool of an \`agent\` alone: the inputs of the call that the user is asked about |
| \`$error\` | after a port \`error\` and in \`catch\`: \`cause\` (such as \`TIMEOUT\`), \`message\`, \`nodeId\` and \`attempt\` (from 1) of the failure, and fields of the cause (\`status\`, for example); after a \`workflow\` node, those of the child's failure |
| \`$bot\`, \`$company\` | the bot and the company of the execution |
| \`$now\` | the time of the event that is being processed; a replay reads the recorded time, and a retry of a node the time of its first attempt |

## Time and zones

In JSON, a timestamp is a text in ISO 8601 in UTC, and a duration is a text such as \`90s\`. A timestamp that was saved as a text is accepted as a
timestamp.

The zone of a function is its argument, else \`$user.timeZone\`, else \`$company.timeZone\`, else UTC; CEL's own \`get…\` functions default to UTC.
For example, \`{{format($now, "HH:mm", "America/Lima")}}\` is the time of day in Lima.
`;
