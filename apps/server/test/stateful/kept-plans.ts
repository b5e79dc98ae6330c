import { sql } from 'kysely';
import type { World } from './world.ts';

type Completed = { id: number; from: string; to: string | null; agreed: string[]; changed: string[] };

/** A line of a plan: `roa AS64500 198.18.0.0/19: changes (AS64500 198.18.0.0/20)`. */
const LINE = /^(?<object>(?<what>\w+) (?<name>.+)): (?<act>moves|holds|ends|changes|stays)(?: \((?<becomes>.+)\))?$/;

/** Classes of whois objects by the kind that plans give them. */
const classes: Readonly<Record<string, readonly string[]>> = { route: ['route', 'route6', 'route-set'], reverse: ['domain'] };

/** ROAs of an account by the name that plans give them. */
const roasOf = async (world: World, account: string | null): Promise<Set<string>> =>
  new Set(
    (
      await world.rows<{ name: string }>(
        sql`select 'AS' || asn || ' ' || prefix || case when max_length = masklen(prefix) then '' else '-' || max_length end as name from roa where account_name = ${account}`,
      )
    ).map(({ name }) => name),
  );

/** Returns what of one plan did not become true, in words. */
async function broken(world: World, { id, from, to, agreed, changed }: Completed): Promise<string[]> {
  const replaced = new Set(changed.map(line => line.slice(0, line.lastIndexOf(': '))));
  const [before, after] = [await roasOf(world, from), await roasOf(world, to)];
  const found: string[] = [];
  for (const line of [...agreed, ...changed]) {
    const { object, what, name, act, becomes = '' } = LINE.exec(line)?.groups ?? {};
    if (object === undefined || (replaced.has(object) && !changed.includes(line))) continue;
    const parts = becomes === '' || becomes.includes(' more') ? [] : becomes.split(', ');
    const say = (words: string): void => void found.push(`REQ-${id} was to do “${line}”, and ${words}`);
    if (what === 'roa') {
      if (before.has(name!) && !parts.includes(name!)) say(`${from} still has the ROA`);
      for (const part of parts) if (!before.has(part)) say(`${from} has no ROA ${part}`);
      if (act === 'moves' && to !== null && !after.has(name!)) say(`${to} has no ROA ${name}`);
    }
    if (what! in classes) {
      const rows = await world.rows<{ shown: string; own: boolean }>(sql`select o.shown, exists (select from whois_reference r
          join maintainer_link l on lower(l.maintainer) = r.value where r.object_id = o.object_id and r.attribute = 'mnt-by' and l.account_name = ${from}
            and not exists (select from maintainer_link b where b.maintainer = l.maintainer and b.account_name = ${to})) as own
        from whois_object o where o.class = any(${classes[what!]}::text[]) and o.shown = any(${[name, ...parts]}::text[])`);
      if (act === 'ends' && rows.length > 0) say('it is still in whois');
      if (act === 'moves' && rows.length === 0) say('it is not in whois');
      if (act === 'moves' && rows.some(({ own }) => own)) say(`${from} still maintains it`);
      for (const part of parts) if (!rows.some(({ shown }) => shown === part)) say(`${part} is not in whois`);
    }
  }
  return found;
}

/** After each case that took numbers from their holder: compares what there is with the plan that its parties read, but for what the case itself said had changed since. */
export async function plansNotKept(world: World): Promise<string[]> {
  const completed =
    await world.rows<Completed>(sql`select r.resource_request_id as id, r.account_name as from, r.recipient_name as to, r.agreed,
      coalesce((select a.details -> 'changedSincePlan' from activity a where a.details ->> 'request' = 'REQ-' || r.resource_request_id and a.details ? 'changedSincePlan' limit 1), '[]') as changed
    from resource_request r where r.state = 'completed' and r.kind in ('transfer', 'acquisition') and r.agreed is not null
      and coalesce(r.form ->> 'incoming', 'false') <> 'true' and not r.resource_request_id = any(${[...world.settled]}::bigint[])`);
  const found: string[] = [];
  for (const one of completed) found.push(...(await broken(world, one)));
  return found;
}
