import { api } from '@portal/contract/api';
import {
  type AddressRange,
  coverRange,
  type Prefix,
  parsePrefix,
  parseResource,
  parseReverseZone,
  prefixAt,
  printPrefix,
  printReverseZone,
} from '@portal/number-resources';
import { sql } from 'kysely';
import { type Act, type Dice, idle, outcomeOf } from './act.ts';
import type { Holding, World } from './world.ts';

type Answer = {
  status: number;
  data?: { outcomes?: readonly { state: string; problems: readonly { code: string }[] }[] | null } | undefined;
  errors?: readonly { code: string; message: string }[] | undefined;
};
/** Of an update: what became of its first object. */
function outcomeOfObjects(answer: Answer): string {
  const said = outcomeOf(answer);
  const first = answer.data?.outcomes?.[0];
  return said !== 'ok' || !first ? said : first.state === 'failed' ? (first.problems[0]?.code ?? 'failed') : first.state;
}

const lines = (...rows: readonly (readonly [string, string])[]): string => rows.map(([name, value]) => `${name}: ${value}`).join('\n');

/** The first prefix of some addresses. */
export const firstPrefix = (resource: string): Prefix => coverRange(parseResource(resource) as AddressRange)[0]!;

/** A prefix of a holding of addresses: all of it, around it, or in it. */
export function prefixIn({ last, kind, resource }: Holding, dice: Dice): string {
  const family = kind === 'ipv4' ? 'ipv4' : 'ipv6';
  const bits = family === 'ipv4' ? 32 : 128;
  const whole = firstPrefix(resource);
  const length = Math.min(family === 'ipv4' ? 24 : 48, whole.length + dice.below(5));
  const place = BigInt(dice.below(2 ** Math.min(16, Math.max(0, length - whole.length))));
  return last && length >= whole.length
    ? printPrefix(prefixAt(family, whole.first + place * (1n << BigInt(bits - length)), length))
    : resource;
}

const tail = (maintainer: string): [string, string][] => [
  ['mnt-by', maintainer],
  ['source', 'EXAMPLE'],
];

export const routeText = (prefix: string, asn: number, maintainer: string): string =>
  lines([prefix.includes(':') ? 'route6' : 'route', prefix], ['descr', 'Drawn'], ['origin', `AS${asn}`], ...tail(maintainer));
export const domainText = (prefix: string, handle: string, maintainer: string): string | null => {
  const { family, first, length } = parsePrefix(prefix);
  const step = family === 'ipv4' ? 8 : 4;
  if (length > (family === 'ipv4' ? 24 : 64)) return null;
  const zone = printReverseZone(prefixAt(family, first, Math.ceil(length / step) * step));
  parseReverseZone(zone);
  return lines(
    ['domain', zone],
    ['descr', 'Drawn'],
    ['admin-c', handle],
    ['tech-c', handle],
    ['zone-c', handle],
    ['nserver', 'ns1.example.net'],
    ['nserver', 'ns2.example.net'],
    ...tail(maintainer),
  );
};
export const networkText = (prefix: string, handle: string, maintainer: string): string => {
  const isV4 = !prefix.includes(':');
  return lines(
    [isV4 ? 'inetnum' : 'inet6num', prefix],
    ['netname', 'DRAWN'],
    ['descr', 'Drawn'],
    ['country', 'AU'],
    ['admin-c', handle],
    ['tech-c', handle],
    ['status', 'ASSIGNED NON-PORTABLE'],
    ...tail(maintainer),
  );
};

/** The maintainer of an account; null where it has none. */
export async function maintainerOf(world: World, account: string): Promise<string | null> {
  const [row] = await world.rows<{ maintainer: string }>(
    sql`select maintainer from maintainer_link where account_name = ${account} order by principal desc limit 1`,
  );
  return row?.maintainer ?? null;
}
async function someHandle(world: World, dice: Dice): Promise<string> {
  const rows = await world.rows<{ shown: string }>(
    sql`select shown from whois_object where class in ('role', 'person') order by object_id`,
  );
  return dice.pick(rows)?.shown ?? 'ERH1-EX';
}

