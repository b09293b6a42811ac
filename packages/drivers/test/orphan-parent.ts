// Runs a function that loops for ever, says so once it does, and is then killed by the test.
import { createFunctionWorkers } from '../src/index.ts';

const looping = { companyId: '1', functionId: 'fn', source: 'export default () => { console.log("loops"); for (;;); };', deployment: 0 };
const say = (): void => console.log('loops');
void createFunctionWorkers({ log: { info: say, warn: () => undefined } }).call(looping, { body: null });
