// The entry of @hilo/testing/contracts: suites that every implementation passes.
export { describeCanvasStore } from './canvas-store.ts';
export { type ChannelStage, describeChannel, type Genuineness, type ProviderFailure, type ProviderMood } from './channel.ts';
export { describeEffectDriver, type DriverStage, type RemoteBehaviour } from './effect-driver.ts';
export {
  accepted,
  acceptedMessage,
  advance,
  commit,
  commitAll,
  contactChange,
  executionRecord,
  type Open,
  type Opened,
  queuedInAll,
  queuedItems,
  type RecordParts,
  saveAll,
  takeQueued,
} from './execution-records.ts';
export { describeExecutionStore } from './execution-store.ts';
export { recordedListener, type RecordedListener } from './lease-listener.ts';
export type { MemberStore, SharedPlace } from './lease-members.ts';
export { describeLeases } from './leases.ts';
export { describeRuntime } from './runtime.ts';
export { type RuntimeStage, stageOverStore } from './runtime-stage.ts';
