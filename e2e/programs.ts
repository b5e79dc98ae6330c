import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { productFlags, type Running, start } from '../dev/independent/program.ts';

/**
 * Ports of this worker's programs: thirteen for each, so that stories of several files run side by side and none sees what another changed. They are below
 * those that the system gives to connections (32768 and up on Linux), one of which would be taken now and then.
 */
const first = Number(process.env.E2E_PORT ?? 27250) + 13 * Number(process.env.TEST_PARALLEL_INDEX ?? 0);

/** Address of the chat of the program with other services, which listens only while a story needs it. */
const chatAddress = `http://127.0.0.1:${first + 11}`;
/** Port at which the stories start that chat. */
export const chatPort = first + 11;

const programs = {
  portal: { port: first, settings: {} },
  // A second factor is requested only when needed, and tokens are valid for 70 seconds.
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
  // Framed pages come from another origin, which the same program answers.
  'manager elsewhere': {
    port: first + 4,
    settings: { RESOURCE_MANAGER_URL: `http://manager.localhost:${first + 4}`, TRUSTED_HOSTS: `manager.localhost:${first + 4}` },
  },
  // It reports its errors to an address where the stories listen.
  'reports its errors': {
    port: first + 5,
    settings: { ERROR_REPORTING_DSN: `http://key@localhost:${first + 6}/1`, ERROR_REPORTING_PERSONAL_DATA: 'yes' },
  },
  // Holders change in it, and an account is closed, which would break other stories.
  'changes of holder': { port: first + 7, settings: {} },
  // Members pay, chat and look up events at other services, which the stories start as they need them.
  'other services': {
    port: first + 9,
    settings: {
      STRIPE_KEY: 'sk_test_stories',
      STRIPE_WEBHOOK_SECRET: 'whsec_stories',
      STRIPE_URL: `http://127.0.0.1:${first + 8}`,
      CHAT_CONFIG: JSON.stringify({
        baseCoreURL: chatAddress,
        communityEndpointURL: `${chatAddress}/community`,
        gslbBaseURL: chatAddress,
        orgId: '00D',
        eswConfigDevName: 'Portal',
        mergeSettings: {},
      }),
    },
  },
  // It is started again with its clock ahead, so that elections open and close, and second factors get old.
  'moved clock': {
    port: first + 10,
    settings: { STEP_UP_MAX_AGE_STAFF: '360', REGISTRY_PROFILE: path.join(import.meta.dirname, 'short-objections-profile.json') },
  },
  // The demo registry as it was made: nothing is changed in it.
  untouched: { port: first + 12, settings: {} },
} satisfies Record<string, { port: number; settings: Record<string, string> }>;

/** The real program, by how it is set up. */
export type ProgramName = keyof typeof programs;

/** The programs whose clock the stories move. */
const withMovedClock = ['moved clock', 'manager elsewhere'] as const;
type WithMovedClock = (typeof withMovedClock)[number];

/** As long for every number: who reads while it is written finds the old one or the new one. */
const clockText = (ahead: number): string => String(ahead).padEnd(16);

/** Port at which the stories start the other provider for the program that uses it. */
export const anotherProviderPort = first + 3;

/** Keys and port of the payment provider of the program whose members pay online. */
export const paymentProvider = { key: 'sk_test_stories', webhookSecret: 'whsec_stories', port: first + 8 };

/** Address that one program sends reports of its errors to. */
export const reportsAddress = `http://localhost:${first + 6}`;

export type Programs = {
  /** Returns the address of a program, which is started on first use, on its own demo registry, and anew on another one if its clock was moved for another file of stories. */
  addressOf(name: ProgramName, file: string): Promise<string>;
  /** Restarts a program on its registry, with its clock this many milliseconds ahead: what was due meanwhile is done at its start. */
  moveClock(name: WithMovedClock, ahead: number): Promise<void>;
  /** Moves the clock of a program that runs: for what a request compares with the time, such as the age of a second factor. Starting it again is 6 s of processor. */
  turnClock(name: WithMovedClock, ahead: number): Promise<void>;
  /** Returns how far the clock of a program is ahead, in ms. */
  clockOf(name: WithMovedClock): number;
  stop(): Promise<void>;
};

/** The program, with the flags of its commands; the stories of Glewlwyd start theirs as in production. */
const program = [...productFlags, 'apps/server/src/main.ts'];
/** One-time keys of the RPKI made ahead: each takes a tenth of a second of processor. */
const KEY_POOL = '20';
const settingsOfAll = { DATABASE_URL: '', WHOIS_PORT: '0', DEMO: 'on', LOG_LEVEL: 'warn', RPKI_KEY_POOL: KEY_POOL };

