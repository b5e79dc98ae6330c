import type { ObjectPlan } from '@portal/contract/requests/request-form';
import type { PlannedEffect } from '@portal/contract/requests/requests';
import {
  type NumberResource,
  parseResource,
  printAsNumber,
  printResource,
  ResourceSyntaxError,
  type ResourceSet,
  resourceSetOf,
  subtractSets,
} from '@portal/number-resources';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { columnsOf, holdingsOf, type MovingSpace, registrationsAcross, registrationsIn, spaceToMove } from '../../resources/index.ts';
import {
  isCertifiedToOwnAuthority,
  printAspa,
  printRoa,
  type TouchedAspa,
  touchedAspas,
  type TouchedRoa,
  touchedRoas,
} from '../../rpki/index.ts';
import { networkDetailsOf, type ObjectAct, type TouchedObject, touchedObjects } from '../../whois/index.ts';
import type { Row } from '../request-row.ts';
import { kindOfObject, type PlannedKind, planFor } from './object-plans.ts';
import { capital, keepsIn, toRecipient, type Wording } from './plan-parties.ts';

type Reading = Pick<Read, 'rows'>;

/** Numbers on their way from their holder: to another account, to another registry, or back to this one. */
export type NumberMove = {
  row: Row;
  from: string;
  /** The receiving account; null if it isn't an account of this registry. For a draft, a name in its form. */
  goesToAccount: boolean;
  spaces: readonly MovingSpace[];
  moved: readonly NumberResource[];
  rest: readonly NumberResource[];
  heldAfter: ResourceSet;
  /** The signed objects that the recipient accepts; null before it has chosen. */
  signs: { roas: boolean; aspas: boolean } | null;
  holdDays: number;
};

/** How a step is carried out; only words for effects of other steps. */
export type Doing =
  | { of: 'registration'; name: string; goes: boolean }
  | { of: 'object'; touched: TouchedObject; act: ObjectAct }
  | { of: 'roa'; touched: TouchedRoa; goes: boolean }
  | { of: 'aspa'; touched: TouchedAspa; goes: boolean }
  | { of: 'words' };

/** One object that a move touches: what it is, what happens to it, and how. Shown by the preview, carried out on completion. */
export type MoveStep = Omit<PlannedEffect, 'today' | 'on'> & {
  today: string;
  /** The text for the recipient, if different. */
  todayForOthers?: string;
  on: Wording;
  doing: Doing;
};

/** Reads what a case moves. Invalid resources, and ones no longer held, are left out; null if nothing is left. */
export async function readMove(read: Reading, row: Row, { requestPolicy }: Profile): Promise<NumberMove | null> {
  const spaces = (await spaceToMove(read, row.accountName, readableOf(row.form.resources))).filter(space => space !== null);
  if (spaces.length === 0) return null;
  const moved = spaces.map(({ resource }) => resource);
  const held = (await holdingsOf(read, [row.accountName])).get(row.accountName)!;
  return {
    row,
    from: row.accountName,
    goesToAccount: row.kind !== 'return' && (row.recipientName !== null || (row.state === 'draft' && row.form.otherRegistry === '')),
    spaces,
    moved,
    rest: restOf(spaces),
    heldAfter: subtractSets(held, resourceSetOf(moved)),
    signs: row.receiveForm && { roas: row.receiveForm.takesRoas, aspas: row.receiveForm.takesAspas },
    holdDays: requestPolicy.holdDays,
  };
}

/** The resources of a form, without invalid ones. */
export const readableOf = (texts: readonly string[]): NumberResource[] =>
  texts.flatMap(text => {
    try {
      return [parseResource(text)];
    } catch (error) {
      if (error instanceof ResourceSyntaxError) return [];
      throw error;
    }
  });

/** The parts that the holder keeps of split delegations, each once even if several parts of one delegation move. */
function restOf(spaces: readonly MovingSpace[]): NumberResource[] {
  const moved = resourceSetOf(spaces.map(({ resource }) => resource));
  const parts = new Map<string, NumberResource>();
  for (const { rest } of spaces)
    for (const part of rest) {
      const left = subtractSets(resourceSetOf([part]), moved);
      if (left[part.family].length === 2 && left[part.family][0] === BigInt(part.first) && left[part.family][1] === BigInt(part.last) + 1n)
        parts.set(printResource(part), part);
    }
  return [...parts.values()];
}

