// Refusals of management, in the words of the command line: they name fields of a body and routes, for which a command has flags and commands.

/** What is said to a caller over HTTP, and what a person at the terminal writes instead. */
const remedies: readonly (readonly [said: string, written: string])[] = [
  [
    'companyId: there are several companies: choose one, such as ?companyId=',
    'there are several companies: choose one, such as --company ',
  ],
  ['filter: FILTER_EMPTY: ', ''],
  ['give it workflowId, userId, from, to or olderThan', 'give it --workflow, --user, --from, --to or --older-than'],
  ['give it workflowId, whose', 'give it --workflow, whose'],
  ['give it nodeId, where', 'give it --node, where'],
  ['add again: true to', 'add --again to'],
  ['(keys: "new")', '(--keys new)'],
  ['fork with "enter"', 'hilo executions fork with --enter'],
  ['or enter a node with set', 'or hilo executions fork with --enter and --set'],
  ['GET /admin/v1/jobs lists them', 'hilo jobs list shows them'],
  ['PUT a canvas here to make it', 'hilo import FILE brings workflows in'],
  ['POST /admin/v1/workspace or hilo import FILE', 'hilo import FILE'],
];

/** A refusal as somebody who gave a command can follow it. */
export function sayWithFlags(sentence: string): string {
  const plain = remedies.reduce((text, [said, written]) => text.replace(said, () => written), sentence);
  return plain
    .replace(/GET \/admin\/v1\/companies\/[^ /]{1,128}\/starts lists them/, 'hilo schedules shows them')
    .replace(/"set": \{"(\$[^"]{1,200})": "…"\}/, "--set '$1=…'");
}
