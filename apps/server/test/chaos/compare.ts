import { spawnSync } from 'node:child_process';
import { type PublishedFile, validateRepository } from '@portal/rpki-objects';
import { expect, vi } from 'vitest';
import { nodeCryptography } from '../../src/modules/rpki/authorities/cryptography.ts';
import { inherited } from '../processes/inherited.ts';
import { serverProgram } from '../processes/worker-programs.ts';
import type { RegistryOfRoles } from './registry-of-roles.ts';
import { asnOf, endpointOf, opened, prefixOf, written } from './writers.ts';

const UNSENT = 'select count(*)::int as n from mail where sent_at is null and refused_at is null';

async function countsOf({ postgres }: RegistryOfRoles, statement: string): Promise<Map<number, number>> {
  const { rows } = await postgres.query(statement);
  return new Map(rows.map(({ number, n }) => [Number(number), n as number]));
}

/** Compares what clients were told with what is stored, published and answered. */
export async function compare(registry: RegistryOfRoles): Promise<void> {
  const { load, postgres, environment } = registry;
  await vi.waitUntil(async () => (await load.settle()).length === 0, { timeout: 60_000, interval: 200 });
  const wrong: string[] = [];
  const { rows } = await postgres.query(
    'select trace_id, action, count(*)::int as n from activity where refusal is null group by trace_id, action',
  );
  const lines = new Map(rows.map(({ trace_id, action, n }) => [`${trace_id} ${action}`, n as number]));
  const found = new Map<string, Map<number, number>>();
  for (const [kind, statement] of Object.entries(written)) found.set(kind, await countsOf(registry, statement));
  for (const change of load.sent) {
    const meant = change.saved ? 1 : 0;
    const name = `${change.kind} ${change.number}, ${change.saved ? 'acknowledged' : 'not saved'}`;
    // What comes of a change later (mails, publication) has its trace id too.
    const logged = lines.get(`${change.traceId} ${endpointOf(change).id}`) ?? 0;
    if (logged !== meant) wrong.push(`${name}: ${logged} lines of the log`);
    const counts = found.get(change.kind);
    const times = counts?.get(change.number) ?? 0;
    if (counts && times !== meant) wrong.push(`${name}: found ${times} times`);
  }
  expect(wrong).toEqual([]);
  const roas = load.sent.filter(({ kind, saved }) => kind === 'roa' && saved).map(({ number }) => asnOf(number));
  await vi.waitFor(async () => expect([...(await published(registry))]).toEqual(expect.arrayContaining(roas)), {
    timeout: 120_000,
    interval: 200,
  });
  const attempted = new Set(load.sent.filter(({ saved }) => saved).map(({ number }) => asnOf(number)));
  expect([...(await published(registry))].filter(asn => asn >= asnOf(0) && !attempted.has(asn))).toEqual([]);
  const object = load.sent.findLast(({ kind, saved }) => kind === 'whois' && saved);
  if (object)
    await vi.waitUntil(async () => (await load.askWhois(`-T route6 ${prefixOf(object.number)}`))?.includes(`chaos ${object.number}.`), {
      timeout: 60_000,
      interval: 200,
    });
  await compareOutside(registry);
  const looked = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', serverProgram, 'registry', 'verify'], {
    env: { ...inherited, ...environment },
    encoding: 'utf8',
  });
  expect(`${looked.stdout}${looked.stderr}`).toContain('Nothing is wrong.');
}

/** Compares what mail servers, receivers of events and mirrors got with what is stored. */
async function compareOutside(registry: RegistryOfRoles): Promise<void> {
  const { postgres, count, mails, events, pipe, mirror, load } = registry;
  await vi.waitUntil(async () => (await count(UNSENT)) === 0, { timeout: 300_000, interval: 500 });
  const { rows: sent } = await postgres.query(`select mail_id::text as id, subject from mail where sent_at is not null`);
  const took = [...mails.received.keys()];
  const numbers = new Set(took.flatMap(id => /(\d+)@/.exec(id)?.[1] ?? []));
  expect(
    sent.filter(({ id }) => !numbers.has(id)).map(({ id, subject }) => `mail ${id} (${subject}) was not taken by the mail server`),
  ).toEqual([]);
  expect([...numbers].filter(id => !sent.some(row => row.id === id)).map(id => `mail ${id} was taken and is not noted as sent`)).toEqual(
    [],
  );

  expect(pipe.findings).toEqual([]);
  const tickets = await countsOf(registry, opened);
  const meant = new Map([...pipe.taken.map(number => [number, 1] as const), ...pipe.returned.map(number => [number, 0] as const)]);
  const timesOf = (number: number): number => tickets.get(number) ?? 0;
  expect(
    [...meant].filter(([number, times]) => timesOf(number) !== times).map(([number]) => `mail ${number}: ${timesOf(number)} tickets`),
  ).toEqual([]);

  expect(events.wrong).toEqual([]);
  const { rows: happened } = await postgres.query(
    `select 'evt_' || activity_id as id, trace_id, action from activity where account_name = 'EXAMPLE-AU' and refusal is null`,
  );
  const saved = new Set(load.sent.filter(each => each.saved).map(each => `${each.traceId} ${endpointOf(each).id}`));
  const isDelivered = async (): Promise<string[]> => {
    const { rows } = await postgres.query(`select event_id from webhook_delivery where due_at is not null`);
    const waiting = new Set(rows.map(({ event_id }) => event_id as string));
    return happened
      .filter(({ id, trace_id, action }) => saved.has(`${trace_id} ${action}`) && !events.received.has(id) && !waiting.has(id))
      .map(({ id, action }) => `${id} (${action}) was lost, of ${events.received.size} that came`);
  };
  await vi.waitFor(async () => expect(await isDelivered()).toEqual([]), { timeout: 120_000, interval: 500 });

  // Mirrors get each object as whois prints it.
  const asPrinted = (text: string): string => text.trim().replaceAll(/^([\w-]+:)[ \t]+/gm, '$1 ');
  const stored = async (): Promise<string[]> => {
    const { rows } = await postgres.query(`select text from whois_object where class in ('route6', 'domain') order by 1`);
    return rows.map(({ text }) => asPrinted(text)).sort();
  };
  const copied = async (): Promise<string[]> => {
    await mirror.read();
    return [...mirror.objects.values()]
      .filter(text => /^(?:route6|domain):/.test(text))
      .map(asPrinted)
      .sort();
  };
  await vi.waitFor(async () => expect(await copied()).toEqual(await stored()), { timeout: 180_000, interval: 1_000 });
}

/** Returns the AS numbers of the ROAs that a validator holds valid; the repository is whole, its serials only grow and no file is missing. */
async function published({ postgres, rrdp }: RegistryOfRoles): Promise<Set<number>> {
  await rrdp.update();
  const { rows } = await postgres.query(
    `select o.content, k.public_key as "publicKey" from rpki_object o join rpki_key k using (key_id) where o.kind = 'trust-anchor'`,
  );
  const [{ content, publicKey }] = rows as [{ content: Buffer; publicKey: Buffer }];
  const files = new Map<string, PublishedFile>(
    [...rrdp.files].map(([uri, bytes]) => [uri, { bytes, sha256: nodeCryptography.sha256(bytes) }]),
  );
  const { problems, vrps } = validateRepository(content, publicKey, files, { now: new Date(), cryptography: nodeCryptography });
  expect(problems).toEqual([]);
  expect(vrps.length).toBeGreaterThan(0);
  return new Set(vrps.map(({ asNumber }) => asNumber));
}
