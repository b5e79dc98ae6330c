import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Running, start } from '../dev/independent/program.ts';

/** Ports of this worker's programs: ten for each, so that stories of several files run side by side and none sees what another changed. */
const first = Number(process.env.E2E_PORT ?? 47250) + 10 * Number(process.env.TEST_PARALLEL_INDEX ?? 0);

const programs = {
  portal: { port: first, settings: {} },
  // A second factor is asked for only when something needs it, and tokens live 70 seconds.
  'short tokens': { port: first + 1, settings: { REQUIRE_MFA: 'off', TOKEN_SECONDS: '70' } },
  // People sign in at another provider, which the stories start as they need it.
  'another provider': {
    port: first + 2,
    settings: {
      ISSUER_URI: `http://localhost:${first + 3}`,
      SUPPORT_URL: 'https://support.example.net/',
      REQUIRE_MFA: 'off',
      ROLES: 'web',
    },
  },
} satisfies Record<string, { port: number; settings: Record<string, string> }>;

/** The real program, by how it is set up. */
export type ProgramName = keyof typeof programs;

/** Where the stories start the other provider of the program that asks it. */
export const anotherProviderPort = first + 3;

export type Programs = {
  /** The address of a program, which is started when it is first asked for, on a database of its own in memory. */
  addressOf(name: ProgramName): Promise<string>;
  stop(): Promise<void>;
};

export function openPrograms(): Programs {
  const running = new Map<ProgramName, Promise<Running>>();
  const folders: string[] = [];
  const run = (name: ProgramName): Promise<Running> => {
    const { port, settings } = programs[name];
    const folder = path.join(os.tmpdir(), `portal-e2e-${process.pid}-${port}`);
    folders.push(folder);
    return start(process.execPath, ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts', 'serve'], {
      ready: `http://localhost:${port}/readyz`,
      seconds: 120,
      environment: {
        PORT: String(port),
        DATABASE_URL: 'memory://',
        WHOIS_PORT: '0',
        DATA_DIR: folder,
        DEMO: 'on',
        LOG_LEVEL: 'warn',
        ...settings,
      },
    });
  };
  return {
    async addressOf(name) {
      if (!running.has(name)) running.set(name, run(name));
      await running.get(name);
      return `http://localhost:${programs[name].port}`;
    },
    async stop() {
      for (const program of running.values()) await (await program).stop();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}
