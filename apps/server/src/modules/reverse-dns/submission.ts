import type { AnswerOf, BodyOf } from '@portal/contract';
import type { reverseDns, ZoneOutcome, ZoneSubmission } from '@portal/contract/reverse-dns/reverse-dns';
import { type Prefix, parseReverseZone, printPrefix } from '@portal/number-resources';
import { delegatedZoneProblem, fewestServers, formatObject, isInsideZone, maxServers, objectOf, parseObject } from '@portal/rpsl';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import type { WhoisUpdate } from '../whois/index.ts';
import { findObjects, outcomeMessage, submitForAccount, writingRights } from '../whois/index.ts';
import { refuseUnchecked } from './checks/needed-checks.ts';
import { readKeys } from './key-material.ts';
import { serverProblem } from './server-name.ts';
import { heldPrefixes } from './zones.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';

/** Who asks. */
type Asker = Pick<AdmittedAccount, 'accountName' | 'contactId'>;
type Problem = { field: string; index: number | null; message: string };
/** `needsCheck`: name servers or keys that the zone does not have today. */
type Wanted = { zone: string; text: string; ds: string[]; update: WhoisUpdate; needsCheck: boolean };

/** Returns the name servers of a form in normal form: lower case, without a final dot, each once, without empty lines. */
export const readServers = (lines: readonly string[]): string[] => [
  ...new Set(
    lines
      .map(line =>
        line
          .trim()
          .toLowerCase()
          .replace(/\.(?=\s|$)/, '')
          .replaceAll(/\s+/g, ' '),
      )
      .filter(Boolean),
  ),
];

/**
 * Reads a request into domain objects, one a zone. All problems are listed; valid ones of several zones stay valid.
 */
export async function readSubmission(
  change: Change,
  account: Asker,
  body: ZoneSubmission,
  { profile, serversChecked }: { profile: Profile; serversChecked: boolean },
): Promise<{ problems: Problem[]; wanted: Wanted[]; servers: string[] }> {
  const problems: Problem[] = [];
  const zones = [...new Set(body.zones.map(zone => zone.trim().toLowerCase().replace(/\.$/, '')))];
  const held = await heldPrefixes(change, account.accountName);
  const good = zones.filter((zone, index) => {
    const wrong = zoneProblem(zone, held, account.accountName);
    if (wrong !== null) problems.push({ field: 'zones', index, message: wrong });
    return wrong === null;
  });
  const stored = new Map(
    (
      await findObjects(
        change,
        good.map(key => ({ class: 'domain', key })),
      )
    ).map(each => [each.key, each]),
  );
  const edited = body.version === undefined || zones.length !== 1 ? {} : { expectedVersion: body.version };
  if (body.operation === 'remove') {
    const gone = good.filter(zone => !stored.has(zone));
    for (const zone of gone) problems.push({ field: 'zones', index: zones.indexOf(zone), message: `${zone} isn’t delegated` });
    const wanted = good.flatMap(zone => {
      const object = stored.get(zone);
      return object
        ? [
            {
              zone,
              text: object.text,
              ds: [],
              update: { operation: 'delete' as const, text: object.text, reason: body.reason, ...edited },
              needsCheck: false,
            },
          ]
        : [];
    });
    return { problems, wanted, servers: [] };
  }
  const servers = readServers(body.servers);
  for (const [index, server] of servers.entries()) {
    const wrong = serverProblem(server);
    if (wrong !== null) problems.push({ field: 'servers', index, message: wrong });
  }
  const hosts = new Set(servers.map(server => server.split(' ')[0]!));
  if (hosts.size < fewestServers)
    problems.push({ field: 'servers', index: null, message: 'Enter at least two name servers, so that one may fail (RFC 2182)' });
  if (hosts.size > maxServers) problems.push({ field: 'servers', index: null, message: `Enter at most ${maxServers} name servers` });
  const keys = readKeys(body.keys ?? '', good);
  const takesAway = body.keys?.trim() === '';
  for (const { line, message } of keys.problems) problems.push({ field: 'keys', index: line, message: `Line ${line}: ${message}` });
  for (const [field, name] of [
    ['adminC', 'admin-c'],
    ['techC', 'tech-c'],
    ['zoneC', 'zone-c'],
    ['mntBy', 'mnt-by'],
  ] as const)
    if (body[field] === '' && good.some(zone => !stored.has(zone)))
      problems.push({
        field,
        index: null,
        message: name === 'mnt-by' ? 'Choose a maintainer' : 'Enter the handle of a contact, such as NW9-EX',
      });
  if (problems.some(({ field }) => field !== 'zones')) return { problems, wanted: [], servers };
  const wanted = good.map(zone => {
    const before = stored.get(zone)?.text ?? null;
    const given = keys.ds.get(zone) ?? [];
    const ds = given.length === 0 && !takesAway ? dsIn(before) : given;
    const text = textOf(zone, servers, ds, body, before, profile);
    return {
      zone,
      text,
      ds,
      update: { operation: 'auto' as const, text, ...edited, serversChecked },
      needsCheck: before === null || !isSameDelegation(before, text),
    };
  });
  return { problems, wanted, servers };
}

