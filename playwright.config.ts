import { defineConfig } from '@playwright/test';
import os from 'node:os';
import path from 'node:path';
import { findChromium } from './tools/chromium.ts';

const chromium = await findChromium();
if (!chromium) throw new Error('There is no Chromium here: install one, or name it in CHROMIUM_PATH.');

// Names what the processes of one run share.
process.env.E2E_RUN ??= String(process.pid);
const port = Number(process.env.E2E_PORT ?? 47250);

/** The real program on a database of its own in memory. */
const program = (listensOn: number, environment: Record<string, string>) => ({
  command: 'node --disable-warning=ExperimentalWarning apps/server/src/main.ts serve',
  env: {
    PORT: String(listensOn),
    WHOIS_PORT: '0',
    DATABASE_URL: 'memory://',
    DATA_DIR: path.join(os.tmpdir(), `portal-e2e-${process.env.E2E_RUN}-${listensOn}`),
    DEMO: 'on',
    LOG_LEVEL: 'warn',
    ...environment,
  },
  url: `http://localhost:${listensOn}/readyz`,
  timeout: 120_000,
  reuseExistingServer: false,
  stdout: 'ignore' as const,
  stderr: 'pipe' as const,
  gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 5_000 },
});

/** The browser tests run against the real program. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    browserName: 'chromium',
    locale: 'en-AU',
    timezoneId: 'Australia/Brisbane',
    launchOptions: { executablePath: chromium.path, args: chromium.args },
    trace: 'retain-on-failure',
  },
  webServer: [
    program(port, {}),
    // Here a second factor is asked for only when something needs it, and tokens live 70 seconds.
    program(port + 1, { REQUIRE_MFA: 'off', TOKEN_SECONDS: '70' }),
    // Here people sign in at another provider, which the stories start as they need it.
    program(port + 2, {
      ISSUER_URI: `http://localhost:${port + 3}`,
      SUPPORT_URL: 'https://support.example.net/',
      REQUIRE_MFA: 'off',
      ROLES: 'web',
    }),
  ],
});
