import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Builds the application that the service serves at `/studio/`, into `dist/app`. Its URLs are relative, so that it runs under any prefix
 * of a host. Nothing is inlined: the content security policy allows scripts and fonts from this origin only.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
