import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { type Act, idle, outcomeOf, type Dice } from './act.ts';
import { prefixIn } from './acts-of-whois.ts';
import type { Actor, Holding, World } from './world.ts';

async function holder(world: World, dice: Dice, family: 'addresses' | 'asn'): Promise<{ actor: Actor; holding: Holding } | null> {
  const actor = dice.pick(await world.actors());
  const holding =
    actor &&
    dice.pick(
      (await world.holdings(dice.chance(92) ? actor.account : undefined)).filter(({ kind }) => (kind === 'asn') === (family === 'asn')),
    );
  return actor && holding ? { actor, holding } : null;
}

async function enable(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const person = await world.as(actor.name);
  return outcomeOf(
    dice.chance(97)
      ? await person(api.rpki.enable, { account: actor.account })
      : await person(api.rpki.revoke, { account: actor.account } as never),
  );
}

/** Saves a route with its ROA, its route object, or both. */
export async function saveRoute(
  world: World,
  { account, name }: Actor,
  given: { prefix: string; asn: string; roa: boolean; whois: boolean },
): Promise<string> {
  const person = await world.as(name);
  const listed = await person(api.routes.listRoutes, { account, query: {} } as never);
  if (!listed.data) return outcomeOf(listed);
  const { version } = listed.data as { version: string };
  const body = { version, add: [given], invalidating: undefined };
  const answer = await person(api.routes.saveRoutes, { account, body: body as never });
  const typed = /\b(\d+) announcements?\b/.exec(answer.errors?.[0]?.message ?? '');
  if (!typed) return outcomeOf(answer);
  return outcomeOf(await person(api.routes.saveRoutes, { account, body: { ...body, invalidating: Number(typed[1]) } as never }));
}

async function route(world: World, dice: Dice): Promise<string> {
  const found = await holder(world, dice, 'addresses');
  if (!found) return idle;
  const own = dice.pick((await world.holdings(found.actor.account)).filter(({ kind }) => kind === 'asn'));
  const asn = `AS${dice.chance(10) ? 0 : (own?.firstAs ?? 64500)}`;
  return saveRoute(world, found.actor, { prefix: prefixIn(found.holding, dice), asn, roa: dice.chance(80), whois: dice.chance(70) });
}

async function removeRoute(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const { account } = actor;
  const person = await world.as(actor.name);
  if (dice.chance(40)) {
    const changes = await world.rows<{ id: string }>(
      sql`select route_change_id::text as id from route_change where account_name = ${account} order by route_change_id desc limit 4`,
    );
    const change = dice.pick(changes);
    return change ? outcomeOf(await person(api.routes.undoChange, { account, changeId: change.id, body: {} })) : idle;
  }
  const listed = await person(api.routes.listRoutes, { account, query: {} } as never);
  const { version, rows } = (listed.data ?? { version: '', rows: [] }) as { version: string; rows: { routeId: string | null }[] };
  const chosen = dice.pick(rows.filter(({ routeId }) => routeId !== null));
  if (!chosen) return idle;
  return outcomeOf(await person(api.routes.saveRoutes, { account, body: { version, remove: [{ routeId: chosen.routeId }] } as never }));
}

async function roa(world: World, dice: Dice): Promise<string> {
  const found = await holder(world, dice, 'addresses');
  if (!found) return idle;
  const { account, name } = found.actor;
  const person = await world.as(name);
  const listed = await person(api.rpki.listRoas, { account, query: { limit: 1000 } as never });
  if (!listed.data) return outcomeOf(listed);
  const { version, rows } = listed.data as { version: number; rows: { roaId: string }[] };
  const old = dice.pick(rows);
  const add = old && dice.chance(30) ? [] : [{ prefix: prefixIn(found.holding, dice), asn: `AS${64500 + dice.below(3)}` }];
  return outcomeOf(
    await person(api.rpki.changeRoas, { account, body: { version, add, remove: add.length === 0 ? [old!.roaId] : [] } as never }),
  );
}

async function aspa(world: World, dice: Dice): Promise<string> {
  const found = await holder(world, dice, 'asn');
  if (!found) return idle;
  const { account, name } = found.actor;
  const person = await world.as(name);
  const listed = await person(api.rpkiAspas.listAspas, { account });
  const present = listed.data?.rows.find(({ customer }) => customer === found.holding.firstAs);
  if (present && dice.chance(30))
    return outcomeOf(await person(api.rpkiAspas.removeAspa, { account, aspaId: present.aspaId, body: { version: present.version } }));
  const body = {
    customer: `AS${found.holding.firstAs}`,
    providers: [`AS${64496 + dice.below(12)}`, `AS${65536 + dice.below(5)}`],
    version: present?.version ?? 0,
  };
  return outcomeOf(await person(api.rpkiAspas.saveAspa, { account, body }));
}

/** Acts with routes, ROAs and ASPAs. */
export const actsOfRouting: readonly Act[] = [
  { name: 'enable RPKI', weight: 2, run: enable },
  { name: 'save a route', weight: 6, run: route },
  { name: 'remove or undo a route', weight: 3, run: removeRoute },
  { name: 'change ROAs', weight: 5, run: roa },
  { name: 'save an ASPA', weight: 3, run: aspa },
];
