/// <reference types="node" />
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Budget, in bytes of brotli, for what the home page loads before its first useful screen; the sign-in library loads in parallel. */
const budget = 130_000;
const entries = ['apps/portal/index.html', 'apps/portal/src/pages/HomePage.tsx'];

type Chunk = { file: string; css?: string[]; imports?: string[] };

/** Files of the entries and of everything they import statically, each once. */
function filesOf(manifest: Record<string, Chunk>, names: readonly string[]): string[] {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) if (/\.(js|css)$/.test(file)) files.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const name of names) visit(name);
  return [...files];
}

const folder = path.resolve(process.argv[2] ?? 'dist/web');
const manifest = JSON.parse(readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
let total = 0;
for (const file of filesOf(manifest, entries)) {
  const packed = brotliCompressSync(readFileSync(path.join(folder, file))).length;
  total += packed;
  process.stdout.write(`${(packed / 1000).toFixed(1).padStart(7)} KB  ${file}\n`);
}
process.stdout.write(`${(total / 1000).toFixed(1).padStart(7)} KB  together, of ${budget / 1000} KB\n`);
process.exitCode = total > budget ? 1 : 0;
