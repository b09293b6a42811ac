// Rows of 1 kB in a process of its own: `raw-process.ts URL`. It is told how many, and answers how long they took.
import { answerParent } from '../processes.ts';
import { rawPostgres } from './floor.ts';

const [url = ''] = process.argv.slice(2);

process.send?.({});
answerParent(async (rows: number) => ({ perSecond: await rawPostgres(url, rows) }));
