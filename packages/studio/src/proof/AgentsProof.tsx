// What the agents of a canvas do whatever their models answer, and for each law that one breaks the conversation that leads there.
import { useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { Refused } from '../parts/use-act.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import type { AgentFinding } from '../worker/protocol.ts';
import { usePartWords } from '../words/part.ts';
import { useDetailText } from '../words/problem-words.ts';
import { proofWords } from './proof-words.ts';

interface AgentsProofProps {
  readonly engine: EngineClient;
  readonly canvas: CanvasJson;
  /** Opens a conversation in the tester. */
  readonly onScript: (script: string) => void;
}

export function AgentsProof({ engine, canvas, onScript }: AgentsProofProps) {
  const say = usePartWords(proofWords);
  const nodeName = useNodeName(canvas);
  const lawOf = useDetailText();
  const [found, setFound] = useState<{ readonly of: CanvasJson; readonly agents?: readonly AgentFinding[]; readonly failure?: string }>();
  if (!canvas.nodes.some(({ type }) => type === 'agent')) return null;
  const explored = found?.of === canvas ? found : undefined; // another canvas does other things
  const isBusy = explored !== undefined && explored.agents === undefined && explored.failure === undefined;
  const explore = (): void => {
    setFound({ of: canvas });
    engine.exploreAgents(canvas).then(
      (agents) => setFound({ of: canvas, agents }),
      (error: unknown) => setFound({ of: canvas, failure: String(error) }),
    );
  };
  return (
    <>
      <h3>{say('proof.agents')}</h3>
      <p className="help">{say('proof.agentsAbout')}</p>
      <button type="button" disabled={isBusy} onClick={explore}>
        {say('proof.explore')}
      </button>
      <Refused reason={explored?.failure} />
      <div role="status">
        {isBusy && <p>{say('proof.exploring')}</p>}
        {explored?.agents?.length === 0 && <p>{say('proof.noAgent')}</p>}
        {explored?.agents !== undefined && explored.agents.length > 0 && (
          <ul>
            {explored.agents.map(({ nodeId, steps, worst, breaches }) => (
              <li key={nodeId}>
                <span dir="auto">{nodeName(nodeId)}</span> <span className="caption">{say('proof.worst', { steps, ...worst })}</span>
                {breaches.length === 0 && <p>{say('proof.holds')}</p>}
                {breaches.map(({ law, script }) => (
                  <p key={law} className="bad">
                    <button type="button" className="link" dir="auto" onClick={() => onScript(script)}>
                      {say('proof.breaks', { law: lawOf(law) })}
                    </button>
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}
