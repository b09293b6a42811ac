// The entry of @hilo/sandbox: JavaScript of canvases in an engine without I/O.
export { createSandbox, type SandboxAnswer, type SandboxOptions, type SandboxRun, sandboxLimits } from './sandbox.ts';
export { workedMs } from './worked-ms.ts';
