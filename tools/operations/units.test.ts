import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../../apps/server/src/config.ts';
import { root } from '../root.ts';

const folder = path.join(root, 'ops/systemd');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.(service|conf|timer|target)$/.test(name));
const services = files.filter(name => name.endsWith('.service'));
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** Settings of a unit as its lines have them, without comments. */
const linesOf = (name: string): string[] =>
  read(name)
    .split('\n')
    .filter(line => /^\w+=/.test(line));

/** The highest exposure, of 10, that systemd may find; each unit has its own reasons in its comments. */
const exposures: Record<string, number> = {
  'myregistry.service': 1.6,
  'myregistry@.service': 1.2,
  'myregistry-rsyncd.service': 1.5,
  'myregistry-backup.service': 1.2,
};

/** The units as a machine has them, with a program that is there, in a folder of its own. */
function installed(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'units-'));
  cpSync(folder, copy, { recursive: true });
  renameSync(path.join(copy, 'myregistry@.service'), path.join(copy, 'myregistry@web.service'));
  for (const name of readdirSync(copy).filter(each => each.endsWith('.service'))) {
    const file = path.join(copy, name);
    const text = readFileSync(file, 'utf8').replaceAll('/opt/myregistry/bin/myregistry', path.join(root, 'ops/bin/myregistry'));
    // Whether rsync is here is no matter of the unit.
    writeFileSync(file, text.replaceAll('/usr/bin/rsync', process.execPath));
  }
  return copy;
}

test('units of the program keep V8 able to compile, and a process able to know the boot of a lock', () => {
  for (const name of ['myregistry.service', 'myregistry@.service', 'myregistry-backup.service']) {
    const lines = linesOf(name);
    expect(lines).not.toContainEqual(expect.stringMatching(/^MemoryDenyWriteExecute=/));
    expect(lines).not.toContainEqual(expect.stringMatching(/^ProcSubset=/));
    // V8 is refused keys of memory, and not ended.
    expect(lines).toContain('SystemCallErrorNumber=EPERM');
  }
});

test('every service has an own user, a read-only system, a bound on memory and no new rights', () => {
  for (const name of services)
    expect(linesOf(name), name).toEqual(
      expect.arrayContaining([
        'User=myregistry',
        'ProtectSystem=strict',
        'NoNewPrivileges=yes',
        'SystemCallFilter=@system-service',
        expect.stringMatching(/^MemoryMax=\d+[GM]$/),
      ]),
    );
});

test('what units set in the environment are settings of the program', () => {
  const known = new Set(Object.values(settings).map(({ name }) => name));
  const set = files.flatMap(name => linesOf(name).flatMap(line => /^Environment=(.*)$/.exec(line)?.[1]?.split(' ') ?? []));
  expect(set.length).toBeGreaterThan(5);
  expect(set.filter(pair => !known.has(pair.split('=')[0]!))).toEqual([]);
});

test('roles on one machine listen on ports of their own', () => {
  const ports = files.flatMap(name => /HEALTH_PORT=(\d+)/.exec(read(name))?.[1] ?? []);
  expect(ports.length).toBe(3);
  expect(new Set([...ports, '8080']).size).toBe(4);
});

test.skipIf(!hasSystemd)('systemd finds nothing to say about the units', { timeout: 60_000 }, () => {
  const copy = installed();
  for (const name of readdirSync(copy).filter(each => /\.(service|timer|target)$/.test(each))) {
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path.join(copy, name)], { encoding: 'utf8' });
    // Other units of the machine are read too, and may be wrong.
    expect(`${stdout}${stderr}`.split('\n').filter(line => line.includes('myregistry'))).toEqual([]);
  }
});

test.skipIf(!hasSystemd)('systemd rates the exposure of each service as low', { timeout: 60_000 }, () => {
  expect(Object.keys(exposures).sort()).toEqual([...services].sort());
  const copy = installed();
  for (const [name, most] of Object.entries(exposures)) {
    const unit = path.join(copy, name.replace('@.', '@web.'));
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' });
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]), name).toBeLessThanOrEqual(most);
  }
});
