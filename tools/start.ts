import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buildWeb, isWebBuilt } from './web/build-web.ts';
import { root, serverEnvironment, serverFlags } from './root.ts';

/** `npm start`: builds the web apps when their sources changed, then becomes the server, which says the rest. */
async function start(): Promise<void> {
  if (!(await isWebBuilt())) {
    console.log('Building the web apps …');
    await buildWeb();
  }
  const args = [...serverFlags, path.join(root, 'apps/server/src/main.ts'), 'serve', ...process.argv.slice(2)];
  const environment = serverEnvironment(process.env);
  // Where the system can, this process becomes the server: one process less, and signals reach it directly.
  if (process.execve && process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...args], environment);
  const server = spawn(process.execPath, args, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
  const [code] = (await once(server, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

try {
  await start();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
