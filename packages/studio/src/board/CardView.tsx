// A card on the board.
import { Handle, type Node, type NodeProps, Position, useUpdateNodeInternals } from '@xyflow/react';
import { Check, CircleAlert, CircleStop, CircleX, Clock, LoaderCircle, Pin } from 'lucide-react';
import { lazy, memo, Suspense, useContext, useEffect, useRef } from 'react';
import { loadPart } from '../parts/load-part.ts';
import { isPinned, type NodeJson, portKey } from '../canvas/canvas-json.ts';
import { type Card, type DrawnPort } from '../canvas/flow.ts';
import { NodeIcon } from '../parts/icons.tsx';
import { Tokens } from '../parts/parts.tsx';
import { useSummary } from '../words/summary.ts';
import { useLanguage, useNames, usePortWord, useWords } from '../words/words.tsx';
import { OverlayContext } from './overlay.ts';

const FrameGrip = lazy(() => loadPart(() => import('./FrameGrip.tsx')));

export type CardNode = Node<{ readonly card: Card; readonly isEditable: boolean }, 'card'>;

/** A node of a canvas as a card, with its ports. All texts are texts: nothing of a canvas is markup. */
export const CardView = memo(function CardView({ data: { card, isEditable }, selected }: NodeProps<CardNode>) {
  const { id, title, caption, bubble, summary, ports, entry, category } = card;
  const overlay = useContext(OverlayContext);
  const summaryOf = useSummary();
  const { own } = useLanguage();
  const portNames = ports.map(({ name, isStub, target }) => `${name}${isStub}${target === undefined}`).join('\n');
  const update = useUpdateNodeInternals();
  const drawn = useRef<string>(undefined);
  const portsDrawn = `${portNames}\n${selected}`;
  useEffect(() => {
    // A card that is new is measured anyway: another thousand measurements would take seconds.
    if (drawn.current !== undefined && drawn.current !== portsDrawn) update(id);
    drawn.current = portsDrawn;
  }, [id, portsDrawn, update]);

  const word = (text: string): string => (entry !== undefined && text === entry.label ? own(`node.${entry.type}`, text) : text);
  if (card.frame !== undefined)
    return (
      <div className={`frame${selected ? ' selected' : ''}`} style={card.frame}>
        <span className="frame-title" dir="auto">
          {noteText(card) || word(title)}
        </span>
        <Suspense>
          <FrameGrip nodeId={id} size={card.frame} />
        </Suspense>
      </div>
    );
  if (card.isNote)
    return (
      <div className="note" dir="auto">
        {noteText(card) || word(title)}
      </div>
    );
  const required = ports.filter(({ isRequired }) => isRequired);
  const optional = ports.filter(({ isRequired, target }) => !isRequired && (target !== undefined || selected));
  const [only] = required.length === 1 ? required : [];
  const state = stateOf(card, overlay);
  return (
    <div className={`card ${state}${selected ? ' selected' : ''}`} data-group={category} style={customColour(card)}>
      <Handle type="target" position={Position.Left} className="port-in" isConnectable={isEditable && category !== 'entry'} />
      <header>
        <span className="tile">
          <NodeIcon name={entry?.icon} />
        </span>
        <span className="names">
          <span className="title" dir="auto">
            {word(title)}
          </span>
          <span className="caption" dir="auto">
            {word(caption)}
          </span>
        </span>
        {isPinned(card.node) && <Pinned />}
        <StateSign card={card} />
        {only !== undefined && <Out port={only} nodeId={id} isEditable={isEditable} />}
        {only !== undefined && overlay.visits !== undefined && <PortCount nodeId={id} port={only.name} isOutside />}
        {only !== undefined && <PortShare nodeId={id} port={only.name} isOutside />}
        {only !== undefined && <PortTests nodeId={id} port={only.name} isOutside />}
      </header>
      {bubble === undefined ? (
        summary !== '' && (
          <p className="summary" dir="auto">
            <Tokens text={summaryOf(card)} />
          </p>
        )
      ) : (
        <p className="bubble" dir="auto">
          <Tokens text={bubble} />
        </p>
      )}
      {only === undefined && required.map((port) => <PortRow key={port.name} port={port} node={card.node} isEditable={isEditable} />)}
      {optional.map((port) => (
        <PortRow key={port.name} port={port} node={card.node} isEditable={isEditable} />
      ))}
      <Foot nodeId={id} />
      {overlay.beside?.get(id)}
    </div>
  );
});

