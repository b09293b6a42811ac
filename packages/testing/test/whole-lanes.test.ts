import { describeRuntime } from '../src/contracts/index.ts';
import { stageOfWholeLanes } from './whole-lanes.ts';

describeRuntime('an engine whose lanes are kept whole', async () => stageOfWholeLanes());
