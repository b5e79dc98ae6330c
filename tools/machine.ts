import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { apacheIsInstalled } from '../dev/independent/apache.ts';
import { webkitIsInstalled } from '../dev/browsers/webkit.ts';
import { glewlwydIsInstalled } from '../dev/independent/glewlwyd.ts';
import { findChromium, findWholeChromium } from './chromium.ts';
import { findFirefox } from './firefox.ts';

/** Something on this machine that tests use when it is there; `without` says what is skipped then. */
type Found = { name: string; found: string | null; without: string };

function firstLine(program: string, ...args: string[]): string | null {
  try {
    const output = execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 10_000 });
    return output.trim().split('\n')[0] ?? '';
  } catch (error) {
    // A program that dislikes the question is there all the same.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'version unknown';
  }
}

function postgres(): string | null {
  const versions = '/usr/lib/postgresql';
  const debian = existsSync(versions) ? readdirSync(versions).map(version => path.join(versions, version, 'bin/postgres')) : [];
  for (const program of ['postgres', ...debian.filter(existsSync)]) {
    const version = firstLine(program, '--version');
    if (version) return version;
  }
  return null;
}

/** Returns what this machine has, and what is skipped because it is missing. */
export async function machine(): Promise<Found[]> {
  const chromium = await findChromium();
  return [
    {
      name: 'PostgreSQL',
      found: process.env.TEST_DATABASE_URL ? 'the server of TEST_DATABASE_URL' : postgres(),
      without: 'tests that repeat on a PostgreSQL server what they did on the embedded database',
    },
    { name: 'Chromium', found: chromium && `${chromium.version} (${chromium.path}, ${chromium.from})`, without: 'all browser tests' },
    {
      name: 'Chromium with windows',
      found: process.env.CHROMIUM_PATH ? 'CHROMIUM_PATH' : (findWholeChromium()?.version ?? null),
      without: 'nothing: its stories run in the other Chromium (Debian package chromium)',
    },
    { name: 'Firefox', found: findFirefox()?.version ?? null, without: 'stories of the main journeys in it (Debian package firefox-esr)' },
    {
      name: 'WebKit',
      found: webkitIsInstalled ? firstLine('/usr/bin/WebKitWebDriver', '--version') : null,
      without: 'stories of the main journeys in it (Debian packages webkit2gtk-driver, xvfb)',
    },
    {
      name: 'Glewlwyd',
      found: glewlwydIsInstalled ? `Glewlwyd ${firstLine('glewlwyd', '--version')}` : null,
      without: 'tests with another OpenID provider (Debian packages glewlwyd, sqlite3)',
    },
    {
      name: 'Apache',
      found: apacheIsInstalled ? firstLine('/usr/sbin/apache2', '-v') : null,
      without: 'tests with another OpenID client (Debian packages apache2, libapache2-mod-auth-openidc)',
    },
    { name: 'rpki-client', found: firstLine('rpki-client', '-V'), without: 'nothing yet' },
    {
      name: 'SoftHSM',
      found: firstLine('softhsm2-util', '--version') && firstLine('pkcs11-tool', '--version') && 'SoftHSM with pkcs11-tool',
      without: 'a test of keys in a hardware module (Debian packages softhsm2, opensc)',
    },
    { name: 'PgBouncer', found: firstLine('pgbouncer', '--version'), without: 'tests through a pooler (Debian package pgbouncer)' },
    { name: 'HAProxy', found: firstLine('/usr/sbin/haproxy', '-v'), without: 'tests behind it (Debian package haproxy)' },
    { name: 'nginx', found: firstLine('/usr/sbin/nginx', '-v'), without: 'tests behind it (Debian package nginx-light)' },
    { name: 'bgpq4', found: firstLine('bgpq4', '-v'), without: 'a test of port 43 with it (Debian package bgpq4)' },
    { name: 'bgpq3', found: firstLine('bgpq3', '-v'), without: 'a test of port 43 with it (Debian package bgpq3)' },
    { name: 'whois', found: firstLine('whois', '--version'), without: 'a test of port 43 with it (Debian package whois)' },
    { name: 'NSD', found: firstLine('/usr/sbin/nsd', '-v'), without: 'tests of reverse zones on name servers (Debian package nsd)' },
    {
      name: 'BIND',
      found: firstLine('/usr/sbin/named', '-v'),
      without: 'tests of reverse zones on name servers (Debian packages bind9, bind9-utils)',
    },
    { name: 'Knot', found: firstLine('/usr/sbin/knotd', '-V'), without: 'a test of its configuration (Debian package knot)' },
    {
      name: 'Zonemaster',
      found: firstLine('zonemaster-cli', '--version'),
      without: 'the comparison of our checks of zones with its checks (Debian package zonemaster-cli)',
    },
    {
      name: 'Belenios',
      found: firstLine('belenios-tool', '--version'),
      without: 'tests of elections with it: what it makes we verify, and the other way round (Debian package belenios-tool)',
    },
    {
      name: 'systemd',
      found: firstLine('systemd-analyze', '--version'),
      without: 'checks of the units for one machine with it (Debian package systemd)',
    },
    {
      name: 'promtool',
      found: firstLine('promtool', '--version'),
      without: 'tests of the alert rules with it (Debian package prometheus)',
    },
    { name: 'rsync', found: firstLine('rsync', '--version'), without: 'nothing yet' },
  ];
}
