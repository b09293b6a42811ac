// The words of the list of keys, in English and Spanish.
import type { PartWords } from '../words/part.ts';

const en = {
  'keys.arrows': 'Go along the ways: to the first port, back, to the next port',
  'keys.open': 'Open the form of the card',
  'keys.connect': 'Add a node at the first open port',
  'keys.move': 'Move the card by 8 px',
  'keys.resize': 'Make the frame larger or smaller',
  'keys.palette': 'Find a node to add',
  'keys.search': 'Search everything',
  'keys.outline': 'Outline: all nodes as a tree, edited by keys',
  'keys.inOutline': 'In the outline: lead the port elsewhere, insert a node, cut the way',
  'keys.test': 'Test',
  'keys.problems': 'Problems',
  'keys.undo': 'Undo, redo',
  'keys.copy': 'Copy, cut, paste, duplicate',
  'keys.all': 'Select all',
  'keys.delete': 'Delete what is selected',
  'keys.save': 'Save now',
  'keys.escape': 'Close what is open',
  'keys.help': 'These keys',
} as const;

export type KeysWord = keyof typeof en;

const es: PartWords<KeysWord>['es'] = {
  'keys.arrows': 'Seguir los caminos: al primer puerto, atrás, al siguiente puerto',
  'keys.open': 'Abrir el formulario de la tarjeta',
  'keys.connect': 'Agregar un nodo en el primer puerto libre',
  'keys.move': 'Mover la tarjeta 8 px',
  'keys.resize': 'Agrandar o achicar el marco',
  'keys.palette': 'Buscar un nodo para agregar',
  'keys.search': 'Buscar en todo',
  'keys.test': 'Probar',
  'keys.outline': 'Esquema: todos los nodos como árbol, editable con teclas',
  'keys.inOutline': 'En el esquema: llevar el puerto a otro nodo, insertar un nodo, cortar el camino',
  'keys.problems': 'Problemas',
  'keys.undo': 'Deshacer, rehacer',
  'keys.copy': 'Copiar, cortar, pegar, duplicar',
  'keys.all': 'Seleccionar todo',
  'keys.delete': 'Borrar lo seleccionado',
  'keys.save': 'Guardar ahora',
  'keys.escape': 'Cerrar lo abierto',
  'keys.help': 'Estas teclas',
};

/** What each key of the editor does. */
export const keysWords: PartWords<KeysWord> = { en, es };
