import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkers } from '../compiler.ts';
import { root } from '../root.ts';

const parts = ['apps', 'packages', 'dev', 'e2e', 'tools', 'package.json', 'vite.config.ts', 'vitest.config.ts', 'playwright.config.ts'];
const configs = ['tsconfig.json', 'tsconfig.web.json'];

/** Makes a folder with our sources, with the packages installed here but our own packages taken from the copy. Returns where it is. */
export function copySources(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'portal-stubs-'));
  for (const part of readdirSync(root).filter(name => parts.includes(name) || name.startsWith('tsconfig')))
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  const modules = path.join(copy, 'node_modules');
  mkdirSync(path.join(modules, '@portal'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')).filter(entry => entry !== '@portal'))
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  for (const folder of ['packages', 'apps'])
    for (const name of readdirSync(path.join(copy, folder)))
      symlinkSync(path.join(copy, folder, name), path.join(modules, '@portal', name));
  return copy;
}

/** Returns what the compiler says about a copy, a line each. */
export async function complaintsOf(copy: string): Promise<string[]> {
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  const run = (config: string) => spawn(compiler, ['-p', config, ...checkers, '--pretty', 'false'], { cwd: copy });
  const said = await Promise.all(configs.map(config => text(run(config).stdout)));
  return said.join('').split('\n').filter(Boolean);
}
