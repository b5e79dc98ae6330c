import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildWeb } from './web/build-web.ts';
import { root, serverEnvironment, serverFlags } from './root.ts';

/**
 * `npm run dev`: the back end starts again when its sources change, Vite serves the web apps and replaces what changed in the open page.
 * When one of the two ends, so does the other.
 */
async function develop(): Promise<void> {
  // The sign-in pages are rendered by the back end and take their style sheet and script from a build.
  if (!existsSync(path.join(root, 'dist/web'))) {
    console.log('Building the web apps once …');
    await buildWeb();
  }
  // Vite takes the portal's port, and the back end the next one: vite.config.ts.
  const port = Number(process.env.PORT || 8080);
  const environment = {
    ...serverEnvironment(process.env),
    PORT: String(port + 1),
    DEV_PORT: String(port),
    APP_URL: `http://localhost:${port}`,
  };
  const node = (...args: string[]): ChildProcess => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: environment });
  const processes = [
    node('--watch', '--watch-preserve-output', ...serverFlags, 'apps/server/src/main.ts', 'serve'),
    node(path.join(root, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'),
  ];
  const stop = (): void => {
    for (const child of processes) child.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  for (const child of processes) {
    child.on('exit', code => {
      process.exitCode ||= code ?? 0;
      stop();
    });
  }
}

develop().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
