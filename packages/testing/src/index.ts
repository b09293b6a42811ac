// The entry of @hilo/testing: simulations and arbitraries for tests.
export { type Breach, type Explored, exploreAgent, type ExploreAgentOptions, followAnswers } from '@hilo/simulator';
export { type ModelAnswer, modelCalls, modelExits, modelFails, modelSays } from '@hilo/simulator';
export { arbitraries, type BrokenUserId } from './arbitraries/arbitraries.ts';
export type { BrokenCanvas } from './arbitraries/broken-canvases.ts';
export type { BrokenMessage } from './arbitraries/broken-messages.ts';
export type { CanvasJson, EdgeJson, NodeJson } from './arbitraries/build-canvas.ts';
export type { CanvasFamily, CanvasOptions } from './arbitraries/canvases.ts';
export { eventOf, type Move } from './arbitraries/execution-events.ts';
export type { NodeType } from './arbitraries/node-configs.ts';

export {
  type ApiAnswer,
  type ApiFailure,
  type CanvasPath,
  type CanvasPaths,
  type Conversation,
  createRecordingDrivers,
  createVirtualClock,
  drawMessage,
  type Fault,
  type OperatorAct,
  parseScript,
  type PathOptions,
  pathsOf,
  type PortCoverage,
  readDuration,
  readInput,
  type RecordedCall,
  type RecordingDrivers,
  type RecordingOptions,
  replayScript,
  replayTalk,
  sampleAnswer,
  type ScriptInput,
  type ScriptLine,
  seededRandom,
  simulate,
  type SimulatedCompany,
  type SimulatedUser,
  simulatedIds,
  type Simulation,
  type SimulationObserver,
  type SimulationOptions,
  uncoveredPorts,
  userMessage,
  virtualStartMs,
  type VirtualClock,
  visit,
  type Visited,
  type VisitOptions,
  type WebhookInput,
  writeDuration,
  writeInput,
} from '@hilo/simulator';
