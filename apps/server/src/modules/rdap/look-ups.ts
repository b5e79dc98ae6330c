import {
  type AddressRange,
  findSpecialAs,
  findSpecialBlock,
  parseAsNumber,
  parseRange,
  parseReverseZone,
  printAddress,
  ResourceSyntaxError,
} from '@portal/number-resources';
import { isPersonal } from '@portal/rpsl';
import { mappedInTurns } from '../../platform/breathing.ts';
import type { Database } from '../../platform/database/index.ts';
import { type Answer, type AnswerContext, linkTo, type Notice } from './answer.ts';
import { autnumOf, plainAutnum, specialAutnum } from './autnums.ts';
import type { Bootstrap } from './bootstrap.ts';
import { domainOf } from './domains.ts';
import { entityOf } from './entities.ts';
import { entityClasses } from './j-card.ts';
import { networkOf, networkPath, plainNetwork, rangeBetween, specialNetwork } from './networks.ts';
import { RdapRefusal } from './refusal.ts';
import {
  type EntityRow,
  findAutnum,
  findDomain,
  findEntities,
  findHeld,
  findNetwork,
  maxHeld,
  overlapsOwnSpace,
} from './stored-objects.ts';

/** Context of a look-up. */
export type LookUp = { db: Database; context: AnswerContext; bootstrap: Bootstrap };
/** An answer, or the address of the service that has it. */
export type Outcome = Answer | { redirect: string };

/**
 * The network around an address, prefix or range. Who answers what (NRO profile 6.1.1):
 * - held by another registry: a redirect to it;
 * - delegated by us, ours and unallocated, or partly ours: the smallest object around it;
 * - never ours: a redirect by IANA's files, the special-purpose block, or 404.
 * @throws {RdapRefusal} 400 for an invalid address, 404
 */
export async function lookUpIp({ db, context, bootstrap }: LookUp, asked: string): Promise<Outcome> {
  const range = rangeOfPath(asked);
  const { object, delegatedBy } = await findNetwork(db, endsOf(range));
  const path = networkPath(range);
  const elsewhere = await serviceOf({ db, bootstrap, context }, range, delegatedBy, object?.row);
  if (elsewhere.redirect !== null) return { redirect: elsewhere.redirect + path };
  if (object && elsewhere.ours) {
    const { network, redacted } = networkOf(context, object.row, object.referred);
    return { body: network, redacted };
  }
  const special = findSpecialBlock(range);
  if (special) return { body: specialNetwork(context, special), redacted: [] };
  throw new RdapRefusal(404, `No network object covers ${path.slice(3)}.`);
}

/** Looks up an AS number, in the flat model: an undelegated one of ours is not found (NRO profile 6.1.2.3). */
export async function lookUpAutnum({ db, context, bootstrap }: LookUp, asked: string): Promise<Outcome> {
  const asNumber = syntax(() => parseAsNumber(asked));
  const { object, delegatedBy } = await findAutnum(db.read, asNumber);
  const service = serviceOfAs({ bootstrap, context }, asNumber, delegatedBy, object !== null);
  if (service !== null) return { redirect: `${service}autnum/${asNumber}` };
  if (object) {
    const { autnum, redacted } = autnumOf(context, object.row, object.referred);
    return { body: autnum, redacted };
  }
  const special = delegatedBy === null ? findSpecialAs(asNumber) : undefined;
  if (special) return { body: specialAutnum(context, special), redacted: [] };
  throw new RdapRefusal(404, `AS${asNumber} is not registered here.`);
}

const roots = /^(?:in-addr|ip6)\.arpa$/;

/** The reverse zone of this name, or else the closest one around it (NRO profile 6.2). Other domains belong to other services. */
export async function lookUpDomain({ db, context, bootstrap }: LookUp, asked: string): Promise<Outcome> {
  const name = asked.toLowerCase().replace(/\.$/, '');
  if (name.length > 253 || !/^[a-z0-9_/-]+(?:\.[a-z0-9_/-]+)*$/.test(name))
    throw new RdapRefusal(400, `“${asked.slice(0, 80)}” isn’t a domain name, such as 2.0.192.in-addr.arpa.`);
  if (!/\.(?:in-addr|ip6|e164)\.arpa$/.test(name)) {
    const service = foreign(bootstrap.ofDomain(name), { bootstrap, context });
    if (service !== null) return { redirect: `${service}domain/${name}` };
    throw new RdapRefusal(404, 'Only reverse zones are registered here: names below in-addr.arpa and ip6.arpa.');
  }
  const names: string[] = [];
  for (let rest = name; !roots.test(rest) && rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) names.push(rest);
  const found = await findDomain(db.read, names);
  const range = found?.row.first && found.row.last ? rangeBetween(found.row.first, found.row.last) : rangeOfZone(names);
  const around = range ? await findNetwork(db, endsOf(range)) : null;
  if (range && around) {
    const elsewhere = await serviceOf({ db, bootstrap, context }, range, around.delegatedBy, around.object?.row);
    if (elsewhere.redirect !== null) return { redirect: `${elsewhere.redirect}domain/${name}` };
  }
  if (!found) throw new RdapRefusal(404, `There is no reverse zone ${name} or parent zone.`);
  const network = around?.object ? plainNetwork(context, around.object.row) : null;
  const { domain, redacted } = domainOf(context, found.row, found.referred, network);
  return { body: domain, redacted };
}

/**
 * Looks up a person, role, organisation, irt or maintainer. If several have the handle, the first by class, with a note of the others.
 * @param admit called before a personal object is shown; throws if the caller is over the daily limit.
 */
