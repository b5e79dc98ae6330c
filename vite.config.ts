import fs from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { backEndAnswerOf, backEndPaths } from './packages/contract/src/back-end-paths.ts';
import { findPage, isDeskPath } from './packages/contract/src/pages.ts';
import { ownClassNames, scopedName } from './tools/web/class-names.ts';
import { slimContract } from './tools/web/contract-in-browsers.ts';
import { directImports } from './tools/web/direct-imports.ts';
import { type ModuleImporters, openSharedParts } from './tools/web/shared-parts.ts';

const root = import.meta.dirname;
const sharedPartOf = openSharedParts();
type ChunkingContext = { getModuleInfo: (module: string) => ModuleImporters | null };

/** The documents of the build, and the assets of the pages the server renders itself. */
const documents = [
  'apps/portal/index.html',
  'apps/portal/silent-renew-oidc.html',
  'apps/resource-manager/resource-manager.html',
  'apps/desk/desk.html',
  // The script of the sign-in form that a stranger gets in place of the portal.
  'apps/portal/src/sign-in-form.ts',
];
const serverAssets = fs.existsSync(path.join(root, 'apps/server/web'))
  ? fs.readdirSync(path.join(root, 'apps/server/web')).filter(name => /\.(css|ts)$/.test(name) && !/\.(d|test)\.ts$/.test(name))
  : [];
const input = [
  ...documents.filter(document => fs.existsSync(path.join(root, document))),
  ...serverAssets.map(name => `apps/server/web/${name}`),
];

/** Port at which `npm run dev` serves the web apps; its back end is on the next one. */
const devPort = Number(process.env.DEV_PORT ?? 8080);
const backEnd = `http://127.0.0.1:${devPort + 1}`;

/** The development server answers a page's path with the document that shows it, as the server does. */
const pagePaths: Plugin = {
  name: 'page-paths',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const [address = '/', query] = (request.url ?? '/').split('?', 2);
      if (request.headers.accept?.includes('text/html')) {
        const document = documentOf(address);
        if (document) request.url = query ? `${document}?${query}` : document;
      }
      next();
    });
  },
};

function documentOf(address: string): string | null {
  if (address === '/silent-renew-oidc.html') return '/apps/portal/silent-renew-oidc.html';
  if (backEndAnswerOf(address) || address.startsWith('/@')) return null;
  if (isDeskPath(address)) return '/apps/desk/desk.html';
  const framed = address.endsWith('.html') && findPage(address.slice(0, -'.html'.length), 'registry').page.app === 'resource-manager';
  return framed ? '/apps/resource-manager/resource-manager.html' : '/apps/portal/index.html';
}

/** The text typeface is needed soon after the first paint: the HTML asks for it before the style sheet does, and after the code. */
const preloadedFonts: Plugin = {
  name: 'preloaded-fonts',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle, path: document }) {
      if (!bundle || document.includes('silent-renew')) return [];
      return Object.keys(bundle)
        .filter(file => /instrument-sans.*\.woff2$/.test(file))
        .map(file => ({
          tag: 'link',
          injectTo: 'head' as const,
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true, fetchpriority: 'low' },
        }));
    },
  },
};

/** The portal speaks English; the component library's own words come in thirty languages otherwise. */
const englishOnly: Plugin = {
  name: 'english-only',
  enforce: 'pre',
  resolveId(source, importer) {
    const isWords =
      /(^|\/)[a-z]{2}-[A-Z]{2}\.(m|c)?js$/.test(source) &&
      /node_modules\/(@react-aria|@react-stately|react-aria|react-stately)/.test(importer ?? '');
    return isWords && !source.includes('en-US') ? '\0no-words' : null;
  },
  load: id => (id === '\0no-words' ? 'export default {}' : null),
};

export default defineConfig({
  root,
  appType: 'mpa',
  publicDir: false,
  plugins: [pagePaths, englishOnly, slimContract(), directImports(), ownClassNames(), react(), preloadedFonts],
  css: { modules: { generateScopedName: scopedName } },
  server: {
    port: devPort,
    strictPort: true,
    proxy: Object.fromEntries(Object.keys(backEndPaths).map(prefix => [`^${prefix.replaceAll('.', '\\.')}(/|$|\\?)`, { target: backEnd }])),
  },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    manifest: true,
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input,
      output: {
        codeSplitting: {
          groups: [
            // Changes with an upgrade only, so that a new release of the portal does not load it again.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|^\0rolldown/, priority: 1 },
            {
              name: (id: string, context: ChunkingContext) => sharedPartOf(id, module => context.getModuleInfo(module)),
              debugName: 'chunks',
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
