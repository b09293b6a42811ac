import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const [dockerfile, compose] = [read('Dockerfile'), read('compose.yaml')];
const settings = read('packages/cli/src/serve/settings.ts');

// Checks that need no Docker; the check of packed packages runs the image's own commands (`npm run verify -- packages`).
describe('the container', () => {
  it('starts the file of the packed command, with settings that the command knows', () => {
    const { publishConfig } = JSON.parse(read('packages/cli/package.json')) as {
      readonly publishConfig: { readonly bin: { readonly hilo: string } };
    };
    expect(dockerfile).toContain(`"/app/node_modules/@hilo/cli/${publishConfig.bin.hilo.replace('./', '')}", "serve"`);
    const named = new Set([...`${dockerfile}${compose}`.matchAll(/\b(HILO_[A-Z_]+)/g)].map(([, name = '']) => name));
    expect(named.size).toBeGreaterThanOrEqual(8);
    expect([...named].filter((name) => !settings.includes(`'${name}'`))).toEqual([]);
  });

  it('has a Node.js that the packages support, and copies existing files', () => {
    const { engines } = JSON.parse(read('packages/cli/package.json')) as { readonly engines: { readonly node: string } };
    const wanted = /^>=(\d+)\./.exec(engines.node)?.[1];
    const images = [...dockerfile.matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version);
    expect(images).toEqual([wanted, wanted]);
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, source = '']) => source);
    expect(copied).toEqual(['.']);
    expect(dockerfile).toContain('npm run build');
    expect(JSON.parse(read('package.json'))).toHaveProperty('scripts.build');
  });

  it('runs as an unprivileged user, keeps its data in a volume, and has a health check', () => {
    expect(dockerfile.lastIndexOf('\nUSER node\n')).toBeGreaterThan(dockerfile.lastIndexOf('\nFROM '));
    expect(dockerfile).toContain('\nVOLUME /data\n');
    expect(dockerfile).toMatch(/HEALTHCHECK[^]*\/health\/ready/);
    for (const volume of ['hilo-data', 'hilo-keys', 'postgres-data']) expect(compose).toContain(`\n  ${volume}:`);
    expect(compose).not.toMatch(/ports: \['(?!127\.0\.0\.1:)/);
  });

  it('copies no build output and no secret', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.git', '.toolchain', '**/node_modules', '**/dist', 'data']) expect(ignored).toContain(name);
    expect(existsSync(new URL('scripts/toolchain.json', root))).toBe(true);
  });
});