async function upload(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  const held = actor ? await world.holdings(dice.chance(85) ? actor.account : undefined) : [];
  const holding = dice.pick(held.filter(({ kind }) => kind !== 'asn'));
  const maintainer = actor && (await maintainerOf(world, actor.account));
  if (!actor || !holding || !maintainer) return idle;
  const prefix = prefixIn(holding, dice);
  const handle = await someHandle(world, dice);
  const asn = dice.pick(held.filter(({ kind }) => kind === 'asn'))?.firstAs ?? 64500;
  const text =
    dice.pick([routeText(prefix, asn, maintainer), domainText(prefix, handle, maintainer), networkText(prefix, handle, maintainer)]) ??
    routeText(prefix, asn, maintainer);
  return write(world, actor, text, dice.below(3));
}

/** Writes a text by one of the doors: a text upload, an update of objects, an API key. */
export async function write(
  world: World,
  { account, name }: { account: string; name: string },
  text: string,
  door: number,
): Promise<string> {
  const person = await world.as(name);
  if (door === 0) return outcomeOfObjects(await person(api.whois.uploadText, { account, body: { text, dryRun: false } }));
  if (door === 1) return outcomeOfObjects(await person(api.whois.submitUpdates, { account, body: { updates: [{ text }] } }));
  return outcomeOfObjects(await byKey(world, account, 'POST', '/whois/uploads', { text }));
}