function PortRow({ port, node, isEditable }: { readonly port: DrawnPort; readonly node: NodeJson; readonly isEditable: boolean }) {
  const { id: nodeId, type } = node;
  const say = useWords();
  const word = usePortWord();
  const { marks } = useContext(OverlayContext);
  const mark = marks?.ports.get(portKey(nodeId, port.name));
  const kind = port.isRequired ? 'required' : 'optional';
  return (
    <div className={`port-row ${kind}${port.isUnknown ? ' unknown' : ''}${mark === undefined ? '' : ` ${mark}`}`}>
      {!port.isRequired &&
        (port.name === 'timeout' || port.name === 'expired' ? <Clock size={12} aria-hidden /> : <CircleX size={12} aria-hidden />)}
      <span className="port-name" dir="auto">
        {word(port.name, type)}
      </span>
      {port.target !== undefined && !port.isStub && <span className="visually-hidden">{`→ ${port.target}`}</span>}
      <PortCount nodeId={nodeId} port={port.name} />
      <PortShare nodeId={nodeId} port={port.name} />
      <PortTests nodeId={nodeId} port={port.name} />
      <Out port={port} nodeId={nodeId} isEditable={isEditable} />
      {port.isStub && (
        <span className="stub" title={say('board.stub')} data-nodeid={nodeId} data-handleid={port.name}>
          <CircleStop size={11} aria-hidden /> {word('end', undefined)}
        </span>
      )}
    </div>
  );
}

/** How often a port was left, if it was: in its row, or outside of a card whose header has the port. */
function PortCount({ nodeId, port, isOutside = false }: { readonly nodeId: string; readonly port: string; readonly isOutside?: boolean }) {
  const count = useContext(OverlayContext).taken?.[portKey(nodeId, port)] ?? 0;
  return count === 0 ? null : <span className={isOutside ? 'count outside' : 'count'}>{count}</span>;
}

/** Which share of those who leave a card leaves it by a port, and how long that takes; all of it on hover. */
function PortShare({ nodeId, port, isOutside = false }: { readonly nodeId: string; readonly port: string; readonly isOutside?: boolean }) {
  const share = useContext(OverlayContext).numbers?.ports.get(portKey(nodeId, port));
  if (share === undefined) return null;
  const isLate = port === 'timeout' || port === 'expired';
  return (
    <span className={`count share${isOutside ? ' outside' : ''}${isLate ? ' warn' : ''}${share.isRare ? ' rare' : ''}`} title={share.title}>
      {share.text}
    </span>
  );
}

/** What was counted at a card: a redder line the more of all who left did so here, and always the number. */
function Foot({ nodeId }: { readonly nodeId: string }) {
  const counted = useContext(OverlayContext).numbers?.cards.get(nodeId);
  if (counted === undefined) return null;
  return (
    <p className="foot" style={{ '--heat': counted.heat } as React.CSSProperties} data-short={counted.short}>
      <span>{counted.text}</span>
    </p>
  );
}

/** A sign of the tests that take a port, by name on hover. */
function PortTests({ nodeId, port, isOutside = false }: { readonly nodeId: string; readonly port: string; readonly isOutside?: boolean }) {
  const say = useWords();
  const tests = useContext(OverlayContext).tested?.get(portKey(nodeId, port));
  if (tests === undefined) return null;
  const names = say('board.testedBy', { names: tests.join(', ') });
  return (
    <span className={isOutside ? 'count outside good' : 'count good'} title={names}>
      <span aria-hidden>✓</span>
      <span className="visually-hidden">{names}</span>
    </span>
  );
}

function Out({ port, nodeId, isEditable }: { readonly port: DrawnPort; readonly nodeId: string; readonly isEditable: boolean }) {
  const { taken, neverTaken } = useContext(OverlayContext);
  const say = useWords();
  const isTaken = (taken?.[portKey(nodeId, port.name)] ?? 0) > 0;
  const isNever = !isTaken && neverTaken?.has(`${nodeId}.${port.name}`) === true;
  const state = `${port.target === undefined ? ' open' : ''}${isTaken ? ' taken' : ''}${isNever ? ' never' : ''}${port.name === 'error' ? ' failing' : ''}`;
  return (
    <Handle
      type="source"
      position={Position.Right}
      id={port.name}
      className={`port-out${state}`}
      isConnectable={isEditable}
      {...(isNever && { title: say('tester.neverTaken') })}
    />
  );
}

