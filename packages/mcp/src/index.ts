// The entry of @hilo/mcp: tools by which a coding agent works on canvases.
export { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
export { type AuthoringOptions, authoringTools, createAuthoringServer } from './authoring-server.ts';
export type { AuthoringBackend, BackendAnswer, BackendRequest } from './backend.ts';
export { type CallBudget, createCallBudget } from './budget.ts';
export { type Docs, openDocs } from './docs.ts';
export { serveStdio } from './serve-stdio.ts';
export type { SimulationOutcome, SimulationReport, SimulationTask } from './simulation.ts';
