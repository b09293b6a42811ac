import { useEffect, useRef, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { TestSetting, TranscriptsResult } from '../worker/protocol.ts';

/** The conversations that are kept with a workflow as tests. */
export interface KeptTests {
  readonly tests: readonly { readonly name: string; readonly text: string }[];
  readonly results: TranscriptsResult | undefined;
  readonly failure: string | undefined;
  run(): Promise<void>;
  keep(name: string, transcript: string): Promise<void>;
  drop(name: string): Promise<void>;
}

const quietMs = 500;
/** Slower tests run on request only, not on every edit. */
const slowMs = 2_000;

/** Runs the kept tests of a workflow on every edit. */
export function useKeptTests(
  engine: EngineClient,
  canvas: CanvasJson,
  { setting, canvases }: { readonly setting: TestSetting; readonly canvases: () => Promise<readonly CanvasJson[]> },
): KeptTests {
  const { client, companyId } = useStudio();
  const [tests, setTests] = useState<KeptTests['tests']>([]);
  /** The current ones, for a run that was requested before one was saved. */
  const latest = useRef(tests);
  const [results, setResults] = useState<TranscriptsResult>();
  const [failure, setFailure] = useState<string>();
  const told = (error: unknown): void => setFailure(error instanceof Error ? error.message : String(error));

  const runAll = async (): Promise<void> => {
    setFailure(undefined);
    const kept = latest.current;
    if (kept.length === 0) return setResults(undefined);
    try {
      const ran = await engine.runTranscripts(await canvases(), kept, setting);
      if (latest.current === kept) setResults(ran); // else they run again
    } catch (error) {
      told(error);
    }
  };
  const have = (kept: KeptTests['tests']): Promise<void> => {
    latest.current = kept;
    setTests(kept);
    return runAll();
  };
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const before = latest.current;
      const kept = await client.transcripts(companyId, canvas.id);
      if (isCurrent) await (latest.current === before ? have(kept) : load()); // again, where one was kept meanwhile
    };
    load().catch(told);
    return () => {
      isCurrent = false;
    };
  }, [canvas.id]);
  useEffect(() => {
    if (results !== undefined && results.tookMs > slowMs) return undefined;
    const timer = setTimeout(() => void runAll(), quietMs);
    return () => clearTimeout(timer);
  }, [canvas]);

  return {
    tests,
    results,
    failure,
    run: runAll,
    async keep(name, transcript) {
      try {
        await client.putTranscript(companyId, canvas.id, name, `${transcript.trimEnd()}\n`);
      } catch (error) {
        return told(error);
      }
      return have([...latest.current.filter((one) => one.name !== name), { name, text: transcript }]);
    },
    async drop(name) {
      try {
        await client.deleteTranscript(companyId, canvas.id, name);
      } catch (error) {
        return told(error);
      }
      return have(latest.current.filter((one) => one.name !== name));
    },
  };
}