function Pinned() {
  const say = useWords();
  return (
    <span className="pinned" title={say('node.pinned')}>
      <Pin size={12} aria-hidden />
      <span className="visually-hidden">{say('node.pinned')}</span>
    </span>
  );
}

/** The right side of the header: the state of a test or an execution, the counts of several, or the number of problems. */
function StateSign({ card }: { readonly card: Card }) {
  const { waiting, failed, running, passed, visits } = useContext(OverlayContext);
  const say = useWords();
  const statusWord = useNames('status');
  const causeWord = useNames('cause');
  const problems = card.errors + card.warnings;
  if (visits !== undefined) return <Counted counts={visits.get(card.id)} />;
  if (failed?.nodeId === card.id)
    return (
      <span className="sign bad" title={causeWord(failed.cause)}>
        <CircleX size={14} aria-hidden /> <span className="visually-hidden">{statusWord('failed')}</span>{' '}
        <span className="cause">{causeWord(failed.cause)}</span>
      </span>
    );
  if (waiting?.nodeId === card.id)
    return (
      <span className="sign warn">
        <Clock size={14} aria-hidden /> <span className="visually-hidden">{statusWord('waiting')}</span> {waiting.text}
      </span>
    );
  if (running === card.id)
    return (
      <span className="sign info">
        <LoaderCircle size={14} className="turning" aria-hidden />
        <span className="visually-hidden">{statusWord('running')}</span>
      </span>
    );
  if (problems > 0)
    return (
      <span className={`sign ${card.errors > 0 ? 'bad' : 'warn'}`} title={say('editor.problems', { count: problems })}>
        <CircleAlert size={14} aria-hidden /> <span aria-hidden>{problems}</span>
        <span className="visually-hidden">{say('editor.problems', { count: problems })}</span>
      </span>
    );
  return passed?.has(card.id) === true ? (
    <span className="sign good">
      <Check size={14} aria-hidden />
      <span className="visually-hidden">{say('board.passed')}</span>
    </span>
  ) : null;
}

function Counted({ counts }: { readonly counts: { readonly visits: number; readonly waiting: number } | undefined }) {
  const say = useWords();
  const { visits = 0, waiting = 0 } = counts ?? {};
  if (visits + waiting === 0) return null;
  return (
    <>
      {waiting > 0 && (
        <span className="sign warn" title={say('board.waiting', { count: waiting })}>
          <Clock size={14} aria-hidden /> {waiting}
          <span className="visually-hidden"> {say('board.waiting', { count: waiting })}</span>
        </span>
      )}
      <span className="sign" title={say('board.visits', { count: visits })}>
        <span aria-hidden>×{visits}</span>
        <span className="visually-hidden">{say('board.visits', { count: visits })}</span>
      </span>
    </>
  );
}

function stateOf(
  { id, errors, warnings }: Card,
  { waiting, failed, running, passed, way, marks }: React.ContextType<typeof OverlayContext>,
): string {
  const state =
    failed?.nodeId === id
      ? 'is-failed'
      : waiting?.nodeId === id
        ? 'is-waiting'
        : running === id
          ? 'is-running'
          : passed?.has(id) === true
            ? 'is-passed'
            : errors > 0
              ? 'has-errors'
              : warnings > 0
                ? 'has-warnings'
                : '';
  const shown = way === undefined ? '' : way.nodes.has(id) ? ` on-way${way.at === id ? ' at' : ''}` : ' dimmed';
  const mark = marks?.nodes.get(id);
  return `${state}${shown}${mark === undefined ? '' : ` ${mark}`}`;
}

const noteText = ({ node }: Card): string => {
  const text = node.data?.['text'];
  return typeof text === 'string' ? text.trim() : '';
};

/** Our categories have colours in the style sheet; other ones have that of their catalogue entry. */
const knownGroups: ReadonlySet<string> = new Set(['entry', 'message', 'logic', 'data', 'time', 'integration', 'people', 'flow', 'unknown']);
const customColour = ({ category, entry }: Card): React.CSSProperties | undefined =>
  entry === undefined || knownGroups.has(category) || !/^#[0-9a-f]{6}$/i.test(entry.colour)
    ? undefined
    : ({ '--group': entry.colour } as React.CSSProperties);
