import { useEffect, useRef, useState } from 'react';
import { createEngineClient, type EngineClient, type WorkerFactory } from './engine-client.ts';

/** A worker that lives as long as the component; it is started with the first call. */
export function useEngine(make: WorkerFactory): EngineClient {
  const [engine] = useState(() => createEngineClient(make));
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(closing.current); // React's strict mode takes a component away and puts it back at once
    return () => {
      closing.current = setTimeout(() => engine.close());
    };
  }, [engine]);
  return engine;
}
