import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDnsClient } from '../../apps/server/src/adapters/dns/client.ts';

/** A name server of another house that runs on this machine, and how it is asked to read its files again. */
export type ZoneServer = { address: string; port: number; reload: string; stop: () => Promise<void> };
type Setting = { folder: string; address?: string; port: number; zones: string };

function running(program: string, parameters: readonly string[]): { child: ChildProcess; stop: () => Promise<void> } {
  const child = spawn(program, parameters, { stdio: 'ignore' });
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  return {
    child,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
      process.off('exit', kill);
    },
  };
}

/** Starts NSD with zones as its configuration has them. */
export function startNsd({ folder, address = '127.0.0.1', port, zones }: Setting): ZoneServer {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'nsd.conf');
  writeFileSync(
    file,
    `server:\n  ip-address: ${address}\n  port: ${port}\n  username: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/nsd.pid"\n  xfrdfile: "${folder}/xfrd.state"\n  zonelistfile: "${folder}/zone.list"\n  logfile: "${folder}/nsd.log"\n  server-count: 1\n  tcp-count: 200\n  rrl-ratelimit: 0\nremote-control:\n  control-enable: yes\n  control-interface: ${folder}/nsd.sock\n${zones}`,
  );
  const { stop } = running('/usr/sbin/nsd', ['-d', '-c', file]);
  return { address, port, reload: `/usr/sbin/nsd-control -c ${file} reload`, stop };
}

/** Starts BIND with zones as its configuration has them. */
export function startBind({ folder, address = '127.0.0.1', port, zones }: Setting): ZoneServer {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'named.conf');
  writeFileSync(
    file,
    `options { directory "${folder}"; pid-file "${folder}/named.pid"; session-keyfile "${folder}/session.key"; managed-keys-directory "${folder}"; listen-on port ${port} { ${address}; }; listen-on-v6 { none; }; recursion no; dnssec-validation no; empty-zones-enable no; serial-query-rate 1000; };\ncontrols { };\nlogging { channel l { file "${folder}/named.log"; }; category default { l; }; };\n${zones}`,
  );
  const { child, stop } = running('/usr/sbin/named', ['-f', '-n', '1', '-c', file]);
  return { address, port, reload: `/bin/kill -HUP ${child.pid}`, stop };
}

/** Starts Knot with zones as its configuration has them. */
export function startKnot({ folder, address = '127.0.0.1', port, zones }: Setting): ZoneServer {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'knot.conf');
  writeFileSync(
    file,
    `server:\n    rundir: "${folder}"\n    listen: ${address}@${port}\n    udp-workers: 1\n    tcp-workers: 1\n    background-workers: 1\ndatabase:\n    storage: "${folder}/db"\n    journal-db-max-size: 16M\nlog:\n  - target: "${folder}/knot.log"\n    any: info\n${zones}`,
  );
  const { stop } = running('/usr/sbin/knotd', ['-c', file]);
  return { address, port, reload: `/usr/sbin/knotc -c ${file} reload`, stop };
}

const client = openDnsClient();
/** Returns the servers of a delegation as a name server answers; empty while it doesn't. */
export async function delegationAt({ address, port }: Pick<ZoneServer, 'address' | 'port'>, zone: string): Promise<string[]> {
  const { message } = await client.query(address, { name: zone, type: 'NS' }, { transport: 'udp', port, timeoutMs: 500 });
  return [...(message?.authority ?? []), ...(message?.answers ?? [])]
    .filter(({ name, type }) => name === zone && type === 2)
    .map(({ data }) => nameOf(data))
    .toSorted();
}

function nameOf(data: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; data[at]; at += data[at]! + 1) labels.push(data.toString('latin1', at + 1, at + 1 + data[at]!));
  return labels.join('.');
}
