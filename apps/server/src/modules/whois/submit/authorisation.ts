import { consentCanWait } from '@portal/contract/whois/consents';
import { containsRange, parsePrefix, prefixOfRange } from '@portal/number-resources';
import { references, valueOf, valuesOf } from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';
import { addressesOf, listOf, maintainersIn, objectOfRow } from '../objects/object-facts.ts';
import { heldBy } from '../ledger/protected-attributes.ts';
import { parentOfSet, setClasses } from './set-names.ts';
import { type Credentials, type Item, problem, type WhoisProblem } from './update.ts';
import type { Seen, SubmissionView } from './submission-view.ts';

/** A consent that is needed from any one of these maintainers. */
type Consent = { code: string; why: string; maintainers: readonly string[]; attribute?: string; value?: string };

/**
 * Third step: checks the object's own maintainers, those of the space around it, and those of its references. Reports every missing
 * consent, not only the first.
 */
export function checkAuthorisation(item: Item, view: SubmissionView, credentials: Credentials, profile: Profile): WhoisProblem[] {
  if (credentials.registry) return [];
  const problems: WhoisProblem[] = [];
  const holds = (maintainer: string): boolean => credentials.maintainers.has(maintainer) || isOwnNew(maintainer);
  // A maintainer that the same submission makes is its maker's.
  const isOwnNew = (maintainer: string): boolean => view.find(item, 'mntner', maintainer)?.item?.operation === 'create';
  const ask = (consent: Consent | null): void => {
    if (consent === null || consent.maintainers.some(holds)) return;
    if (consentCanWait(consent.code) && consent.maintainers.some(each => credentials.agreed?.has(each))) return;
    const { code, why, maintainers, attribute, value } = consent;
    const names = maintainers.map(key => view.find(item, 'mntner', key)?.shown ?? key.toUpperCase());
    problems.push(
      problem(item.object, code, names.length === 0 ? why : `${why}: it needs ${names.join(' or ')}, which you can’t use`, {
        maintainers: names,
        ...(attribute !== undefined && { attribute }),
        ...(value !== undefined && { value }),
      }),
    );
  };

  if (item.class === 'domain' && !credentials.mayWriteDomains)
    problems.push(problem(item.object, 'no-domain-permission', 'You need the permission to update reverse domain objects'));

  const own = item.stored ? objectOfRow(item.stored) : item.object;
  const heldByCaller = item.stored !== null && heldBy(item.stored, credentials);
  const mayReclaim = item.operation === 'delete' && reclaims(item, view, credentials, holds);
  if (item.stored?.kept && !heldByCaller) {
    problems.push(
      problem(
        item.object,
        'kept-by-registry',
        `${item.shown} is managed by the registry${item.stored.keptFor === null ? '' : '. Its holder can change some of it'}`,
      ),
    );
  } else if (!heldByCaller && !mayReclaim) {
    ask({
      code: 'not-authorised',
      why: `${item.operation === 'create' ? 'To create' : 'To change'} ${item.shown}`,
      maintainers: maintainersIn(own, 'mnt-by'),
      attribute: 'mnt-by',
    });
  }

  if (item.operation === 'create') for (const consent of consentAround(item, view, profile)) ask(consent);
  if (item.operation !== 'delete') for (const consent of consentOfReferred(item, view, own)) ask(consent);
  return problems;
}

/** Returns whether the holder of registry-issued space deletes an object below it; it may do so regardless of the maintainer, but never delete the resource itself. */
function reclaims(item: Item, view: SubmissionView, credentials: Credentials, holds: (maintainer: string) => boolean): boolean {
  if (!['inetnum', 'inet6num', 'route', 'route6', 'domain'].includes(item.class)) return false;
  return view.networksAround(item).some(({ stored, object }) => {
    if (!stored?.kept || stored.keptFor === null) return false;
    if (heldBy(stored, credentials)) return true;
    const lower = maintainersIn(object, 'mnt-lower');
    return (lower.length > 0 ? lower : maintainersIn(object, 'mnt-by')).some(holds);
  });
}

const orElse = (...lists: string[][]): string[] => lists.find(list => list.length > 0) ?? [];
const by = (seen: Seen, ...attributes: string[]): string[] =>
  orElse(...attributes.map(attribute => maintainersIn(seen.object, attribute)), maintainersIn(seen.object, 'mnt-by'));

