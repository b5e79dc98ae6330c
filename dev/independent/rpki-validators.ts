import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';
import { installed } from './program.ts';

export { freePort } from './program.ts';

const run = promisify(execFile);

/** Other people's validators on this machine. rpki-client drops to a user of its own, and trusts the certificates of the machine alone. */
const rpkiClient = installed('/usr/sbin/rpki-client', '/usr/bin/rpki-client');
const fort = installed('/usr/bin/fort');
const rsyncProgram = installed('/usr/bin/rsync');
/** rpki-client knows version 1 of the profile of provider authorisations from 8.5 on. */
export const knowsAspas = rpkiClient !== null && versionOf(rpkiClient) >= 8.5;
const isRoot = process.getuid?.() === 0;
/** rpki-client can be given a certificate authority of our own only in a mount namespace, which takes root. */
export const canRunValidators = rpkiClient !== null && fort !== null && rsyncProgram !== null && isRoot;

export type Transport = 'rrdp' | 'rsync';
export type Validator = 'rpki-client' | 'fort';
export type Validated = { vrps: string[]; warnings: string[] };

/** A certificate authority and a server certificate for localhost, made by openssl as people do. */
export async function makeTls(folder: string): Promise<{ key: string; cert: string; authority: string; hashed: string }> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  );
  await openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(at('server.ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  await openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-out',
    'server.pem',
    '-extfile',
    'server.ext',
  );
  mkdirSync(at('hashed'), { recursive: true });
  writeFileSync(path.join(at('hashed'), 'ca.pem'), readFileSync(at('ca.pem')));
  await run('openssl', ['rehash', at('hashed')]);
  return {
    key: readFileSync(at('server.key'), 'utf8'),
    cert: readFileSync(at('server.pem'), 'utf8'),
    authority: at('ca.pem'),
    hashed: at('hashed'),
  };
}

/** Answers requests without a network. */
type Answering = {
  inject: (request: {
    method: 'GET';
    url: string;
    headers: Record<string, string>;
  }) => Promise<{ statusCode: number; headers: object; rawPayload: Buffer }>;
};

