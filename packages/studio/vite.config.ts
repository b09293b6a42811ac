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

const phoneNumbers = 'libphonenumber-js/min';
const nodesEntry = fileURLToPath(import.meta.resolve('@hilo/nodes'));
const waitingForPhoneNumbers = '\0waiting-for-phone-numbers';
/** The functions that the nodes import: the build fails at another one. */
const phoneFunctions = ['getCountries', 'isPossiblePhoneNumber', 'isSupportedCountry', 'parsePhoneNumberFromString'];

/**
 * Whether an answer is a telephone number is asked in tests alone: the rules of all countries, 30 kB, are loaded with the tester, so that an
 * author does not wait for them at the first check.
 */
const phoneNumbersWithTester: Plugin = {
  name: 'phone-numbers-with-tester',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === waitingForPhoneNumbers) return id;
    if (id !== phoneNumbers) return undefined;
    // The tester finds the package where the nodes do, which depend on it.
    return importer?.endsWith('/worker/tester.ts') === true ? this.resolve(id, nodesEntry, { skipSelf: true }) : waitingForPhoneNumbers;
  },
  load: (id) =>
    id === waitingForPhoneNumbers
      ? `let known;
         ${phoneFunctions.map((name) => `export const ${name} = (...args) => known.${name}(...args);`).join('\n')}
         export const provide = (functions) => { known = functions; };`
      : undefined,
  transform: (code, id) =>
    id.endsWith('/worker/tester.ts')
      ? `import { ${phoneFunctions.join()} } from '${phoneNumbers}';\nimport { provide } from '${waitingForPhoneNumbers}';\nprovide({ ${phoneFunctions.join()} });\n${code}`
      : undefined,
};

/**
 * Builds the application that the service serves at `/studio/`, into `dist/app`. Its URLs are relative, so that it runs under any prefix
 * of a host. Nothing is inlined: the content security policy allows scripts and fonts from this origin only.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  worker: { format: 'es', plugins: () => [withoutPlaces, phoneNumbersWithTester] },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
