// The edits of a draft: deleting and wiring are here, the others each in a file of their kind.
import { useMemo, useRef } from 'react';
import { connect, leaveBy, remove } from '../canvas/commands.ts';
import { useStudio } from '../studio-context.ts';
import { useLanguage } from '../words/words.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import { addingActs } from './adding-acts.ts';
import { arrangingActs } from './arranging-acts.ts';
import { type Bench, createBench, type EditListener } from './bench.ts';
import { copyingActs } from './copying-acts.ts';
import type { Editing } from './editing.ts';
import type { EditorStore } from './editor-store.ts';
import { portRef } from './ports.ts';

/** The edits of a draft, which stay the same objects while it is edited. @param listener - as of the last rendering */
export function useEditing(store: EditorStore, engine: EngineClient, listener: EditListener): Editing {
  const { catalogue } = useStudio();
  const { say, own } = useLanguage();
  const last = useRef(listener);
  last.current = listener;
  return useMemo(() => {
    const told: EditListener = {
      onAskTarget: (...port) => last.current.onAskTarget(...port),
      onNoCanvas: () => last.current.onNoCanvas(),
      onView: (nodeId) => last.current.onView(nodeId),
      onPut: (nodeId) => last.current.onPut(nodeId),
      onDeleted: (near) => last.current.onDeleted(near),
    };
    const bench = createBench({ store, engine, catalogue, say, own, told });
    return { ...addingActs(bench), ...arrangingActs(bench), ...copyingActs(bench), ...removingActs(bench), ...wiringActs(bench) };
  }, [store, engine, catalogue, say, own]);
}

const removingActs = ({ store, say, told }: Bench): Pick<Editing, 'deleteSelected'> => ({
  deleteSelected() {
    const { history, selected, selectedWires, run, select } = store.getState();
    if (selected.size + selectedWires.length === 0) return;
    const name = selected.size > 0 ? say('step.deleted', { count: selected.size }) : say('step.deletedWay');
    const before = history.canvas.edges.find(({ source, target }) => selected.has(target) && !selected.has(source))?.source;
    const wires = selectedWires.map(({ nodeId, port }) => portRef(store, nodeId, port));
    run(name, remove(selected, wires));
    select([]);
    told.onDeleted(before ?? selectedWires[0]?.nodeId);
  },
});

/** Where ports lead. */
const wiringActs = ({ store, say, told }: Bench): Pick<Editing, 'disconnect' | 'onConnect' | 'onRedirect' | 'onAskTarget'> => ({
  disconnect: (from) => store.getState().run(say('step.deletedWay'), remove(new Set(), [from])),
  onConnect: (source, port, target) => store.getState().run(say('step.connected'), connect(portRef(store, source, port), target)),
  onRedirect(wire, to) {
    const from = portRef(store, wire.source, wire.port);
    const isSamePort = wire.source === to.source && wire.port === to.port;
    store.getState().run(say('step.redirected'), isSamePort ? connect(from, to.target) : leaveBy(from, portRef(store, to.source, to.port)));
  },
  onAskTarget: told.onAskTarget,
});
