// The entry of @hilo/studio: the studio and its parts as React components.
export { type Place, readAddress, writeAddress } from './address.ts';
export {
  ApiError,
  type ClientOptions,
  createHiloClient,
  type Draft,
  type Execution,
  type HiloClient,
  type HistoryEntry,
} from './api/client.ts';
export type { CanvasJson } from './canvas/canvas-json.ts';
export { CanvasDiff, CanvasView, ExecutionView, Home, Inbox, Tester } from './components/components.tsx';
export type { WidgetComponent, WidgetProps } from './forms/widget-props.ts';
export type { HomeSection } from './home/HomeScreen.tsx';
export { HiloStudio, type HiloStudioProps, type StudioProps, type Theme } from './HiloStudio.tsx';
export type { HostIcons } from './parts/icons.tsx';
export type { Permission, View } from './studio-context.ts';
export type { WorkerFactory } from './worker/engine-client.ts';
export type { WordKey, Words } from './words/en.ts';
