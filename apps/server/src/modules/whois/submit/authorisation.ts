import { consentCanWait } from '@portal/contract/whois/consents';
import { containsRange, type NumberResource, parsePrefix, prefixOfRange } from '@portal/number-resources';
import { references, valueOf, valuesOf } from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';
import type { NumberAuthority } from '../authority/number-authority.ts';
import { addressesOf, listOf, maintainersIn, numbersOf, objectOfRow } from '../store/object-facts.ts';
import { heldBy } from '../store/protected-attributes.ts';
import { parentOfSet, setClasses } from '../store/set-names.ts';
import { type Credentials, type Item, problem, type WhoisProblem } from '../store/update.ts';
import { overNumbers, type Seen, type SubmissionView } from '../store/submission-view.ts';

/** A consent that is needed from any one of these maintainers. */
type Consent = { code: string; why: string; maintainers: readonly string[]; attribute?: string; index?: number };

/**
 * Third step: checks the object's own maintainers, those of the space around it, and those of its references. Reports every missing
 * consent, not only the first.
 */
export function checkAuthorisation(item: Item, view: SubmissionView, credentials: Credentials, profile: Profile): WhoisProblem[] {
  if (credentials.registry) return [];
  const problems: WhoisProblem[] = [];
  const holds = (maintainer: string): boolean => credentials.maintainers.has(maintainer) || isOwnNew(maintainer);
  // A maintainer made by the same submission belongs to the submitter.
  const isOwnNew = (maintainer: string): boolean => view.find(item, 'mntner', maintainer)?.item?.operation === 'create';
  const ask = (consent: Consent | null): void => {
    if (consent === null || consent.maintainers.some(holds)) return;
    if (consentCanWait(consent.code) && consent.maintainers.some(each => credentials.agreed?.has(each))) return;
    const { code, why, maintainers, attribute, index } = consent;
    const names = maintainers.map(key => view.find(item, 'mntner', key)?.shown ?? key.toUpperCase());
    problems.push(
      problem(item.object, code, names.length === 0 ? why : `${why}: it needs ${names.join(' or ')}, which you can’t use`, {
        maintainers: names,
        ...(attribute !== undefined && { attribute }),
        ...(index !== undefined && { index }),
      }),
    );
  };

  if (item.class === 'domain' && !credentials.mayWriteDomains)
    problems.push(problem(item.object, 'no-domain-permission', 'You need the permission to update reverse domain objects'));

  const own = item.stored ? objectOfRow(item.stored) : item.object;
  const numbers = numbersOf(own);
  // A kept object belongs to its holder only while the ledger says so; whois follows a moment later.
  const heldByCaller =
    item.stored !== null &&
    heldBy(item.stored, credentials) &&
    (numbers === null || view.authority!.holderOf(numbers) === credentials.holder);
  const mayReclaim = (item.operation === 'delete' || isTakeOver(item, holds)) && reclaims(item, view, credentials, holds);
  if (item.stored?.kept && !heldByCaller) {
    problems.push(
      problem(
        item.object,
        'kept-by-registry',
        `${item.shown} is managed by the registry${item.stored.keptFor === null ? '' : '. Its holder can change some of it'}`,
      ),
    );
  } else if (!heldByCaller && !mayReclaim) {
    const notHeld = item.operation === 'modify' ? notHeldByOne(item, numbers, view.authority!) : null;
    if (notHeld !== null) problems.push(problem(item.object, notHeld.code, notHeld.why));
    else
      ask({
        code: 'not-authorised',
        why: `${item.operation === 'create' ? 'To create' : 'To change'} ${item.shown}`,
        maintainers: item.operation === 'create' ? maintainersIn(own, 'mnt-by') : writersOf(item, view),
        attribute: 'mnt-by',
      });
  }

  if (item.operation === 'create') for (const consent of consentAround(item, view, profile)) ask(consent);
  if (item.operation !== 'delete') for (const consent of consentOfReferred(item, view, own, credentials.holder)) ask(consent);
  return problems;
}