/** Returns the consents that a new object needs because of its place. */
function consentAround(item: Item, view: SubmissionView, profile: Profile): Consent[] {
  const { class: objectClass, shown } = item;
  switch (objectClass) {
    case 'inetnum':
    case 'inet6num': {
      const parent = view.networksAround(item)[0];
      if (!parent)
        return [
          {
            code: 'no-parent',
            why: `There is no ${objectClass} for ${shown}. Only the registry delegates address space`,
            maintainers: [],
          },
        ];
      return [{ code: 'parent-not-authorised', why: `${shown} lies in ${parent.shown}`, maintainers: by(parent, 'mnt-lower') }];
    }
    case 'aut-num': {
      const blocks = view.asBlocksAround(item);
      if (blocks.length === 0)
        return [{ code: 'no-parent', why: `No as-block covers ${shown}. Only the registry delegates AS numbers`, maintainers: [] }];
      const maintainers = [...new Set(blocks.flatMap(block => by(block, 'mnt-lower')))];
      return [
        {
          code: 'parent-not-authorised',
          why: `${shown} is in ${blocks.map(block => block.shown).join(', ')}. Only the registry delegates AS numbers`,
          maintainers,
        },
      ];
    }
    case 'as-block':
      return [
        { code: 'registry-only', why: 'only the registry creates as-blocks', maintainers: [profile.hostmasterMaintainer.toLowerCase()] },
      ];
    case 'organisation':
      return [
        {
          code: 'registry-only',
          why: 'only the registry creates organisation objects, from its member records',
          maintainers: [profile.hostmasterMaintainer.toLowerCase()],
        },
      ];
    case 'route':
    case 'route6':
      return [addressConsent(item, view), profile.routeConsent === 'approve' ? originConsent(item, view) : null].filter(
        consent => consent !== null,
      );
    case 'domain':
      return [domainConsent(item, view)];
    default: {
      const parent = parentOfSet(objectClass, item.key);
      if (parent === null) return [];
      const seen = view.find(item, ['aut-num', ...setClasses], parent);
      if (!seen)
        return [
          {
            code: 'no-parent',
            why: `The name ${shown} is below ${parent.toUpperCase()}, which doesn’t exist. Create it first`,
            maintainers: [],
          },
        ];
      return [{ code: 'parent-not-authorised', why: `The name ${shown} is below ${seen.shown}`, maintainers: by(seen, 'mnt-lower') }];
    }
  }
}

/** Returns who may authorise a route: the first of exact route, route around it, exact network, network around it. */
function addressConsent(item: Item, view: SubmissionView): Consent {
  const code = 'prefix-not-authorised';
  const routes = view.routesAround(item);
  const isExact = (seen: Seen): boolean => {
    const [a, b] = [addressesOf(seen.object), addressesOf(item.object)];
    return a !== null && b !== null && a.first === b.first && a.last === b.last;
  };
  const ofRoutes = (seen: Seen): string[] => routeMaintainers(seen, item);
  const exactRoutes = routes.filter(isExact);
  if (exactRoutes.length > 0) {
    const maintainers = [...new Set(exactRoutes.flatMap(seen => orElse(ofRoutes(seen), maintainersIn(seen.object, 'mnt-by'))))];
    return { code, why: `A route for ${shownPrefix(item)} already exists`, maintainers };
  }
  if (routes[0])
    return {
      code,
      why: `${shownPrefix(item)} is in the route ${routes[0].shown}`,
      maintainers: orElse(ofRoutes(routes[0]), by(routes[0], 'mnt-lower')),
    };
  const network = view.networksAround(item)[0];
  if (!network) return { code: 'no-parent', why: `No network of this registry covers ${shownPrefix(item)}`, maintainers: [] };
  const exact = isExact(network);
  // Kept objects are not maintained by their holder; the holder has mnt-lower.
  const maintainers = orElse(
    ofRoutes(network),
    exact && !network.stored?.kept ? maintainersIn(network.object, 'mnt-by') : by(network, 'mnt-lower'),
  );
  return { code, why: `${shownPrefix(item)} ${exact ? 'is' : 'lies in'} ${network.shown}`, maintainers };
}

function originConsent(item: Item, view: SubmissionView): Consent | null {
  const origin = valueOf(item.object, 'origin') ?? '';
  const seen = view.find(item, 'aut-num', origin.toLowerCase());
  // The previous step reports that there is none.
  if (!seen) return null;
  const maintainers = orElse(
    maintainersIn(seen.object, 'mnt-routes'),
    seen.stored?.kept ? by(seen, 'mnt-lower') : maintainersIn(seen.object, 'mnt-by'),
  );
  return {
    code: 'origin-not-authorised',
    why: `The holder of ${seen.shown} has to allow routes from it`,
    maintainers,
    attribute: 'origin',
  };
}

function domainConsent(item: Item, view: SubmissionView): Consent {
  const network = view.networksAround(item)[0];
  if (!network) return { code: 'no-parent', why: `No network of this registry covers the addresses of ${item.shown}`, maintainers: [] };
  const [a, b] = [addressesOf(network.object), addressesOf(item.object)];
  const exact = a !== null && b !== null && a.first === b.first && a.last === b.last;
  const maintainers = exact && !network.stored?.kept ? by(network, 'mnt-domains') : by(network, 'mnt-domains', 'mnt-lower');
  return {
    code: 'parent-not-authorised',
    why: `The addresses of ${item.shown} ${exact ? 'are those of' : 'lie in'} ${network.shown}`,
    maintainers,
  };
}

