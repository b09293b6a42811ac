// Loads the tester: an editor draws its first picture without it, and mostly has it before somebody opens it.
import type { TesterPanel } from './TesterPanel.tsx';

let loaded: typeof TesterPanel | undefined;

/** The panel, where it is there already: then it opens at once. */
export const loadedTester = (): typeof TesterPanel | undefined => loaded;

export async function loadTester(): Promise<typeof TesterPanel> {
  const module = await import('./TesterPanel.tsx');
  loaded = module.TesterPanel;
  return loaded;
}
