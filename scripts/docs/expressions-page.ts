import { expressionLanguage, type LanguageGroup } from '../../packages/engine/src/contract/index.ts';

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
  return `${introduction}\n${tables.join('\n')}`;
}

/** Inside a table a bar separates cells, be it in code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const introduction = `# Expressions

What stands between \`{{\` and \`}}\` in any text of a canvas is an expression. A text that is one single expression keeps the kind of its
value; inside a longer text, texts stand as they are, null as nothing, the rest as JSON. The syntax is that of
[CEL](https://cel.dev), with \`$scope\` names and \`left ?? right\`; there is one kind of number, JSON's. This page is made by
\`npm run generate\` from the language itself, and a test runs its examples.

\`f(a, b)\` and \`a.f(b)\` are the same call. A question mark behind a parameter means that it may be left out, three points that more may
follow. Keys are own keys alone, and \`get(object, key)\` reads those that a path refuses: \`constructor\` and \`prototype\`. A path that is
missing is an error, with cause \`EXPRESSION\`: \`??\` gives a default. So is what does not fit; what fails whatever the variables hold is
refused when the canvas is checked. A position in a text counts characters as \`size\` does: a pair of surrogates is one.

A list operation goes through at most 1,000 items of a variable, and does not stand inside another one. What one expression looks at and
makes has a bound, some 50 ms of work, and so have all of them between two waits.

## Scopes

| scope | what it holds, and when |
| --- | --- |
| \`$webhook.<name>\` | the request that entered by the webhook node of that variable name: \`body\`, \`headers\`, \`query\`, \`method\`, \`mode\` (\`new\` or \`resume\`), \`executionId\`, \`isNewExecution\` |
| \`$context\` | what the canvas writes (\`set\`, \`saveAs\`), its defaults, and \`executionId\` |
| \`$memory\` | what is kept of the user between executions, with a time to live; an object or a list stays for one day at most, a text or a number without a bound |
| \`$user\` | the user: \`id\`, and what the channel and the workspace say of them: \`names\`, \`phone\`, \`timeZone\`, \`locale\`; null where nobody said it |
| \`$message\`, \`$messages\` | the last message of the user: \`type\`, \`text\`, \`payload\` (of the option that was chosen), \`mediaUrl\`, \`filename\`, \`coordinates\`, \`contacts\`; and all of a burst (\`collect\`) |
| \`$input\` | the inputs of a tool, a child or a start with inputs |
| \`$output\` | what a child workflow ended with |
| \`$item\` | the item of the \`for-each\` around |
| \`$error\` | behind a port \`error\` and in \`catch\`: \`cause\` (such as \`TIMEOUT\`), \`message\`, \`nodeId\` and \`attempt\` (from 1) of what failed, and what the cause adds (\`status\`, for example); after a \`workflow\` node, those of the child's failure |
| \`$bot\`, \`$company\` | the bot and the company of the execution |
| \`$now\` | the instant of the event that is being handled; a replay reads the recorded one, and a retry of a node that of its first try |

## Time and zones

In JSON a timestamp is a text in ISO 8601 in UTC, and a duration one such as \`90s\`; a saved timestamp fits where a timestamp is wanted.
The zone is the argument, else \`$user.timeZone\`, else \`$company.timeZone\`, else UTC; CEL's own \`get…\` functions read UTC where none is
given. \`{{format($now, "HH:mm", "America/Lima")}}\` is the time of day there.
`;
