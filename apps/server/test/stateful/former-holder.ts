import { api } from '@portal/contract/api';
import { parseResource, printPrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { columnsOf } from '../../src/modules/resources/index.ts';
import { outcomeOf } from './act.ts';
import { domainText, firstPrefix, maintainerOf, networkText, routeText, write } from './acts-of-whois.ts';
import { saveRoute } from './acts-of-routing.ts';
import type { Actor, World } from './world.ts';

type Ended = { id: number; account: string; resources: string[] };

/** The numbers of a case that its former holder holds no part of. */
async function gone(world: World, { account, resources }: Ended): Promise<string[]> {
  const left: string[] = [];
  for (const resource of resources) {
    const { kind, first, last, firstAs, lastAs } = columnsOf(parseResource(resource));
    const held = await world.rows(sql`select 1 from delegation where account_name = ${account} and status <> 'closed' and kind = ${kind}
      and case when kind = 'asn' then first_as <= ${lastAs} and last_as >= ${firstAs} else first <= ${last}::inet and last >= ${first}::inet end`);
    if (held.length === 0) left.push(resource);
  }
  return left;
}

type Door = { door: string; go: () => Promise<string> };

/** Every door through which an account can write over addresses. */
function doorsToAddresses(
  world: World,
  actor: Actor,
  { prefix, maintainer, objects }: { prefix: string; maintainer: string; objects: readonly string[] },
): Door[] {
  const { account, name } = actor;
  const zone = domainText(prefix, 'ERH1-EX', maintainer);
  const texts = [routeText(prefix, 64500, maintainer), networkText(prefix, 'ERH1-EX', maintainer), ...(zone === null ? [] : [zone])];
  const changed = objects.flatMap(text => [
    text.replace(/^source:/m, 'remarks: not mine any more\nsource:'),
    `${text.trim()}\ndelete: not mine any more`,
  ]);
  return [
    ...[...texts, ...changed].flatMap(text =>
      [0, 1, 2].map(door => ({
        door: `${['text', 'API', 'key'][door]}: ${text.split('\n')[0]}`,
        go: () => write(world, actor, text, door),
      })),
    ),
    { door: 'page of routes', go: () => saveRoute(world, actor, { prefix, asn: 'AS64500', roa: true, whois: true }) },
    {
      door: 'page of ROAs',
      go: async () => {
        const person = await world.as(name);
        const listed = await person(api.rpki.listRoas, { account, query: { limit: 1 } as never });
        const version = (listed.data as { version: number } | undefined)?.version ?? 0;
        const answer = await person(api.rpki.changeRoas, {
          account,
          body: { version, add: [{ prefix, asn: 'AS64500' }], remove: [] } as never,
        });
        return answer.errors?.[0]?.code ?? 'ok';
      },
    },
    {
      door: 'page of customers',
      go: async () => {
        const body = { netname: 'NOT-MINE', customer: 'Nobody', visibility: 'public', resource: prefix, type: 'assigned', reuse: true };
        return outcomeOf(await (await world.as(name))(api.whoisCustomers.addAssignment, { account, body } as never));
      },
    },
    ...(zone === null
      ? []
      : (['delegate', 'remove'] as const).map(operation => ({
          door: `page of reverse DNS, ${operation}`,
          go: async () => {
            const answer = await (await world.as(name))(api.reverseDns.submitZones, {
              account,
              body: {
                zones: [zone.slice('domain: '.length, zone.indexOf('\n'))],
                operation,
                servers: ['ns1.example.net', 'ns2.example.net'],
                adminC: 'ERH1-EX',
                techC: 'ERH1-EX',
                zoneC: 'ERH1-EX',
                mntBy: maintainer,
              },
            });
            const outcome = answer.data?.zones[0]?.outcome;
            return outcome ? (outcome.state === 'failed' ? 'failed' : outcome.state) : (answer.errors?.[0]?.code ?? 'ok');
          },
        }))),
  ];
}

/** Objects over a resource that are not the registry's. */
const objectsOver = async (world: World, resource: string): Promise<string[]> => {
  const { kind, first, last, firstAs, lastAs } = columnsOf(parseResource(resource));
  const rows = await world.rows<{ text: string }>(
    kind === 'asn'
      ? sql`select text from whois_object where class = 'aut-num' and first_as between ${firstAs} and ${lastAs} limit 3`
      : sql`select text from whois_object where class in ('inetnum', 'inet6num', 'route', 'route6', 'domain') and first >= ${first}::inet and last <= ${last}::inet
          and family(first) = family(${first}::inet) order by class desc, object_id desc limit 4`,
  );
  return rows.map(({ text }) => text);
};

async function doorsTo(world: World, actor: Actor, resource: string): Promise<Door[]> {
  const maintainer = (await maintainerOf(world, actor.account)) ?? 'MAINT-NONE';
  const objects = await objectsOver(world, resource);
  if (!resource.startsWith('AS'))
    return doorsToAddresses(world, actor, { prefix: printPrefix(firstPrefix(resource)), maintainer, objects });
  const customer = resource.split(' ')[0]!;
  return [
    ...objects.map(text => ({
      door: `text: ${text.split('\n')[0]}`,
      go: () => write(world, actor, text.replace(/^source:/m, 'remarks: not mine\nsource:'), 0),
    })),
    {
      door: 'page of ASPAs',
      go: async () =>
        (
          await (
            await world.as(actor.name)
          )(api.rpkiAspas.saveAspa, { account: actor.account, body: { customer, providers: ['AS64501'], version: 0 } as never })
        ).errors?.[0]?.code ?? 'ok',
    },
  ];
}

/**
 * After each case that took numbers from their holder: the former holder tries to write over them by every door. Answers what was not refused.
 */
export async function attackAfterMoves(world: World): Promise<string[]> {
  const ended =
    await world.rows<Ended>(sql`select resource_request_id as id, account_name as account, array(select jsonb_array_elements_text(outcome -> 'resources')) as resources
    from resource_request where state = 'completed' and kind in ('transfer', 'acquisition', 'return') and coalesce(form ->> 'incoming', 'false') <> 'true' and outcome is not null
      and not resource_request_id = any(${[...world.settled]}::bigint[])`);
  const through: string[] = [];
  for (const one of ended) {
    world.settled.add(one.id);
    const actor = (await world.actors()).find(({ account }) => account === one.account);
    if (!actor) continue;
    for (const resource of (await gone(world, one)).slice(0, 3))
      for (const { door, go } of await doorsTo(world, actor, resource)) {
        const said = await go();
        if (said === 'ok' || said === 'unchanged')
          through.push(`${one.account} wrote over ${resource}, which REQ-${one.id} took from it, by ${door}`);
      }
  }
  return through;
}