/** Lists all effects of a move, object by object: whois, reverse DNS, ROAs, provider authorisations, registrations, contacts. */
export async function stepsOf(read: Reading, move: NumberMove): Promise<MoveStep[]> {
  return [
    ...(await registrationSteps(read, move)),
    ...(await touchedObjects(read, move)).map(touched => objectStep(move, touched)),
    ...(await detailSteps(read, move)),
    ...(await touchedRoas(read, move.from, move.moved)).map(touched => roaStep(move, touched)),
    ...(await touchedAspas(read, move.from, move.moved)).map(touched => aspaStep(move, touched)),
    ...((await isCertifiedToOwnAuthority(read, move.from, move.moved)) ? [ownAuthorityStep(move)] : []),
  ];
}

/** The plan for an object, and whether it moves along. Nothing does without a receiving account. */
function chosen(
  move: NumberMove,
  what: PlannedKind,
  name: string,
): { plan: ObjectPlan | null; goes: boolean; act: 'moves' | 'holds' | 'ends' } {
  const plan = move.goesToAccount ? planFor(move.row.form, what, name) : null;
  const goes = plan !== null && plan !== 'end';
  return { plan, goes, act: goes ? (plan === 'hold' ? 'holds' : 'moves') : 'ends' };
}

const forATime =
  (move: NumberMove, words: Wording, plan: ObjectPlan | null): Wording =>
  parties =>
    plan === 'hold'
      ? `${words(parties)}, for ${move.holdDays} days, unless ${parties.reader === 'recipient' ? 'you keep' : `${parties.to} keeps`} it`
      : words(parties);
const always =
  (sentence: string): Wording =>
  () =>
    sentence;

async function registrationSteps(read: Reading, move: NumberMove): Promise<MoveStep[]> {
  const steps: MoveStep[] = [];
  for (const { resource } of move.spaces) {
    if (resource.family === 'asn') continue;
    for (const { resource: name, netname, visibility } of await registrationsIn(read, move.from, resource, EVERYTHING)) {
      const { plan, goes, act } = chosen(move, 'registration', name);
      steps.push({
        what: 'registration',
        name,
        today: netname,
        ...(visibility === 'private' && { todayForOthers: 'Private registration' }),
        act,
        on: goes
          ? forATime(
              move,
              toRecipient('Registered by you', to => `Registered by ${to}`),
              plan,
            )
          : always('Deleted'),
        plan,
        doing: { of: 'registration', name, goes },
      });
    }
    for (const { resource: name, netname, visibility } of await registrationsAcross(read, move.from, resource))
      steps.push({
        what: 'registration',
        name,
        today: netname,
        ...(visibility === 'private' && { todayForOthers: 'Private registration' }),
        act: 'ends',
        on: always('Deleted: a part of it moves'),
        plan: null,
        doing: { of: 'registration', name, goes: false },
      });
  }
  return steps;
}
/** Maximum number of registrations of one block; registers don't have more. */
const EVERYTHING = 1_000_000;

function objectStep(move: NumberMove, touched: TouchedObject): MoveStep {
  const { class: objectClass, shown: name, why, becomes } = touched;
  const what = kindOfObject(objectClass);
  const step = (act: MoveStep['act'], on: Wording, does: ObjectAct, plan: ObjectPlan | null = null): MoveStep => ({
    what,
    name,
    today: objectClass,
    act,
    on,
    plan,
    doing: { of: 'object', touched, act: does },
  });
  switch (why) {
    case 'inside': {
      const { plan, goes, act } = chosen(move, what, name);
      const own = 'You maintain it, with your contacts';
      const others = (to: string): string => capital(`${to} maintains it, with its contacts`);
      return goes
        ? step(act, forATime(move, toRecipient(own, others), plan), 'hands-over', plan)
        : step('ends', always('Deleted from whois'), 'ends', plan);
    }
    case 'replaced':
      return step(
        'changes',
        always('Replaced by the registry’s object of this block: one object can have the key. Its own lines end'),
        'replaced',
      );
    case 'origin':
      return step('ends', always('Deleted from whois: its AS number moves, and its addresses don’t'), 'ends');
    case 'across':
      return becomes.length === 0
        ? step('ends', always('Deleted from whois: a part of it moves'), 'ends')
        : step(
            'changes',
            parties => `Becomes ${listed(becomes.map(each => routeInWords(each.shown)))}, for the parts that ${keepsIn(parties)}`,
            'shrinks',
          );
  }
}

