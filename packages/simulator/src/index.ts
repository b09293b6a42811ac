// The entry of @hilo/simulator: conversations with canvases in virtual time.
export { agentsOf, type Breach, type Explored, exploreAgent, type ExploreAgentOptions, followAnswers } from './agents/explore-agent.ts';
export {
  agentConfigOf,
  type ModelAnswer,
  modelAlphabet,
  modelCalls,
  modelExits,
  modelFails,
  modelSays,
} from './agents/model-answers.ts';
export { type CanvasInputOf, conversationFor, inputsOf } from './inputs-of.ts';
export {
  type CanvasPath,
  type CanvasPaths,
  pathsOf,
  type PathOptions,
  type PortCoverage,
  requireCoverage,
  uncoveredPorts,
} from './paths-of.ts';
export { createVirtualClock, type VirtualClock, virtualStartMs } from './virtual-clock.ts';
export { seededRandom } from './seeded-random.ts';
export { visit, type Visited, type VisitOptions } from './visit.ts';

export type { CompanyDirectory } from './simulation/company-directory.ts';
export type { Conversation } from './simulation/conversation.ts';
export { drawMessage } from './simulation/draw-message.ts';
export type { Fault, RecordedCall } from './simulation/recorded-call.ts';
export { createRecordingDrivers, type RecordingDrivers, type RecordingOptions } from './simulation/recording-drivers.ts';
export { coverPorts, type CoveringTalk, findTalkTo, type PortCover } from './explore/cover.ts';
export { type Dialogue, dialogueLimits, dialogueOf, dialoguesOf } from './explore/dialogue.ts';
export { explore, type Exploration, type ExploreOptions } from './explore/explore.ts';
export { sampleAnswer } from './simulation/sample-answers.ts';
export type { OperatorAct } from './simulation/desk.ts';
export { type ApiAnswer, type ApiFailure, apiFailures } from './simulation/scripted-api.ts';
export { type SimulatedCompany, type Simulation, simulate, type SimulationOptions } from './simulation/simulate.ts';
export { type SimulatedUser, type SimulationObserver, simulatedIds } from './simulation/world.ts';

export { readInput } from './script/read-input.ts';
export { atLine, parseScript, replayScript, replayTalk, type ScriptLine } from './script/script.ts';
export { type ScriptInput, userMessage, type WebhookInput } from './script/script-input.ts';
export { readDuration, writeDuration } from './script/line-text.ts';
export { writeInput } from './script/write-input.ts';
