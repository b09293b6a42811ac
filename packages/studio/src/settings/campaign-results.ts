// Who of the results of a campaign did not read it: the audience of another one.

/** The lines of a CSV whose quotes are those of the service: a quote inside of one is doubled. */
const line = /(?:"(?:[^"]|"")*"|[^"\r\n])+/g;
/** The first two columns of a line: who, and what became of it. */
const columns = /^("(?:[^"]|"")*"|[^",]*),("(?:[^"]|"")*"|[^",]*)/;

/** @param results - as the service answers them: user, status, … */
export function unreadOfResults(results: string): string {
  const users = [...results.matchAll(line)].flatMap(([text]) => {
    const [, user = '', status = ''] = columns.exec(text) ?? [];
    return status === 'sent' || status === 'delivered' ? [user] : [];
  });
  return ['user', ...users].join('\n');
}
