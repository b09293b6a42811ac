// What a node is called wherever people read of it outside its card: never by its id alone.
import { useStudio } from '../studio-context.ts';
import { useLanguage, usePortWord } from '../words/words.tsx';
import { type CanvasJson, textIn } from './canvas-json.ts';
import type { Card } from './flow.ts';

/** The most letters of a message in a name: enough to know it again. */
const maxShown = 40;

/**
 * The name of a node: its label; without one, its type and the message that it sends; without a message, its type, and its id where
 * several have that type. A node that is not there is called by its id.
 */
export function nodeName({ nodes }: Pick<CanvasJson, 'nodes'>, nodeId: string, typeWord: (type: string) => string): string {
  const node = nodes.find(({ id }) => id === nodeId);
  if (node === undefined) return nodeId;
  const { type, data } = node;
  const label = textIn(data, 'label');
  if (label !== undefined) return label;
  const text = textIn(data?.['message'], 'text');
  if (text !== undefined) return `${typeWord(type)}: ${text.length > maxShown ? `${text.slice(0, maxShown - 1).toWellFormed()}…` : text}`;
  return nodes.some((one) => one.type === type && one.id !== nodeId) ? `${typeWord(type)} (${nodeId})` : typeWord(type);
}

/** The name of a node of any canvas in the language of the reader. */
export function useNodeNames(): (canvas: Pick<CanvasJson, 'nodes'>, nodeId: string) => string {
  const { catalogue } = useStudio();
  const { own } = useLanguage();
  return (canvas, nodeId) => nodeName(canvas, nodeId, (type) => own(`node.${type}`, catalogue.get(type)?.label ?? type));
}

/** What a card is headed with, in the language of the reader: a label is its author's. */
export function useCardTitle(): (card: Pick<Card, 'title' | 'entry'>) => string {
  const { own } = useLanguage();
  return ({ title, entry }) => (entry !== undefined && title === entry.label ? own(`node.${entry.type}`, title) : title);
}

/** The name of each node of a canvas in the language of the reader. */
export function useNodeName(canvas: Pick<CanvasJson, 'nodes'> | undefined): (nodeId: string) => string {
  const nameIn = useNodeNames();
  return (nodeId) => (canvas === undefined ? nodeId : nameIn(canvas, nodeId));
}

/** The name of a port that is written `node.port`, as coverage writes it: the name of its node, and the word of the port. */
export function usePortName(canvas: Pick<CanvasJson, 'nodes'>): (port: string) => string {
  const nameOf = useNodeName(canvas);
  const portWord = usePortWord();
  return (port) => {
    const node = canvas.nodes.find(({ id }) => port.startsWith(`${id}.`)); // neither ids nor ports have a dot
    return node === undefined ? port : `${nameOf(node.id)} › ${portWord(port.slice(node.id.length + 1), node.type)}`;
  };
}
