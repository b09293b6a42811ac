import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * The engine names the places of mistakes in JSON texts. The worker is sent objects and never reads a text, so that the parser with places is
 * left out of it: 8 kB of what an author waits for.
 */
const withoutPlaces: Plugin = {
  name: 'without-places',
  enforce: 'pre',
  resolveId: (id) => (id === '@humanwhocodes/momoa' ? '\0without-places' : undefined),
  load: (id) =>
    id === '\0without-places'
      ? 'export const parse = () => { throw new Error("A canvas is sent as an object, not as a text"); };'
      : undefined,
};

/**
 * The canvas animates where it is seen from, and never a colour: what reads and mixes colours is left out of its transitions, which take a
 * text that is none as a text.
 */
const withoutColours: Plugin = {
  name: 'without-colours',
  enforce: 'pre',
  resolveId: (id) => (id === 'd3-color' ? '\0without-colours' : undefined),
  load: (id) =>
    id === '\0without-colours'
      ? `export function color() { return null; }
         export { color as rgb, color as hsl, color as lab, color as hcl, color as cubehelix };`
      : undefined,
};

/** A package that only tests call for, of another package here that has it, or a file of one, with the functions that are imported: the build fails at another one. */
interface TestersOwn {
  readonly name: string;
  /** Left out for a file of this repository, which is named by its whole path. */
  readonly of?: string;
  readonly functions: readonly string[];
}

const inNodes = (file: string): string => join(import.meta.dirname, '..', 'nodes', 'src', file);

/**
 * Answers are read in tests alone, save where a draft compares one with a constant; variables are written, and ids and chances drawn, in
 * tests alone: the rules of all countries, 30 kB, what writes inside of values, 6 kB, digests, 7 kB, what reads numbers, days, times and parts
 * of titles in answers, 30 kB, and the turns of an agent are loaded with the tester, so that an author does not wait for them at the first check.
 * A check that calls for one is made again by the worker, with the tester.
 */
const testersOwn: readonly TestersOwn[] = [
  {
    name: 'libphonenumber-js/min',
    of: '@hilo/nodes',
    functions: ['getCountries', 'isPossiblePhoneNumber', 'isSupportedCountry', 'parsePhoneNumberFromString'],
  },
  { name: 'immer', of: '@hilo/engine', functions: ['produce'] },
  { name: '@noble/hashes/sha2.js', of: '@hilo/engine', functions: ['sha256'] },
  { name: '@noble/hashes/utils.js', of: '@hilo/engine', functions: ['bytesToHex', 'utf8ToBytes'] },
  { name: inNodes('fields/reading/date.ts'), functions: ['readDate'] },
  { name: inNodes('fields/reading/number.ts'), functions: ['readNumber'] },
  { name: inNodes('fields/reading/time.ts'), functions: ['readTime'] },
  {
    name: inNodes('fields/reading/other-languages.ts'),
    functions: ['hasPartOfDay', 'hasScale', 'readScale', 'saysOtherwise', 'writePartOfDay'],
  },
  { name: inNodes('messages/half-title.ts'), functions: ['findHalfTitle'] },
  { name: inNodes('messages/worth-of-title.ts'), functions: ['findWorth'] },
  { name: inNodes('agent/visit.ts'), functions: ['askUser', 'begin', 'tell'] },
  { name: inNodes('agent/mask.ts'), functions: ['maskOf'] },
];

const withTester = ({ name, of, functions }: TestersOwn): Plugin => {
  const waiting = `\0waiting-for-${name}`;
  return {
    name: `${name}-with-tester`,
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === waiting) return id;
      const isTester = importer?.endsWith('/worker/tester.ts') === true;
      if (of === undefined) {
        if (isTester && id === name) return name;
        return importer !== undefined && id.startsWith('.') && join(dirname(importer), id) === name ? waiting : undefined;
      }
      if (id !== name) return undefined;
      // The tester finds the package where those do who depend on it.
      return isTester ? this.resolve(id, fileURLToPath(import.meta.resolve(of)), { skipSelf: true }) : waiting;
    },
    load: (id) =>
      id === waiting
        ? `import { leftOut } from ${JSON.stringify(join(import.meta.dirname, 'src', 'worker', 'left-out.ts'))};
           let known;
           const the = (name) => {
             if (known !== undefined) return known[name];
             leftOut.isMissed = true;
             throw new Error('It comes with the tester');
           };
           ${functions.map((one) => `export const ${one} = (...args) => the('${one}')(...args);`).join('\n')}
           export const provide = (functions) => { known = functions; };`
        : undefined,
    transform: (code, id) => {
      if (!id.endsWith('/worker/tester.ts')) return undefined;
      const provide = `provide${testersOwn.findIndex((one) => one.name === name)}`;
      return `import { ${functions.join()} } from '${name}';\nimport { provide as ${provide} } from '${waiting}';\n${provide}({ ${functions.join()} });\n${code}`;
    },
  };
};

/** How long plugins take is nothing that who starts the service for the first time has to read. */
const quiet = { checks: { bundlerTimings: false } };

/**
 * Builds the application that the service serves at `/studio/`, into `dist/app`. Its URLs are relative, so that it runs under any prefix
 * of a host. Nothing is inlined: the content security policy allows scripts and fonts from this origin only.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), withoutColours],
  worker: { format: 'es', plugins: () => [withoutPlaces, ...testersOwn.map(withTester)], rolldownOptions: quiet },
  build: {
    rolldownOptions: quiet,
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
