import { useEffect, useRef, useState } from 'react';
import { createEngineClient, type EngineClient, type WorkerFactory } from './engine-client.ts';

/** A worker with the lifetime of the component, started at the first call. */
export function useEngine(make: WorkerFactory): EngineClient {
  const [engine] = useState(() => createEngineClient(make));
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(closing.current); // React's strict mode unmounts and remounts a component at once
    return () => {
      closing.current = setTimeout(() => engine.close());
    };
  }, [engine]);
  return engine;
}
