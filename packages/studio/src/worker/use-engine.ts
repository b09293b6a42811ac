import { useEffect, useState } from 'react';
import { createEngineClient, type EngineClient, type WorkerFactory } from './engine-client.ts';

/** A worker that lives as long as the component; it is started with the first call. */
export function useEngine(make: WorkerFactory): EngineClient {
  const [engine] = useState(() => createEngineClient(make));
  useEffect(() => () => engine.close(), [engine]);
  return engine;
}