function zoneProblem(zone: string, held: Awaited<ReturnType<typeof heldPrefixes>>, accountName: string): string | null {
  return delegatedZoneProblem(zone) ?? unheldProblem(zone, parseReverseZone(zone), held, accountName);
}

/** Returns why an account can't delegate a valid zone: it doesn't hold the addresses; otherwise null. */
export const unheldProblem = (zone: string, prefix: Prefix, held: readonly Prefix[], accountName: string): string | null =>
  held.some(each => each.family === prefix.family && each.first <= prefix.first && prefix.last <= each.last)
    ? null
    : `${accountName} doesn’t hold ${printPrefix(prefix)}, so it can’t delegate ${zone}`;

/** The domain object of a zone: the present one with other servers, keys and contacts, or a new one. */
export function textOf(
  zone: string,
  servers: readonly string[],
  ds: readonly string[],
  body: Pick<ZoneSubmission, 'descr' | 'adminC' | 'techC' | 'zoneC' | 'mntBy'>,
  stored: string | null,
  profile: Profile,
): string {
  const prefix = printPrefix(parseReverseZone(zone));
  const nserver = servers.map(server => {
    const [host = '', address] = server.split(' ');
    return address !== undefined && !isInsideZone(host, zone) ? host : server;
  });
  const lines: [string, string][] = [...new Set(nserver)].map(server => ['nserver', server]);
  const keys: [string, string][] = ds.map(each => ['ds-rdata', each]);
  const old = stored === null ? null : parseObject(stored).object;
  if (!old)
    return formatObject(
      objectOf([
        ['domain', zone],
        ['descr', body.descr || `Reverse zone of ${prefix}`],
        ['admin-c', body.adminC],
        ['tech-c', body.techC],
        ['zone-c', body.zoneC],
        ...lines,
        ...keys,
        ['mnt-by', body.mntBy],
        ['source', profile.source],
      ]),
    );
  const replaced: Record<string, string> = { descr: body.descr, 'admin-c': body.adminC, 'tech-c': body.techC, 'zone-c': body.zoneC };
  const kept: [string, string][] = [];
  const seen = new Set<string>();
  for (const { name, value } of old.attributes) {
    if (name === 'nserver' || name === 'ds-rdata' || name === 'last-modified') continue;
    if (name === 'mnt-by' && !seen.has('nserver')) {
      kept.push(...lines, ...keys);
      seen.add('nserver');
    }
    const next = replaced[name];
    if (next) {
      if (!seen.has(name)) kept.push([name, next]);
      seen.add(name);
    } else kept.push([name, value]);
  }
  return formatObject(objectOf(kept));
}