/** Returns whether each periodic work of the program at this address has succeeded once, and the one-time keys are made. */
async function isSettled(address: string): Promise<boolean> {
  const lines = (await (await fetch(`${address}/metrics`)).text()).split('\n');
  const works = lines.filter(line => line.startsWith('periodic_work_last_success_seconds'));
  return works.length > 0 && works.every(line => !line.endsWith(' 0')) && lines.includes(`rpki_one_time_keys ${KEY_POOL}`);
}

/**
 * Loads the demo registry into a folder, and lets a program do in it what it does on its first start: publishing, making keys ahead, and all periodic work. That is 8 s of
 * processor that each program of the stories would need otherwise, while people wait for it.
 */
async function makeDemoRegistry(folder: string): Promise<void> {
  const environment = { ...settingsOfAll, DATA_DIR: folder };
  await promisify(execFile)(process.execPath, [...program, 'registry', 'demo', 'load'], { env: { ...process.env, ...environment } });
  const address = `http://localhost:${first}`;
  const running = await start(process.execPath, [...program, 'serve'], {
    ready: `${address}/readyz`,
    seconds: 120,
    environment: { ...environment, PORT: String(first) },
  });
  try {
    await expect
      .poll(() => isSettled(address), { message: 'all periodic work is done once', intervals: [500], timeout: 120_000 })
      .toBe(true);
  } finally {
    await running.stop();
  }
}

/** Returns the folder with an unused demo registry: the first worker that needs it creates it, the others wait. Copying it takes half a second, creating it 30. */
export async function demoRegistry(): Promise<string> {
  const made = path.join(process.env.E2E_FOLDER!, 'demo');
  const turn = `${made}.turn`;
  if (existsSync(made)) return made;
  const isMine = await mkdir(turn).then(
    () => true,
    () => false,
  );
  if (!isMine) {
    await expect
      .poll(() => existsSync(made), { message: 'another worker makes the demo registry', intervals: [100], timeout: 200_000 })
      .toBe(true);
    return made;
  }
  const draft = `${made}.draft`;
  try {
    await makeDemoRegistry(draft);
    await rename(draft, made);
  } catch (error) {
    // The next one retries.
    await rm(draft, { recursive: true, force: true });
    await rmdir(turn);
    throw error;
  }
  return made;
}

export function openPrograms(): Programs {
  const running = new Map<ProgramName, Promise<Running>>();
  const folders: string[] = [];
  const folderOf = (name: ProgramName): string => path.join(process.env.E2E_FOLDER!, `${process.pid}-${programs[name].port}`);
  const run = async (name: ProgramName): Promise<Running> => {
    if (!folders.includes(folderOf(name))) folders.push(folderOf(name));
    await cp(await demoRegistry(), folderOf(name), { recursive: true });
    return serve(name);
  };
  /** The file that says how far the clock of a program is ahead, in milliseconds. */
  const clockFile = (name: ProgramName): string => `${folderOf(name)}.clock`;
  /** How far it is. */
  const clocks = new Map<ProgramName, number>();
  /** The file of stories that used it last. */
  const usedBy = new Map<ProgramName, string>();
  const serve = async (name: ProgramName, ahead = 0): Promise<Running> => {
    const { port, settings } = programs[name];
    const clock: string[] = [];
    if (withMovedClock.some(moved => moved === name)) {
      await writeFile(clockFile(name), clockText(ahead));
      clocks.set(name, ahead);
      clock.push('--import', `${new URL('moved-clock.ts', import.meta.url).href}?file=${encodeURIComponent(clockFile(name))}`);
    }
    return start(process.execPath, [...clock, ...program, 'serve'], {
      ready: `http://localhost:${port}/readyz`,
      seconds: 120,
      environment: { ...settingsOfAll, PORT: String(port), DATA_DIR: folderOf(name), ...settings },
    });
  };
  return {
    async addressOf(name, file) {
      if (clocks.get(name) && usedBy.get(name) !== file) {
        await (await running.get(name))?.stop();
        await rm(folderOf(name), { recursive: true, force: true });
        running.delete(name);
      }
      usedBy.set(name, file);
      if (!running.has(name)) running.set(name, run(name));
      await running.get(name);
      return `http://localhost:${programs[name].port}`;
    },
    async moveClock(name, ahead) {
      await (await running.get(name))?.stop();
      running.set(name, serve(name, ahead));
      await running.get(name);
    },
    async turnClock(name, ahead) {
      // Back in time goes only a program that starts.
      if (!running.has(name) || ahead < (clocks.get(name) ?? 0)) return this.moveClock(name, ahead);
      await running.get(name);
      await writeFile(clockFile(name), clockText(ahead), { flag: 'r+' });
      clocks.set(name, ahead);
    },
    clockOf: name => clocks.get(name) ?? 0,
    async stop() {
      for (const program of running.values()) await (await program).stop();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}
