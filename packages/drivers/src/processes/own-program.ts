import { realpathSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A program of this package, as TypeScript or as it was built, and the flags that leave it its own files and nothing else.
 *
 * @param name - below `src`, without its extension; then the modules of this package that it imports
 */
export function ownProgram(name: string, ...imports: readonly string[]): { readonly file: string; readonly flags: readonly string[] } {
  const extension = parse(import.meta.url).ext;
  const [file = '', ...others] = [name, ...imports].map((part) =>
    realpathSync(fileURLToPath(new URL(`../${part}${extension}`, import.meta.url))),
  );
  const readable = [file, ...others].map((path) => `--allow-fs-read=${path}`);
  // Links are resolved above: to do so again, the process would have to look at every folder on the way.
  return { file, flags: ['--permission', ...readable, '--preserve-symlinks', '--preserve-symlinks-main', '--no-warnings'] };
}