/** The DS records of a domain object, empty without an object. */
export const dsIn = (text: string | null): string[] =>
  (text === null ? [] : (parseObject(text).object?.attributes ?? [])).filter(({ name }) => name === 'ds-rdata').map(({ value }) => value);

/** True if two domain objects delegate to the same name servers with the same keys. */
function isSameDelegation(one: string, other: string): boolean {
  const of = (text: string): string =>
    (parseObject(text).object?.attributes ?? [])
      .filter(({ name }) => name === 'nserver' || name === 'ds-rdata')
      .map(({ name, value }) => `${name} ${value.toLowerCase()}`)
      .toSorted()
      .join('\n');
  return of(one) === of(other);
}

const outcomesOf = (wanted: readonly Wanted[], outcomes: readonly Parameters<typeof outcomeMessage>[0][]): ZoneOutcome[] =>
  wanted.map(({ zone, text, ds }, index) => ({
    zone,
    prefix: printPrefix(parseReverseZone(zone)),
    ds,
    outcome: outcomeMessage(outcomes[index]!, text),
  }));

/** The objects that a request would write, and their problems. A dry run. */
export async function previewZones({
  change,
  account,
  body,
  registry: { profile, config },
}: Act<typeof reverseDns.previewZones>): Promise<AnswerOf<typeof reverseDns.previewZones>> {
  const credentials = await writingRights(change, account);
  const { problems, wanted } = await readSubmission(change, account, body, { profile, serversChecked: config.mustCheckDns });
  const checkMinutes = config.mustCheckDns && wanted.some(({ needsCheck }) => needsCheck) ? config.dnsCheckMinutes : null;
  if (wanted.length === 0) return { problems, zones: [], checkMinutes };
  const updates = wanted.map(({ update }) => update);
  const outcomes = await submitForAccount(change, account, updates, {
    credentials,
    mode: 'best-effort',
    dryRun: true,
    profile,
    limits: config,
  });
  return { problems, zones: outcomesOf(wanted, outcomes), checkMinutes };
}

/**
 * Writes the domain objects of a request through `submitForAccount`, each zone separately.
 * @throws Failure INVALID_REQUEST naming the first thing that is wrong, STALE for one zone whose `version` is not the present one, DNS_CHECK_MISSING,
 * DNS_CHECK_FAILED, and those of `submitForAccount`
 */
export async function submitZones({
  change,
  account,
  body,
  registry: { profile, config },
}: {
  change: Change;
  account: Asker;
  body: BodyOf<typeof reverseDns.submitZones>;
  registry: PolicyAndSettings;
}): Promise<AnswerOf<typeof reverseDns.submitZones>> {
  const credentials = await writingRights(change, account);
  const { problems, wanted, servers } = await readSubmission(change, account, body, { profile, serversChecked: config.mustCheckDns });
  const [first] = problems;
  if (first && (wanted.length === 0 || first.field !== 'zones'))
    throw refuseField(first.index === null || first.field === 'keys' ? first.field : `${first.field}.${first.index}`, first.message);
  if (wanted.length === 0) throw refuse('INVALID_REQUEST', { detail: 'no zone can be delegated' });
  if (config.mustCheckDns)
    await refuseUnchecked(
      change,
      wanted.filter(({ needsCheck }) => needsCheck),
      servers,
      config.dnsCheckMinutes,
    );
  const outcomes = await submitForAccount(
    change,
    account,
    wanted.map(({ update }) => update),
    { credentials, mode: 'best-effort', profile, limits: config },
  );
  // A single zone: the status tells programs that it was changed by someone else.
  if (body.version !== undefined && outcomes.length === 1 && outcomes[0]!.problems.some(({ code }) => code === 'changed-meanwhile'))
    throw refuse('STALE', { what: `the delegation of ${wanted[0]!.zone}` });
  return { zones: outcomesOf(wanted, outcomes) };
}