const shownPrefix = (item: Item): string => valueOf(item.object, item.class) ?? item.shown;

/** Maintainers of the `mnt-routes` lines that count for a prefix: without a list, with ANY, or with a list that holds it. */
function routeMaintainers(seen: Seen, item: Item): string[] {
  const range = addressesOf(item.object);
  const prefix = range && prefixOfRange(range);
  return valuesOf(seen.object, 'mnt-routes').flatMap(value => {
    const [, name = '', list] = /^([^\s{]+)\s*(?:\{(.*)\}|ANY)?\s*$/is.exec(value) ?? [];
    const counts = list === undefined || (prefix != null && list.split(',').some(part => holdsPrefix(part.trim(), prefix)));
    return counts ? [name.toLowerCase()] : [];
  });
}

/** Returns whether a range such as `192.0.2.0/24^+` contains a prefix (RFC 2622 section 2). */
function holdsPrefix(written: string, prefix: ReturnType<typeof parsePrefix>): boolean {
  const [, text = '', operator = ''] = /^([^^]+)(\^.*)?$/.exec(written) ?? [];
  let outer: ReturnType<typeof parsePrefix>;
  try {
    outer = parsePrefix(text.trim());
  } catch {
    return false;
  }
  if (outer.family !== prefix.family || !containsRange(outer, prefix)) return false;
  const [, low, high] = /^\^(\d+)(?:-(\d+))?$/.exec(operator) ?? [];
  if (low !== undefined) return prefix.length >= Number(low) && prefix.length <= Number(high ?? low);
  if (operator === '^+') return true;
  if (operator === '^-') return prefix.length > outer.length;
  return prefix.length === outer.length;
}

/** Returns the consents that the references need: new maintainers, irts and organisations; sets that the object claims to be a member of. */
function consentOfReferred(item: Item, view: SubmissionView, own: Item['object']): Consent[] {
  const consents: Consent[] = [];
  const before = new Set(item.stored ? references(own).map(({ attribute, key }) => `${attribute} ${key.toLowerCase()}`) : []);
  const mntBy = maintainersIn(item.object, 'mnt-by');
  for (const { attribute, classes, key, value } of references(item.object)) {
    const fresh = !before.has(`${attribute} ${key.toLowerCase()}`);
    const seen = ['mnt-by', 'mnt-irt', 'org', 'member-of'].includes(attribute) ? view.find(item, classes, key.toLowerCase()) : null;
    if (!seen) continue;
    if (attribute === 'mnt-by' && item.operation === 'modify' && fresh)
      consents.push({
        code: 'maintainer-not-authorised',
        why: `${seen.shown} becomes a maintainer only if it agrees`,
        maintainers: [seen.key],
        attribute,
        value,
      });
    if (attribute === 'mnt-irt' && fresh && !isAbove(seen, item, view))
      consents.push({
        code: 'irt-not-authorised',
        why: `Abuse reports go to ${seen.shown} only if it agrees`,
        maintainers: maintainersIn(seen.object, 'mnt-by'),
        attribute,
        value,
      });
    if (attribute === 'org' && fresh)
      consents.push({
        code: 'organisation-not-authorised',
        why: `only the mnt-ref of ${seen.shown} can allow references to it`,
        maintainers: maintainersIn(seen.object, 'mnt-ref'),
        attribute,
        value,
      });
    if (attribute === 'member-of') {
      const allowed = listOf(seen.object, 'mbrs-by-ref').map(each => each.toLowerCase());
      if (!allowed.includes('any') && !mntBy.some(maintainer => allowed.includes(maintainer)))
        consents.push({
          code: 'not-a-member',
          why:
            allowed.length === 0
              ? `${seen.shown} doesn’t accept members by reference: it has no mbrs-by-ref`
              : `${seen.shown} only accepts members of ${allowed.map(each => each.toUpperCase()).join(', ')}, and mnt-by has none of these`,
          maintainers: [],
          attribute,
          value,
        });
    }
  }
  return consents;
}

/** The irt of the network around a new one agrees: it answers for all of it already. */
const isAbove = (irt: Seen, item: Item, view: SubmissionView): boolean =>
  item.operation === 'create' &&
  ['inetnum', 'inet6num'].includes(item.class) &&
  view
    .networksAround(item)
    .slice(0, 1)
    .some(({ object }) => listOf(object, 'mnt-irt').some(each => each.toLowerCase() === irt.key));
