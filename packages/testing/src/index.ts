export { arbitraries } from './arbitraries/arbitraries.ts';
export type { BrokenCanvas } from './arbitraries/broken-canvases.ts';
export type { BrokenMessage } from './arbitraries/broken-messages.ts';
export type { CanvasJson, EdgeJson, NodeJson } from './arbitraries/build-canvas.ts';
export type { CanvasFamily, CanvasOptions } from './arbitraries/canvases.ts';
export { eventOf, type Move } from './arbitraries/execution-events.ts';
export type { NodeType } from './arbitraries/node-configs.ts';
export type { BrokenUserId } from './arbitraries/user-ids.ts';

export { type CanvasPath, type CanvasPaths, pathsOf, type PathOptions, type PortCoverage, uncoveredPorts } from './paths-of.ts';
export { createVirtualClock, type VirtualClock, virtualStartMs } from './virtual-clock.ts';
export { seededRandom } from './seeded-random.ts';
export { visit, type Visited, type VisitOptions } from './visit.ts';

export type { Conversation } from './simulation/conversation.ts';
export { drawMessage } from './simulation/draw-message.ts';
export {
  createRecordingDrivers,
  type Fault,
  type RecordedCall,
  type RecordingDrivers,
  type RecordingOptions,
} from './simulation/recording-drivers.ts';
export { sampleAnswer } from './simulation/sample-answers.ts';
export type { OperatorAct } from './simulation/desk.ts';
export type { ApiAnswer, ApiFailure } from './simulation/scripted-api.ts';
export { type EarlierTalk, type SimulatedCompany, type Simulation, simulate, type SimulationOptions } from './simulation/simulate.ts';
export { type SimulatedUser, type SimulationObserver, simulatedIds } from './simulation/world.ts';

export { type FaultKind, type FaultRates, faultKinds } from './cluster/faults.ts';
export { type ClusterMode, clusterModes, type ClusterPlan, type Command } from './cluster/plan.ts';
export { type RareState, rareStates } from './cluster/rare-states.ts';
export { createSharedStore, type SharedStore, type SharedStoreOptions, type StoreConnection } from './cluster/shared-store.ts';
export { shrinkCluster } from './cluster/shrink-cluster.ts';
export { type ClusterOptions, type ClusterReport, type Finding, simulateCluster } from './cluster/simulate-cluster.ts';
export type { Answer, CommitMade, EffectMade, EngineFault, Evidence } from './cluster/evidence.ts';

export { readInput } from './script/read-input.ts';
export { replayScript, replayTalk } from './script/replay-script.ts';
export { parseScript, ScriptError, type ScriptLine } from './script/script.ts';
export { InputError, type ScriptInput, userMessage, type WebhookInput } from './script/script-input.ts';
export { readDuration, writeDuration } from './script/short-duration.ts';
export { writeInput } from './script/write-input.ts';