/** A call of the registry API with the last key of an account. */
export async function byKey(world: World, account: string, method: string, path: string, body: object): Promise<Answer> {
  const key = world.keys.get(account)?.at(-1);
  if (key === undefined) return { status: 401, errors: [{ code: idle, message: idle }] };
  const answer = await world.portal.request(`/registry-api/v1/${account}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = answer.status === 204 ? {} : ((await answer.json()) as object);
  return answer.ok
    ? { status: answer.status, data: said as Answer['data'] }
    : {
        status: answer.status,
        errors: [{ code: (said as { code?: string }).code ?? String(answer.status), message: JSON.stringify(said) }],
      };
}

/** A person or role, under a new handle or one that is taken. */
async function addContact(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  const maintainer = actor && (await maintainerOf(world, actor.account));
  if (!actor || !maintainer) return idle;
  const handle = dice.chance(50) ? 'AUTO-1' : await someHandle(world, dice);
  const isPerson = dice.chance(60);
  const text = lines(
    [isPerson ? 'person' : 'role', isPerson ? 'Drawn Person' : 'Drawn Role'],
    ['address', 'A street'],
    ['country', 'AU'],
    ['phone', '+61 7 3858 3188'],
    ['e-mail', 'drawn@example.net'],
    ...(isPerson
      ? []
      : ([
          ['admin-c', await someHandle(world, dice)],
          ['tech-c', await someHandle(world, dice)],
        ] as const)),
    ['nic-hdl', handle],
    ...tail(maintainer),
  );
  return write(world, actor, text, dice.below(3));
}

/** An object of the account is changed or deleted. */
async function edit(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  const maintainer = actor && (await maintainerOf(world, actor.account));
  if (!actor || !maintainer) return idle;
  const [row] = await world.rows<{ text: string }>(sql`select o.text from whois_object o join whois_reference r using (object_id)
    where r.attribute in ('mnt-by', 'mnt-lower') and r.value = ${maintainer.toLowerCase()} and o.class not in ('mntner', 'irt') order by o.object_id offset ${dice.below(30)} limit 1`);
  if (!row) return idle;
  const text = dice.chance(25)
    ? `${row.text.trim()}\ndelete: drawn`
    : row.text.replace(/^source:/m, `remarks: drawn ${dice.below(1000)}\nsource:`);
  return write(world, actor, text, dice.below(3));
}

async function changeMany(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const person = await world.as(actor.name);
  const tasks = await world.rows<{ id: string }>(
    sql`select task_id::text as id from task where account_name = ${actor.account} and name like 'whois.%' order by task_id desc limit 5`,
  );
  const task = dice.pick(tasks);
  if (task && dice.chance(60)) return outcomeOf(await person(api.tasks.revertTask, { account: actor.account, taskId: task.id }));
  const body = {
    choose: { classes: [dice.pick(['route', 'inetnum', 'domain'])!] },
    actions: [{ action: 'add', attribute: 'remarks', newValue: `drawn ${dice.below(100)}` }],
    dryRun: false,
  };
  return outcomeOf(await person(api.whois.bulkChange, { account: actor.account, body: body as never }));
}

async function zones(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  const holding = actor && dice.pick((await world.holdings(actor.account)).filter(({ kind }) => kind !== 'asn'));
  if (!actor || !holding) return idle;
  const text = domainText(prefixIn(holding, dice), 'X', 'X');
  if (text === null) return idle;
  const handle = await someHandle(world, dice);
  const zone = text.slice('domain: '.length, text.indexOf('\n'));
  const isRemoval = dice.chance(30);
  const answer = await (await world.as(actor.name))(api.reverseDns.submitZones, {
    account: actor.account,
    body: {
      zones: [zone],
      operation: isRemoval ? 'remove' : 'delegate',
      servers: ['ns1.example.net', 'ns2.example.net'],
      adminC: handle,
      techC: handle,
      zoneC: handle,
      mntBy: (await maintainerOf(world, actor.account)) ?? '',
    },
  });
  const outcome = answer.data?.zones[0]?.outcome;
  return outcome ? (outcome.state === 'failed' ? (outcome.problems[0]?.code ?? 'failed') : outcome.state) : outcomeOf(answer);
}

async function consents(world: World, dice: Dice): Promise<string> {
  const waiting = await world.rows<{ id: string; maintainers: string[] }>(
    sql`select consent_id::text as id, maintainers from whois_consent where state = 'waiting' limit 20`,
  );
  const found = dice.pick(waiting);
  if (found && dice.chance(60)) {
    const [asked] = await world.rows<{ account: string }>(
      sql`select account_name as account from maintainer_link where lower(maintainer) = any(${found.maintainers.map(each => each.toLowerCase())}::text[]) limit 1`,
    );
    const actor = (await world.actors()).find(({ account }) => account === asked?.account);
    if (!actor) return idle;
    const accepts = dice.chance(70);
    return outcomeOf(
      await (await world.as(actor.name))(api.whoisConsents.answerConsent, {
        account: actor.account,
        consentId: found.id,
        body: { agree: accepts, reason: accepts ? '' : 'No' } as never,
      }),
    );
  }
  const actor = dice.pick(await world.actors());
  const holding = actor && dice.pick((await world.holdings(actor.account)).filter(({ kind }) => kind !== 'asn'));
  const maintainer = actor && (await maintainerOf(world, actor.account));
  if (!actor || !holding || !maintainer) return idle;
  const asn = dice.pick((await world.holdings()).filter(({ kind }) => kind === 'asn'))!.firstAs;
  return outcomeOf(
    await (await world.as(actor.name))(api.whoisConsents.askForConsent, {
      account: actor.account,
      body: { text: routeText(prefixIn(holding, dice), asn, maintainer) },
    }),
  );
}

/** Acts of members and programs in whois and reverse DNS. */
export const actsOfWhois: readonly Act[] = [
  { name: 'upload an object', weight: 7, run: upload },
  { name: 'add a contact object', weight: 3, run: addContact },
  { name: 'edit an object', weight: 5, run: edit },
  { name: 'change many objects', weight: 1, run: changeMany },
  { name: 'delegate a reverse zone', weight: 5, run: zones },
  { name: 'ask for consent', weight: 2, run: consents },
];
