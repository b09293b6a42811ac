export { createSandbox, type SandboxAnswer, type SandboxOptions, type SandboxRun, sandboxLimits } from './sandbox.ts';
