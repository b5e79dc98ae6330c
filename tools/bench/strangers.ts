import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { newKeys, selfHostedAuthority } from '../../packages/rpki-objects/test/self-hosted-authority.ts';
import { account, generated, type Kind, kinds } from './data/strangers.ts';
import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import { probe } from './programs/probe.ts';
import { root, serverFlags } from '../root.ts';
import { address, port, runCommand, startProgram, temporaryFolder } from './programs/program.ts';

/** Generated inputs of each kind. */
const GENERATED = Number(process.env.BENCH_GENERATED ?? 1_000);
/** Kinds of which the name has this in it: all without it. */
const KINDS = process.env.BENCH_KINDS ?? '';
/** Calls of the one member at the same time: as many as wait for each other, and one that is refused. */
const AT_ONCE = 5;

/** One member sends the worst that is accepted and thousands of broken inputs, at all limits, while another one works. The program is a process of its own. */
export const bench: Bench = {
  about: `the largest inputs of a member and ${GENERATED.toLocaleString('en')} generated ones of each kind, ${AT_ONCE} at a time, while others ask for /healthz and a page (demo registry on PostgreSQL; BENCH_GENERATED changes that, BENCH_KINDS=mails measures one kind)`,
  run: async () => {
    await using temporary = temporaryFolder();
    const { server, reason } = await throwawayPostgres({ inMemory: true });
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const database = await server.createDatabase();
    const environment = { DATA_DIR: temporary.folder, DATABASE_URL: database.url };
    await runCommand(['migrate'], environment);
    await runCommand(['demo', 'load'], environment);
    const db = await openDatabase({ url: database.url });
    try {
      const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
      const tokenOf = (name: string): Promise<string> => mintToken(db, config, name, { mfa: true });
      await using program = await startProgram(environment);
      // A token ends before all kinds are done: each has one of its own.
      const beside = async () => ({ pid: program.pid, page: await tokenOf('olive') });
      const figures: Figure[] = [];
      const asked = ({ name }: { name: string }): boolean => name.includes(KINDS);
      for (const kind of [...kinds, ...(await messages(await tokenOf('corin')))].filter(asked))
        figures.push(await figureOf(await beside(), kind, byHttp(kind, await tokenOf(kind.as ?? 'corin'))));
      if (asked(mails)) figures.push(await figureOf(await beside(), mails, text => byMail(text, environment), MAILS_AT_ONCE));
      return figures;
    } finally {
      await db.close();
      await database.drop();
    }
  },
};

/** Mails that the mail server hands over at the same time, as the help of `registry mail-in` has it for two processors. */
const MAILS_AT_ONCE = 1;

/** Sends an input, or reads a page (null). @returns the status of the answer */
type Deliver = (text: string | null, path: string) => Promise<number>;

const byHttp =
  ({ method = 'POST', type = 'application/json', wrap }: Kind, token: string): Deliver =>
  async (text, path) => {
    const authorization = `Bearer ${token}`;
    const init =
      text === null ? { headers: { authorization } } : { method, body: wrap(text), headers: { authorization, 'content-type': type } };
    const answer = await fetch(path.startsWith('/') ? `${address}${path}` : `${address}/api/${path}`, init);
    await answer.arrayBuffer();
    return answer.status;
  };

const mails: Pick<Kind, 'name' | 'path' | 'largest' | 'seed'> = {
  name: `mails, ${MAILS_AT_ONCE} at a time (200: taken, 400: refused, 503: to be handed over again)`,
  path: '',
  largest: [
    `From: corin@example-au.example\r\nSubject: a\r\nContent-Type: text/html\r\n\r\n${'<div>'.repeat(200_000)}`,
    `From: corin@example-au.example\r\nSubject: a\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n'.repeat(100_000)}`,
    `From: corin@example-au.example\r\nSubject: ${'=?utf-8?q?=41?= '.repeat(500_000)}\r\n\r\na`,
  ],
  seed: 'From: "A" <corin@example-au.example>\r\nTo: support@registry.example\r\nSubject: =?utf-8?q?Hello?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello</p>\r\n--x\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjcK\r\n--x--\r\n',
};