/** The refusal for numbers that no single account holds, where only the registry writes; null if one account holds them, or the ledger doesn't know them. */
function notHeldByOne(item: Item, numbers: NumberResource | null, authority: NumberAuthority): Consent | null {
  if (numbers === null || !authority.isKnown(numbers) || authority.holderOf(numbers) !== null) return null;
  return {
    code: 'not-held',
    why:
      authority.holdersIn(numbers).length === 0
        ? `No account holds the numbers of ${item.shown} now, so only the registry writes it`
        : `The numbers of ${item.shown} are not all held by one account, so only the registry writes it. Those who hold parts can delete it`,
    maintainers: [],
  };
}

/** The maintainers of a stored object that may still write it; those of former holders only if a surrounding object names them. */
function writersOf(item: Item, view: SubmissionView): readonly string[] {
  const stored = { object: objectOfRow(item.stored!), stored: item.stored };
  const { numbers, ...own } = overNumbers(stored);
  if (numbers === null) return own.maintainers;
  const named = view
    .networksAround(item)
    .filter(seen => view.authority!.gives(overNumbers(seen), numbers))
    .flatMap(({ object }) => ['mnt-lower', 'mnt-routes', 'mnt-domains'].flatMap(attribute => maintainersIn(object, attribute)));
  return view.authority!.writersOf({ numbers, ...own }, named);
}

/** Whether an update only reclaims the object for its sender. */
function isTakeOver(item: Item, holds: (maintainer: string) => boolean): boolean {
  if (item.operation !== 'modify' || item.update.takesOver !== true) return false;
  const maintainers = maintainersIn(item.object, 'mnt-by');
  return maintainers.length > 0 && maintainers.every(holds);
}

/**
 * Returns whether a holder of the numbers, or of a part of them, reclaims an object regardless of its maintainer. The registry's own objects can't be reclaimed.
 */
function reclaims(item: Item, view: SubmissionView, credentials: Credentials, holds: (maintainer: string) => boolean): boolean {
  const numbers = item.stored && numbersOf(objectOfRow(item.stored));
  if (!numbers || item.stored!.kept) return false;
  const authority = view.authority!;
  const holders = authority.holdersIn(numbers);
  if (holders.some(holder => holder === credentials.holder || authority.maintainersOf(holder).some(holds))) return true;
  // Maintainers for the space below a delegation may delete there too.
  return view.networksAround(item).some(seen => {
    if (!seen.stored?.kept || seen.stored.keptFor === null || !authority.gives(overNumbers(seen), numbers)) return false;
    return item.operation === 'delete' && maintainersIn(seen.object, 'mnt-lower').some(holds);
  });
}

const orElse = (...lists: string[][]): string[] => lists.find(list => list.length > 0) ?? [];

/** The objects around an item that may decide who writes its numbers: those of their present holder, smallest first. */
function giving(list: readonly Seen[], item: Item, view: SubmissionView): Seen[] {
  const numbers = numbersOf(item.object);
  return numbers === null ? [...list] : list.filter(seen => view.authority!.gives(overNumbers(seen), numbers));
}

/** Maintainers named by an attribute of a surrounding object; when falling back to `mnt-by`, only those that may write there. */
const writersBy = (seen: Seen, view: SubmissionView, ...names: string[]): string[] =>
  orElse(...names.map(name => maintainersIn(seen.object, name)), [...view.authority!.writersOf(overNumbers(seen))]);

/** Returns the consents that a new object needs because of its place. The holder of the numbers may always write. */
function consentAround(item: Item, view: SubmissionView, profile: Profile): Consent[] {
  const numbers = numbersOf(item.object);
  if (numbers === null || item.class === 'aut-num' || item.class === 'as-block') return consentOfPlace(item, view, profile);
  const isPlaced = view.networksAround(item).length > 0 || view.routesAround(item).length > 0;
  const notHeld = isPlaced ? notHeldByOne(item, numbers, view.authority!) : null;
  if (notHeld !== null) return [notHeld];
  const holder = view.authority!.holderOf(numbers);
  const own = holder === null ? [] : view.authority!.maintainersOf(holder);
  return consentOfPlace(item, view, profile).map(consent =>
    consent.attribute === 'origin' ? consent : { ...consent, maintainers: [...new Set([...consent.maintainers, ...own])] },
  );
}

