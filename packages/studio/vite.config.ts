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
 * Builds the application that the service serves at `/studio/`, into `dist/app`. Its URLs are relative, so that it runs under any prefix
 * of a host. Nothing is inlined: the content security policy allows scripts and fonts from this origin only.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  worker: { format: 'es', plugins: () => [withoutPlaces] },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
