// Joins the chat into the one script that pages load: `node scripts/build.ts [FILE]`, `dist/chat.js` where none is named.
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const file = process.argv[2] ?? join(import.meta.dirname, '..', 'dist', 'chat.js');
const bundle = await rolldown({
  input: join(import.meta.dirname, '..', 'src', 'main.ts'),
  platform: 'browser',
  transform: { target: 'es2022' },
});
await bundle.write({ file, format: 'iife', minify: true });
await bundle.close();
