// For what helps authors of canvases, such as an editor, a linter or a server of tools: describes a canvas for a picture, compares two,
// applies fixes, lists what a canvas refers to, and finds the place of a fault in its text. `checkCanvas` of `@hilo/engine` finds problems.
export { applyPatch } from './canvas/apply-patch.ts';
export { compareCanvases, type Comparison } from './canvas/compare.ts';
export { type CanvasDescription, type DescribedNode, type DescribedPort, describeCanvas } from './canvas/describe.ts';
export { type CanvasDiff, type ChangedEdge, type ChangedField, type ChangedNode, diffCanvases } from './canvas/diff.ts';
export {
  calledKey,
  explainFunctionMismatch,
  explainToolMismatch,
  type OfferedTool,
  type ToolMismatch,
  toolsAmong,
} from './canvas/explain-tool.ts';
export { judgeCallers } from './canvas/judge-callers.ts';
export { judgeTool, type ToolSources } from './canvas/judge-tool.ts';
export { explainValue } from './canvas/config-issues.ts';
export { formatReferenceKey, listReferences, type OutsideNames } from './canvas/list-references.ts';
export { noteParsed } from './canvas/parse.ts';
export { type ProblemCode, problemCodes, sortProblems } from './canvas/problem-codes.ts';
export { locateJsonFault } from './canvas/read-json.ts';
export { bringForward } from './canvas/upgrade.ts';