/** Serves the portal's answers over TLS: as a proxy in front of it would. */
export async function serveTls(
  http: Answering,
  { key, cert }: { key: string; cert: string },
  port: number,
  host: string,
): Promise<{ asked: string[]; close: () => Promise<void> }> {
  const asked: string[] = [];
  const server = https.createServer({ key, cert }, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'host'));
    void http
      .inject({
        method: request.method as 'GET',
        url: request.url!,
        headers: { ...(headers as Record<string, string>), host },
      })
      .then(answer => {
        response.writeHead(answer.statusCode, answer.headers as Record<string, string>);
        response.end(answer.rawPayload);
      });
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  return {
    asked,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** An rsync daemon for one folder, by the configuration the product makes for it. */
export async function serveRsync(configuration: string, folder: string, port: number): Promise<{ stop: () => void }> {
  const file = path.join(folder, 'rsyncd.conf');
  writeFileSync(file, configuration);
  const child = spawn(rsyncProgram!, ['--daemon', '--no-detach', `--config=${file}`, `--port=${port}`, '--address=127.0.0.1'], {
    stdio: 'ignore',
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  for (let tries = 0; tries < 100; tries++) {
    const isUp = await run(rsyncProgram!, [`rsync://127.0.0.1:${port}/`]).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return {
    stop: () => {
      process.off('exit', kill);
      kill();
    },
  };
}

/** `tal`: the locator of the registry, or several by their names. */
type Validating = { folder: string; tal: string | ReadonlyMap<string, string>; authority: string; hashed: string };

/** A validator with a cache that lasts from one run to the next. The other transport is switched off, because a failure of one would hide behind it. */
export function validatorOf(
  kind: Validator,
  transport: Transport,
  { folder, tal, authority, hashed }: Validating,
): () => Promise<Validated> {
  const own = path.join(folder, `${kind}-${transport}`);
  const at = (name: string): string => path.join(own, name);
  for (const name of ['cache', 'out', 'tal']) mkdirSync(at(name), { recursive: true });
  const tals = typeof tal === 'string' ? new Map([['registry', tal]]) : tal;
  const talFiles = [...tals].map(([name, content]) => {
    const file = path.join(at('tal'), `${name}.tal`);
    writeFileSync(file, content);
    return file;
  });
  return kind === 'fort' ? () => runFort(transport, { at, hashed }) : () => runRpkiClient(transport, { at, own, talFiles, authority });
}

async function runFort(transport: Transport, { at, hashed }: { at: (name: string) => string; hashed: string }): Promise<Validated> {
  const out = at('out/roa.csv');
  rmSync(out, { force: true });
  const { stdout, stderr } = await run(fort!, [
    '--mode=standalone',
    `--tal=${at('tal')}`,
    `--local-repository=${at('cache')}`,
    `--output.roa=${out}`,
    '--output.format=csv',
    ...(transport === 'rrdp' ? ['--rsync.enabled=false', `--http.ca-path=${hashed}`] : ['--http.enabled=false']),
    '--log.output=console',
    '--log.level=warning',
    '--validation-log.enabled=true',
    '--validation-log.output=console',
    '--validation-log.level=warning',
  ]);
  const warnings = `${stdout}\n${stderr}`
    .split('\n')
    .filter(line => /\b(?:WRN|ERR|CRT)\b/.test(line))
    // Of the level of warnings, and none.
    .filter(line => !/The validation has (?:begun|successfully ended)\.$/.test(line));
  const lines = readFileSync(out, 'utf8').trim().split('\n').slice(1);
  return { vrps: lines.map(line => vrpOf(line.split(','))).sort(), warnings };
}

type ClientRun = { at: (name: string) => string; own: string; talFiles: string[]; authority: string };

async function runRpkiClient(transport: Transport, { at, own, talFiles, authority }: ClientRun): Promise<Validated> {
  await run('chown', ['-R', '_rpki-client', at('cache'), at('out')]);
  for (let folder = own; folder !== '/tmp' && folder !== '/'; folder = path.dirname(folder)) chmodSync(folder, 0o755);
  for (const file of talFiles) chownSync(file, 0, 0);
  const bundle = at('bundle.pem');
  writeFileSync(bundle, readFileSync(authority));
  const client = [
    rpkiClient!,
    ...(transport === 'rrdp' ? ['-e', '/bin/false'] : ['-R']),
    '-v',
    '-c',
    '-j',
    ...talFiles.flatMap(file => ['-t', file]),
    '-d',
    at('cache'),
    at('out'),
  ];
  const trusted = '/etc/ssl/certs/ca-certificates.crt';
  const { stdout, stderr } = await run('unshare', ['-m', 'bash', '-c', `mount --bind ${bundle} ${trusted} && exec ${client.join(' ')}`]);
  // -v says what it does; what is wrong names the file or the kind of failure.
  const warnings = `${stdout}\n${stderr}`
    .split('\n')
    .filter(line =>
      /warning|error|fail|expired|revoked|stale|mismatch|invalid|missing|gap|not permitted|unable|synchronisation/i.test(line),
    )
    .filter(
      line =>
        !/Processing time|^Route Origin Authorizations|^ASPA|^Certificates|^Trust Anchor|^Manifests|^Certificate revocation|^Ghostbuster|^Router|^Repositories|^Cleanup|^VRP|^VAP/.test(
          line,
        ),
    )
    // What the tables of figures say of counts other than zero.
    .filter(line => !/\(0 .*\)/.test(line));
  const found = JSON.parse(readFileSync(at('out/json'), 'utf8')) as {
    metadata: Record<string, number>;
    roas: { asn: number; prefix: string; maxLength: number }[];
  };
  const wrong = ['failedroas', 'invalidroas', 'failedaspas', 'invalidaspas', 'invalidcertificates', 'failedmanifests', 'stalemanifests'];
  for (const name of wrong) if ((found.metadata[name] ?? 0) > 0) warnings.push(`${name}: ${found.metadata[name]}`);
  return { vrps: found.roas.map(({ asn, prefix, maxLength }) => `AS${asn} ${prefix}-${maxLength}`).sort(), warnings };
}

/** Returns what rpki-client says of one signed object, such as a checklist, with the cache of an earlier run with the same locator. */
export async function validateFile(file: string, { folder, transport }: { folder: string; transport: Transport }): Promise<string> {
  const own = path.join(folder, `rpki-client-${transport}`);
  chmodSync(file, 0o644);
  const args = ['-t', path.join(own, 'tal/registry.tal'), '-d', path.join(own, 'cache'), '-f', file];
  const { stdout } = await run(rpkiClient!, args);
  return /^Validation:\s+(.*)$/m.exec(stdout)?.[1] ?? stdout;
}

const vrpOf = ([asn, prefix, maxLength]: string[]): string => `${asn!.startsWith('AS') ? asn : `AS${asn}`} ${prefix}-${maxLength}`;

/** `rpki-client-portable 8.2` says its version on the error output. */
function versionOf(program: string): number {
  const { stdout, stderr } = spawnSync(program, ['-V'], { encoding: 'utf8' });
  return Number(/(\d+\.\d+)/.exec(`${stdout}${stderr}`)?.[1] ?? 0);
}
