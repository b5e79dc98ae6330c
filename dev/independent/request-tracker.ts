import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort, installed, type Running, start } from './program.ts';

const server = installed('/usr/share/request-tracker5/libexec/rt-server');
const setUp = installed('/usr/sbin/rt-setup-database-5');
const perl = installed('/usr/bin/perl');
const sqlite = installed('/usr/share/doc/rt5-db-sqlite');

/** True if Request Tracker 5 and its SQLite are on this machine. */
export const requestTrackerIsInstalled = server !== null && setUp !== null && sqlite !== null && perl !== null;

export type RequestTracker = {
  url: string;
  /** A call of REST 2 as a person of the registry. */
  ask(method: 'GET' | 'POST' | 'PUT', at: string, body?: unknown): Promise<unknown>;
  /** Lets no one reach it any more, as if it were down. */
  stop(): Promise<void>;
  /** Lets it be reached again. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** All rights that the portal needs in the queues it works with: to find and read tickets, create them, answer, comment and change states. */
const portalRights = ['SeeQueue', 'ShowTicket', 'CreateTicket', 'ReplyToTicket', 'CommentOnTicket', 'ModifyTicket'];

/** Starts a Request Tracker with a SQLite database in a temporary folder; the portal is its user `portal` with no more rights than it needs, people of the registry `stan`. */
export async function startRequestTracker(queues: readonly string[]): Promise<RequestTracker> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-rt-'));
  const [port, inner] = [await freePort(), await freePort()];
  const site = path.join(folder, 'site');
  mkdirSync(site);
  const config = path.join(site, 'RT_SiteConfig.pm');
  const set: Record<string, string> = {
    rtname: 'rt.example',
    Organization: 'rt.example',
    WebDomain: '127.0.0.1',
    WebPort: String(port),
    DatabaseType: 'SQLite',
    DatabaseName: path.join(folder, 'rt5'),
    LogToSTDERR: 'warning',
    MailCommand: 'testfile',
    MasonDataDir: path.join(folder, 'mason'),
  };
  writeFileSync(
    config,
    `${Object.entries(set)
      .map(([name, value]) => `Set($${name}, '${value}');`)
      .join('\n')}\nSet($LogToSyslog, undef);\nSet(%GnuPG, Enable => 0);\nSet(%SMIME, Enable => 0);\n1;\n`,
  );
  const environment = { RT_SITE_CONFIG: config, RT_SITE_CONFIG_DIR: site };
  execFileSync(setUp!, ['--action', 'init', '--skip-create'], { env: { ...process.env, ...environment }, stdio: 'pipe' });
  const origin = `http://127.0.0.1:${inner}`;
  const running: Running = await start(server!, ['--port', String(inner), '--host', '127.0.0.1'], {
    ready: `${origin}/REST/2.0/rt`,
    environment,
    seconds: 120,
  });
  const door = await openDoor(port, inner);
  const call = async (user: string, method: string, at: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${origin}/REST/2.0/${at}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(user).toString('base64')}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Request Tracker: ${method} ${at}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  for (const Name of queues) await call('root:password', 'POST', 'queue', { Name });
  await call('root:password', 'POST', 'user', {
    Name: 'stan',
    EmailAddress: 'stan@registry.example',
    Password: 'stan-of-the-registry',
    Privileged: 1,
  });
  await call('root:password', 'POST', 'user', {
    Name: 'portal',
    EmailAddress: 'portal@registry.example',
    Password: 'portal-of-members',
    Privileged: 1,
  });
  const rights = `use lib '/usr/share/request-tracker5/lib'; use RT -init; my $u = RT::User->new(RT->SystemUser); $u->Load('stan'); $u->PrincipalObj->GrantRight(Right => 'SuperUser', Object => RT->System) or die; my $p = RT::User->new(RT->SystemUser); $p->Load('portal'); for my $q (qw(General ${queues.join(' ')})) { my $queue = RT::Queue->new(RT->SystemUser); $queue->Load($q); $p->PrincipalObj->GrantRight(Right => $_, Object => $queue) or die for qw(${portalRights.join(' ')}); }`;
  execFileSync(perl!, ['-e', rights], { env: { ...process.env, ...environment }, stdio: 'pipe' });
  return {
    url: `http://portal:portal-of-members@127.0.0.1:${port}`,
    ask: (method, at, body) => call('stan:stan-of-the-registry', method, at, body),
    start: door.open,
    stop: door.shut,
    close: async () => {
      await door.shut();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Hands connections to a port on to another one. Shut, it refuses them and ends those that are there: to start a Request Tracker anew takes five seconds of processor. */
async function openDoor(port: number, inner: number): Promise<{ open: () => Promise<void>; shut: () => Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket, other: net.Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const door = net.createServer(socket => {
    const behind = net.connect(inner, '127.0.0.1');
    keep(socket, behind);
    keep(behind, socket);
    socket.pipe(behind).pipe(socket);
  });
  const open = async (): Promise<void> => {
    door.listen(port, '127.0.0.1');
    await once(door, 'listening');
  };
  const shut = async (): Promise<void> => {
    if (!door.listening) return;
    const closed = once(door, 'close');
    door.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  return { open, shut };
}
