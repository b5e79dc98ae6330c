import { defineConfig } from '@playwright/test';
import os from 'node:os';
import path from 'node:path';
import { findChromium } from './tools/chromium.ts';

const chromium = await findChromium();
if (!chromium) throw new Error('There is no Chromium here: install one, or name it in CHROMIUM_PATH.');

// Names what the processes of one run share.
process.env.E2E_RUN ??= String(process.pid);
const port = Number(process.env.E2E_PORT ?? 47250);

/** The browser tests run against the real program on a database of their own in memory. */
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
  webServer: {
    command: 'node --disable-warning=ExperimentalWarning apps/server/src/main.ts serve',
    env: {
      PORT: String(port),
      DATABASE_URL: 'memory://',
      DATA_DIR: path.join(os.tmpdir(), `portal-e2e-${process.env.E2E_RUN}`),
      DEMO: 'on',
      LOG_LEVEL: 'warn',
    },
    url: `http://localhost:${port}/readyz`,
    timeout: 120_000,
    reuseExistingServer: false,
    stdout: 'ignore',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