export async function lookUpEntity({ db, context }: LookUp, asked: string, admit: () => void): Promise<Outcome> {
  if (asked.length > 100) throw new RdapRefusal(400, 'A handle has at most 100 characters.');
  const place = ({ class: name }: EntityRow): number => (entityClasses as readonly string[]).indexOf(name);
  const [found, ...others] = (await findEntities(db.read, asked)).toSorted((a, b) => place(a) - place(b));
  if (!found) throw new RdapRefusal(404, `There is no object with the handle ${asked}.`);
  if (isPersonal(found)) {
    admit();
    context.people.shown.add(found.shown);
  }
  const { networks, autnums, more } = await findHeld(db.read, found.class, found.shown);
  const { entity, redacted } = entityOf(context, found, found.referred);
  if (networks.length + autnums.length > 0 && !entity.roles.includes('registrant')) entity.roles.push('registrant');
  const remarks: Notice[] = [
    ...(entity.remarks ?? []),
    ...others.map(({ class: name }) => ({ title: 'Another object', description: [`There is also a ${name} object of this name.`] })),
    ...(more
      ? [
          {
            title: 'Shortened',
            type: 'object truncated due to excessive load',
            description: [`Of the networks and AS numbers the first ${maxHeld} of each are listed, fewer if they are long.`],
            links: [linkTo(context, 'related', `entity/${encodeURIComponent(found.shown)}`)],
          },
        ]
      : []),
  ];
  const body = {
    ...entity,
    ...(remarks.length > 0 && { remarks }),
    ...(networks.length > 0 && { networks: await mappedInTurns(networks, row => plainNetwork(context, row)) }),
    ...(autnums.length > 0 && { autnums: await mappedInTurns(autnums, row => plainAutnum(context, row)) }),
  };
  return { body, redacted };
}

/** Runs a parser; its errors mean a malformed query. */
function syntax<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ResourceSyntaxError || error instanceof RangeError)
      throw new RdapRefusal(400, error.message.endsWith('?') ? error.message : `${error.message}.`);
    throw error;
  }
}

/** Parses an address, a prefix or a range in a path. A prefix with host bits means the prefix around them. */
export function rangeOfPath(text: string): AddressRange {
  return syntax(() => {
    try {
      return parseRange(text);
    } catch (error) {
      if (error instanceof ResourceSyntaxError && error.code === 'HOST_BITS_SET' && error.suggestion !== undefined)
        return parseRange(error.suggestion);
      throw error;
    }
  });
}

export const endsOf = ({ family, first, last }: AddressRange): { first: string; last: string } => ({
  first: printAddress({ family, value: first }),
  last: printAddress({ family, value: last }),
});

function rangeOfZone(names: readonly string[]): AddressRange | null {
  for (const name of names) {
    try {
      return parseReverseZone(name);
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
    }
  }
  return null;
}

/** Finds the other service for an AS number: by delegations and stored objects first, then by IANA's files. */
function serviceOfAs(
  { bootstrap, context }: Pick<LookUp, 'bootstrap' | 'context'>,
  asNumber: number,
  delegatedBy: string | null,
  isStored: boolean,
): string | null {
  const service = delegatedBy === null || delegatedBy === '' ? null : bootstrap.ofRegistry(delegatedBy);
  return service ?? (isStored || delegatedBy !== null ? null : foreign(bootstrap.ofAsNumber(asNumber), { bootstrap, context }));
}

/** Returns the RDAP address at another registry that has a range or an AS number; null if it is ours, or unassigned. */
export async function findElsewhere(lookUp: LookUp, asked: AddressRange | number): Promise<string | null> {
  const { db } = lookUp;
  if (typeof asked === 'number') {
    const { object, delegatedBy } = await findAutnum(db.read, asked);
    const service = serviceOfAs(lookUp, asked, delegatedBy, object !== null);
    return service && `${service}autnum/${asked}`;
  }
  const { object, delegatedBy } = await findNetwork(db, endsOf(asked));
  const { redirect } = await serviceOf(lookUp, asked, delegatedBy, object?.row);
  return redirect && redirect + networkPath(asked);
}

/** A service of IANA's files that is not this one. */
function foreign(service: string | null, { bootstrap, context }: Pick<LookUp, 'bootstrap' | 'context'>): string | null {
  if (service === null || service === `${context.base}/`) return null;
  return service === bootstrap.ofRegistry(context.profile.statisticsRegistry) ? null : service;
}

/** Returns whether we are responsible for a range, or who is: by delegations, pools and stored objects first, then by IANA's files. */
async function serviceOf(
  { db, bootstrap, context }: LookUp,
  range: AddressRange,
  delegatedBy: string | null,
  object: { first: string; last: string } | undefined,
): Promise<{ redirect: string | null; ours: boolean }> {
  if (delegatedBy === '') return { redirect: null, ours: true };
  if (delegatedBy !== null) {
    const service = bootstrap.ofRegistry(delegatedBy);
    if (service !== null) return { redirect: service, ours: false };
  }
  // An object around everything says nothing about what is ours.
  const everything =
    object !== undefined && /^(?:0\.0\.0\.0|::)$/.test(object.first) && /^(?:255\.255\.255\.255|ffff(?::ffff){7})$/.test(object.last);
  if (object && !everything) return { redirect: null, ours: true };
  if (await overlapsOwnSpace(db.read, endsOf(range))) return { redirect: null, ours: true };
  const redirect = foreign(bootstrap.ofAddresses(range), { bootstrap, context });
  return { redirect, ours: redirect === null && object !== undefined && !findSpecialBlock(range) };
}