/** Hands a mail over as a mail server does. @returns 200 if it was taken, 400 if it was refused (77), 503 if it has to be handed over again (75), 500 for any other end */
async function byMail(text: string | null, environment: Record<string, string>): Promise<number> {
  const words = [
    ...serverFlags,
    'apps/server/src/main.ts',
    'registry',
    'mail-in',
    '--sender=corin@example-au.example',
    '--recipient=support@registry.example',
  ];
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, MAIL_IN: 'support@registry.example', APP_URL: address, DEMO: 'on', ...environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(text ?? '', 'latin1');
  const [code] = (await once(child, 'close')) as [number | null];
  return (
    new Map<number | null, number>([
      [0, 200],
      [77, 400],
      [75, 503],
    ]).get(code) ?? 500
  );
}

/** Connects an authority of the member, and returns its messages: signed ones whose content was changed, and ones that were changed after they were signed. */
async function messages(token: string): Promise<Kind[]> {
  const own = selfHostedAuthority('Example-AU', newKeys(), () => new Date());
  const at = `${address}/api/${account}/rpki/self-hosted`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (const [path, body] of [
    ['', { childRequest: own.childRequest }],
    ['/publication', { publisherRequest: own.publisherRequest }],
  ] as const) {
    const answer = await fetch(at + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  }
  type Connected = { authority: { parentResponse: string | null; publication: { repositoryResponse: string | null } | null } | null };
  for (;;) {
    const { authority } = (await (await fetch(at, { headers })).json()) as Connected;
    const { parentResponse, publication } = authority!;
    if (parentResponse === null || !publication?.repositoryResponse) {
      await pause(500);
      continue;
    }
    const base = own.baseOf(publication.repositoryResponse);
    const files = (count: number, length: number) =>
      new Map(Array.from({ length: count }, (_, n): [string, Uint8Array] => [`${base}${n}.roa`, new Uint8Array(length)]));
    const changed = (seed: string) => {
      const signed = own.message(seed).toString('latin1');
      return (text: string): Buffer => (text === seed || randomInt(2) === 0 ? own.message(text) : Buffer.from(generated(signed), 'latin1'));
    };
    return [
      {
        name: 'RPKI messages (RFC 8181)',
        path: own.serviceOf(publication.repositoryResponse),
        type: 'application/rpki-publication',
        wrap: changed(own.publish(files(2, 200))),
        largest: [own.publish(files(10_000, 200)), own.publish(files(2, 2_900_000)), `<msg>${' '.repeat(6_000_000)}</msg>`],
        seed: own.publish(files(2, 200)),
      },
      {
        name: 'RPKI messages (RFC 6492)',
        path: own.serviceOf(parentResponse),
        type: 'application/rpki-updown',
        wrap: changed(own.list),
        largest: [`<message>${'<a>'.repeat(15_000)}</message>`],
        seed: own.list,
      },
    ];
  }
}

/** Sends all inputs of a kind while others ask. */
async function figureOf(
  { pid, page: token }: { pid: number; page: string },
  { name, path, largest, seed, reads = [] }: Pick<Kind, 'name' | 'path' | 'largest' | 'seed' | 'reads'>,
  deliver: Deliver,
  atOnce = AT_ONCE,
): Promise<Figure> {
  const probes = [
    probe(`${address}/healthz`, {}),
    probe(`${address}/api/OTHER-SG/resources/summary`, { authorization: `Bearer ${token}` }),
  ];
  const waiting = [...largest, ...largest, ...Array.from({ length: GENERATED }, () => null)];
  const statuses = new Map<number, number>();
  const count = (status: number): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const given = waiting.shift()!;
      count(await deliver(given ?? generated(seed), path));
      // What was taken is read again.
      if (given !== null) for (const page of reads) count(await deliver(null, page));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  const [health, page] = (await Promise.all(probes.map(end => end()))) as [number[], number[]];
  // Throws if the program ended.
  process.kill(pid, 0);
  const failed = [...statuses].filter(([status]) => status >= 500 && status !== 503).reduce((sum, [, count]) => sum + count, 0);
  const p99 = Math.max(percentile(health, 0.99), percentile(page, 0.99));
  const answered = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  return {
    what: name,
    value: `p99 of /healthz ${milliseconds(percentile(health, 0.99))}, of a page ${milliseconds(percentile(page, 0.99))}; ${answered.join(', ')}`,
    budget: '200 ms, no 500',
    held: p99 <= 200 && failed === 0,
  };
}
