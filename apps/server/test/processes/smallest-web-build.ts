import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A web build as small as one can be: what is in it does not matter here. */
export async function smallestWebBuild(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-web-'));
  const ours = await fs.readdir(path.join(import.meta.dirname, '../../web'));
  const sources = [...ours.map(name => `apps/server/web/${name}`), 'apps/portal/src/sign-in-form.ts'];
  const manifest: Record<string, { file: string; name?: string }> = Object.fromEntries(
    sources.map(source => [source, { file: `assets/${path.basename(source).replace(/\.ts$/, '.js')}` }]),
  );
  manifest['apps/registry-command/src/main.ts'] = { file: 'assets/registry.mjs' };
  const pages = [
    'apps/portal/index.html',
    'apps/portal/silent-renew-oidc.html',
    'apps/resource-manager/resource-manager.html',
    'apps/desk/desk.html',
  ];
  const files = {
    '.vite/manifest.json': JSON.stringify(manifest),
    '.vite/first-script.js': 'void 0;',
    ...Object.fromEntries(
      pages.map(page => [page, '<!doctype html><html lang="en"><head><title>MyRegistry</title><!--first-script--></head></html>']),
    ),
    ...Object.fromEntries(Object.values(manifest).map(({ file }) => [file, '/* nothing */'])),
  };
  for (const [name, text] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await fs.writeFile(path.join(folder, name), text);
  }
  return folder;
}
