import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Builds the application that the service serves at `/studio/`, into `dist/app`. Its addresses are relative, so that it runs under
 * whatever prefix a host mounts the service. Nothing is inlined: the content policy allows scripts and fonts from this origin alone.
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
