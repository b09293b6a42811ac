import type { EventEmitter } from 'eventemitter3';
import type { EngineEvents } from './engine-events.ts';

/** Whoever has listeners. */
export interface Teller {
  readonly events: EventEmitter<EngineEvents>;
}

/** Tells listeners; one that throws is told as a fault and stops nothing. */
export function tell<Name extends keyof EngineEvents>({ events }: Teller, name: Name, ...args: EngineEvents[Name]): void {
  if (events.listenerCount(name) === 0) return;
  try {
    events.emit<keyof EngineEvents>(name, ...args);
  } catch (error) {
    if (name !== 'engine.fault') events.emit('engine.fault', { error, while: `telling ${name}` });
  }
}
