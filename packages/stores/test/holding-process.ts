// Opens a store, writes to it, says so and holds it until it is killed.
import { openSqliteStore } from '../src/index.ts';
import { fillStore } from './filled-store.ts';

const [path = ''] = process.argv.slice(2);
await fillStore(await openSqliteStore({ path }));
console.log('open');
setInterval(() => {}, 60_000);