function consentOfPlace(item: Item, view: SubmissionView, profile: Profile): Consent[] {
  const { class: objectClass, shown } = item;
  switch (objectClass) {
    case 'inetnum':
    case 'inet6num': {
      const parent = giving(view.networksAround(item), item, view)[0];
      if (!parent)
        return [
          {
            code: 'no-parent',
            why: `There is no ${objectClass} for ${shown}. Only the registry delegates address space`,
            maintainers: [],
          },
        ];
      return [
        { code: 'parent-not-authorised', why: `${shown} lies in ${parent.shown}`, maintainers: writersBy(parent, view, 'mnt-lower') },
      ];
    }
    case 'aut-num': {
      const blocks = view.asBlocksAround(item).filter(seen => !seen.stored?.keptFor || giving([seen], item, view).length > 0);
      if (blocks.length === 0)
        return [{ code: 'no-parent', why: `No as-block covers ${shown}. Only the registry delegates AS numbers`, maintainers: [] }];
      const maintainers = [...new Set(blocks.flatMap(block => writersBy(block, view, 'mnt-lower')))];
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
      const maintainers = ofAutNum(seen, view, () => writersBy(seen, view, 'mnt-lower'));
      return [{ code: 'parent-not-authorised', why: `The name ${shown} is below ${seen.shown}`, maintainers }];
    }
  }
}

/**
 * Returns who may authorise a route: the first of: exact route, surrounding route, exact network, surrounding network, among those whose numbers the
 * same account holds.
 */
function addressConsent(item: Item, view: SubmissionView): Consent {
  const code = 'prefix-not-authorised';
  const routes = giving(view.routesAround(item), item, view);
  const ofRoutes = (seen: Seen): string[] => routeMaintainers(seen, item);
  const exactRoutes = routes.filter(seen => isExact(seen, item));
  if (exactRoutes.length > 0) {
    const maintainers = [...new Set(exactRoutes.flatMap(seen => orElse(ofRoutes(seen), writersBy(seen, view))))];
    return { code, why: `A route for ${shownPrefix(item)} already exists`, maintainers };
  }
  if (routes[0])
    return {
      code,
      why: `${shownPrefix(item)} is in the route ${routes[0].shown}`,
      maintainers: orElse(ofRoutes(routes[0]), writersBy(routes[0], view, 'mnt-lower')),
    };
  const network = giving(view.networksAround(item), item, view)[0];
  if (!network) return { code: 'no-parent', why: `No network of this registry covers ${shownPrefix(item)}`, maintainers: [] };
  const exact = isExact(network, item);
  // Kept objects are not maintained by their holder; the holder has mnt-lower.
  const maintainers = orElse(
    ofRoutes(network),
    exact && !network.stored?.kept ? writersBy(network, view) : writersBy(network, view, 'mnt-lower'),
  );
  return { code, why: `${shownPrefix(item)} ${exact ? 'is' : 'lies in'} ${network.shown}`, maintainers };
}

function isExact(seen: Seen, item: Item): boolean {
  const [a, b] = [addressesOf(seen.object), addressesOf(item.object)];
  return a !== null && b !== null && a.first === b.first && a.last === b.last;
}

function originConsent(item: Item, view: SubmissionView): Consent | null {
  const origin = valueOf(item.object, 'origin') ?? '';
  const seen = view.find(item, 'aut-num', origin.toLowerCase());
  // The previous step reports a missing one.
  if (!seen) return null;
  const maintainers = ofAutNum(seen, view, () =>
    orElse(maintainersIn(seen.object, 'mnt-routes'), seen.stored?.kept ? writersBy(seen, view, 'mnt-lower') : writersBy(seen, view)),
  );
  return {
    code: 'origin-not-authorised',
    why: `The holder of ${seen.shown} has to allow routes from it`,
    maintainers,
    attribute: 'origin',
  };
}

/**
 * Maintainers who may authorise for an AS number: those of its aut-num if it belongs to the present holder, and that holder's. None for a number that
 * the registry has back.
 */
function ofAutNum(seen: Seen, view: SubmissionView, named: () => string[]): string[] {
  const authority = view.authority!;
  const numbers = numbersOf(seen.object);
  if (numbers === null || !authority.isKnown(numbers)) return named();
  const holder = authority.holderOf(numbers);
  if (holder === null) return [];
  return [...new Set([...(authority.gives(overNumbers(seen), numbers) ? named() : []), ...authority.maintainersOf(holder)])];
}