/** The key of a route with a space before its AS number, as it is read elsewhere. */
const routeInWords = (key: string): string => key.replace(/(\/\d{1,3})(AS\d+)$/, '$1 $2');

const listed = (names: readonly string[]): string =>
  names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');

async function detailSteps(read: Reading, move: NumberMove): Promise<MoveStep[]> {
  const steps: MoveStep[] = [];
  for (const { resource } of move.spaces) {
    if (resource.family === 'asn') continue;
    const { contacts, geofeed } = await networkDetailsOf(read, columnsOf(resource));
    for (const { handle, attributes } of contacts) {
      const { plan, goes, act } = chosen(move, 'contact', handle);
      const ends: Wording = parties =>
        move.goesToAccount
          ? `${parties.reader === 'recipient' ? 'Your' : capital(`${parties.to}’s`)} contacts take its place. The contact itself stays ${parties.reader === 'source' ? 'yours' : `with ${parties.from}`}`
          : 'No longer named for the block';
      const today = `${attributes.join(', ')} of ${printResource(resource)}`;
      const on = goes ? forATime(move, always('Stays named for the block'), plan) : ends;
      steps.push({ what: 'contact', name: handle, today, act: namedAct(act), on, plan, doing: { of: 'words' } });
    }
    if (geofeed === null) continue;
    const { plan, goes, act } = chosen(move, 'geofeed', geofeed);
    const own = toRecipient('. You can name your own', to => `. ${capital(to)} can name its own`);
    const ends: Wording = parties => `No longer named for the block${move.goesToAccount ? own(parties) : ''}`;
    const on = goes ? forATime(move, always('Stays named for the block'), plan) : ends;
    const today = `Geofeed of ${printResource(resource)}`;
    steps.push({ what: 'geofeed', name: geofeed, today, act: namedAct(act), on, plan, doing: { of: 'words' } });
  }
  return steps;
}

/** Something that the block only names doesn't end with it: another takes its place. */
const namedAct = (act: PlannedEffect['act']): PlannedEffect['act'] => (act === 'ends' ? 'changes' : act);

function roaStep(move: NumberMove, touched: TouchedRoa): MoveStep {
  const { roa, name, why, keeps, gives } = touched;
  const declined = move.signs?.roas === false;
  const { plan, goes: wanted, act } = chosen(move, 'roa', name);
  const goes = wanted && !declined;
  const doing: Doing = { of: 'roa', touched, goes };
  if (why === 'origin')
    return {
      what: 'roa',
      name,
      today: 'Names an AS number that moves',
      act: 'ends',
      on: ({ reader }) =>
        `Removed: ${printAsNumber(roa.asn)} moves, and ${roa.prefix} doesn’t${reader === 'source' ? '. Add one for the AS that announces it then' : ''}`,
      plan: null,
      doing: { of: 'roa', touched, goes: false },
    };
  if (why === 'inside')
    return {
      what: 'roa',
      name,
      today: 'Covers this space',
      act: goes ? act : 'ends',
      on: goes
        ? forATime(
            move,
            toRecipient(
              `Signed by your certificate in the same publication${move.signs ? '' : ', unless you decline'}`,
              to => `Signed by ${to}’s certificate in the same publication${move.signs ? '' : `, unless ${to} declines`}`,
            ),
            plan,
          )
        : wanted
          ? toRecipient('Removed: you don’t sign it', to => `Removed: ${to} doesn’t sign it`)
          : always('Removed'),
      plan,
      ...(goes && move.goesToAccount && { signs: [name] }),
      doing,
    };
  const exact = keeps.some(({ maxLength }) => maxLength > roa.maxLength);
  const parts: Wording = parties =>
    keeps.length === 0
      ? `Removed: ${printAsNumber(roa.asn)} moves too`
      : `Becomes ${listed(keeps.map(printRoa))} for the parts that ${keepsIn(parties)}${exact && parties.reader === 'source' ? `. It allowed no longer prefixes: announce these in place of ${roa.prefix}` : ''}`;
  const none = 'none: what moves was longer than it allowed';
  const signed = listed(gives.map(printRoa));
  const given: Wording =
    !goes || !move.goesToAccount
      ? always('')
      : gives.length > 0
        ? toRecipient(`. You sign ${signed}`, to => `. ${capital(to)} signs ${signed}`)
        : toRecipient(`. You get ${none}`, to => `. ${capital(to)} gets ${none}`);
  return {
    what: 'roa',
    name,
    today: 'Covers this space and more that is kept',
    act: keeps.length === 0 ? 'ends' : 'changes',
    on: parties => `${parts(parties)}${given(parties)}`,
    plan: null,
    ...(goes && move.goesToAccount && gives.length > 0 && { signs: gives.map(printRoa) }),
    doing,
  };
}