function domainConsent(item: Item, view: SubmissionView): Consent {
  const network = giving(view.networksAround(item), item, view)[0];
  if (!network) return { code: 'no-parent', why: `No network of this registry covers the addresses of ${item.shown}`, maintainers: [] };
  const exact = isExact(network, item);
  const maintainers =
    exact && !network.stored?.kept ? writersBy(network, view, 'mnt-domains') : writersBy(network, view, 'mnt-domains', 'mnt-lower');
  return {
    code: 'parent-not-authorised',
    why: `The addresses of ${item.shown} ${exact ? 'are those of' : 'lie in'} ${network.shown}`,
    maintainers,
  };
}

const shownPrefix = (item: Item): string => valueOf(item.object, item.class) ?? item.shown;

/** Maintainers of the `mnt-routes` lines that apply to a prefix: without a list, with ANY, or with a list that contains it. */
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
function consentOfReferred(item: Item, view: SubmissionView, own: Item['object'], holder: string | null): Consent[] {
  const consents: Consent[] = [];
  const before = new Set(item.stored ? references(own).map(({ attribute, key }) => `${attribute} ${key.toLowerCase()}`) : []);
  const mntBy = maintainersIn(item.object, 'mnt-by');
  for (const { index, attribute, classes, key } of references(item.object)) {
    const fresh = !before.has(`${attribute} ${key.toLowerCase()}`);
    const seen = ['mnt-by', 'mnt-irt', 'org', 'member-of'].includes(attribute) ? view.find(item, classes, key.toLowerCase()) : null;
    if (!seen) continue;
    if (attribute === 'mnt-by' && item.operation === 'modify' && fresh)
      consents.push({
        code: 'maintainer-not-authorised',
        why: `${seen.shown} becomes a maintainer only if it agrees`,
        maintainers: [seen.key],
        attribute,
        index,
      });
    if (attribute === 'mnt-irt' && fresh && !(holder !== null && seen.stored?.keptFor === holder) && !isAbove(seen, item, view))
      consents.push({
        code: 'irt-not-authorised',
        why: `Abuse reports go to ${seen.shown} only if it agrees`,
        maintainers: maintainersIn(seen.object, 'mnt-by'),
        attribute,
        index,
      });
    if (attribute === 'org' && fresh)
      consents.push({
        code: 'organisation-not-authorised',
        why: `only the mnt-ref of ${seen.shown} can allow references to it`,
        maintainers: maintainersIn(seen.object, 'mnt-ref'),
        attribute,
        index,
      });
    if (attribute === 'member-of') {
      const allowed = listOf(seen.object, 'mbrs-by-ref').map(each => each.toLowerCase());
      const ofHolder = holderMaintainers(item, view);
      if (!allowed.includes('any') && ![...mntBy, ...ofHolder].some(maintainer => allowed.includes(maintainer)))
        consents.push({
          code: 'not-a-member',
          why:
            allowed.length === 0
              ? `${seen.shown} doesn’t accept members by reference: it has no mbrs-by-ref`
              : `${seen.shown} only accepts members of ${upperList(allowed)}${
                  ofHolder.length === 0
                    ? ', and mnt-by has none of these'
                    : `. Neither mnt-by nor ${upperList(ofHolder)} of the holder is one of these`
                }`,
          maintainers: [],
          attribute,
          index,
        });
    }
  }
  return consents;
}

const upperList = (keys: readonly string[]): string => keys.map(key => key.toUpperCase()).join(', ');

/**
 * Maintainers of the holder of an object that the registry maintains for it. They count for set membership as `mnt-by` does for members' own objects
 * (RFC 2622, section 5.1). `MEMBERS` in `query/irr-sets.ts` does the same.
 */
function holderMaintainers({ stored }: Item, view: SubmissionView): readonly string[] {
  const numbers = stored?.kept ? numbersOf(objectOfRow(stored)) : null;
  if (!numbers || stored!.keptFor === null || view.authority!.holderOf(numbers) !== stored!.keptFor) return [];
  return view.authority!.maintainersOf(stored!.keptFor);
}

/** The irt of the surrounding network needs no consent: it already covers the new one. */
const isAbove = (irt: Seen, item: Item, view: SubmissionView): boolean =>
  item.operation === 'create' &&
  ['inetnum', 'inet6num'].includes(item.class) &&
  view
    .networksAround(item)
    .slice(0, 1)
    .some(({ object }) => listOf(object, 'mnt-irt').some(each => each.toLowerCase() === irt.key));