function aspaStep(move: NumberMove, touched: TouchedAspa): MoveStep {
  const { aspa, why, keeps } = touched;
  const name = printAspa(aspa);
  if (why === 'provider')
    return {
      what: 'aspa',
      name,
      today: 'Names a provider that moves',
      act: keeps.length === 0 ? 'ends' : 'changes',
      on: always(
        keeps.length === 0 ? 'Removed: no provider is left' : `Becomes ${printAspa({ customer: aspa.customer, providers: [...keeps] })}`,
      ),
      plan: null,
      doing: { of: 'aspa', touched, goes: false },
    };
  const goes = move.goesToAccount && move.signs?.aspas === true;
  return {
    what: 'aspa',
    name,
    today: 'States the providers of an AS number that moves',
    act: goes ? 'moves' : 'ends',
    on: goes
      ? toRecipient('Signed by your certificate in the same publication', to => `Signed by ${to}’s certificate in the same publication`)
      : move.goesToAccount && move.signs === null
        ? toRecipient(
            'Removed, unless you take it over when you acknowledge',
            to => `Removed, unless ${to} takes it over when it acknowledges`,
          )
        : always('Removed'),
    plan: null,
    doing: { of: 'aspa', touched, goes },
  };
}

/** A member's own authority may publish elsewhere: only its certificate is known here, not what it signed. */
const ownAuthorityStep = (move: NumberMove): MoveStep => ({
  what: 'account',
  name: `Certificate authority of ${move.from}`,
  today: 'Certified for this space, and run by the account itself',
  act: 'changes',
  on: always(
    move.goesToAccount
      ? 'Its certificate loses this space in the same publication: validators refuse the ROAs that it made for it'
      : 'Its certificate loses this space, within a day: validators refuse the ROAs that it made for it',
  ),
  plan: null,
  doing: { of: 'words' },
});

/** A summary of a plan for comparison: each object with what happens to it. */
export const inShort = (steps: readonly MoveStep[]): string[] =>
  steps.map(({ what, name, act, doing }) => {
    const parts =
      doing.of === 'object' ? doing.touched.becomes.map(each => each.shown) : doing.of === 'roa' ? doing.touched.keeps.map(printRoa) : [];
    return `${what} ${name}: ${act}${parts.length > 0 ? ` (${listed(parts)})` : ''}`;
  });

/** The differences between the acknowledged plan and the one carried out, in words. Null if no plan was stored. */
export function differencesOf(agreed: readonly string[] | null, steps: readonly MoveStep[]): string[] {
  if (agreed === null) return [];
  const now = inShort(steps);
  const [before, after] = [new Set(agreed), new Set(now)];
  const objectOf = (line: string): string => line.slice(0, line.lastIndexOf(': '));
  const known = new Set(now.map(objectOf));
  return [
    ...now.filter(line => !before.has(line)),
    ...agreed.filter(line => !after.has(line) && !known.has(objectOf(line))).map(line => `${objectOf(line)}: no longer there`),
  ];
}
