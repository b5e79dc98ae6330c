import { api } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { exampleElection } from '../example-election.ts';
import { castForm, slipIn } from '../plain-ballot.ts';
import { seconded } from '../scrutineer.ts';
import { type Act, type Dice, idle, outcomeOf } from './act.ts';
import { byKey, prefixIn } from './acts-of-whois.ts';
import type { World } from './world.ts';

/** A prefix somewhat longer than that of a holding, as a customer gets. */
const customerPrefix = (prefix: string, dice: Dice): string => {
  const [address, length] = prefix.split('/');
  const most = prefix.includes(':') ? 64 : 30;
  return `${address}/${Math.min(most, Math.max(Number(length), prefix.includes(':') ? 48 : 24) + dice.below(5))}`;
};

async function assign(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const { account } = actor;
  const person = await world.as(actor.name);
  const assignments = await world.rows<{ id: string }>(
    sql`select assignment_id::text as id from assignment where account_name = ${account} order by assignment_id desc limit 20`,
  );
  const old = dice.pick(assignments);
  if (old && dice.chance(35)) return outcomeOf(await person(api.whoisCustomers.returnAssignment, { account, assignmentId: old.id }));
  const holding = dice.pick((await world.holdings(dice.chance(90) ? account : undefined)).filter(({ kind }) => kind !== 'asn'));
  if (!holding) return idle;
  const body = {
    netname: `CUST-${dice.below(50)}`,
    customer: `Customer ${dice.below(20)}`,
    visibility: dice.chance(60) ? 'public' : 'private',
    resource: customerPrefix(prefixIn(holding, dice), dice),
    type: dice.chance(80) ? 'assigned' : 'allocated',
    reuse: true,
  } as const;
  return outcomeOf(
    dice.chance(25)
      ? await byKey(world, account, 'POST', '/customers/assignments', body)
      : await person(api.whoisCustomers.addAssignment, { account, body: body as never }),
  );
}

async function national(world: World, dice: Dice): Promise<string> {
  const account = 'NATREG-XX';
  const nils = await world.as('nils');
  const subaccounts = await world.rows<{ id: string; entity: string; version: number }>(
    sql`select subaccount_id::text as id, entity_id::text as entity, version from subaccount where account_name = ${account} and status = 'open' order by subaccount_id desc limit 12`,
  );
  const entities = await world.rows<{ id: string }>(
    sql`select entity_id::text as id from nir_entity where account_name = ${account} and merged_into is null order by entity_id desc limit 12`,
  );
  const [one, other] = [dice.pick(subaccounts), dice.pick(subaccounts)];
  const delegations = await world.rows<{ id: string; subaccount: string }>(
    sql`select nir_delegation_id::text as id, subaccount_id::text as subaccount from nir_delegation where account_name = ${account} order by nir_delegation_id desc limit 20`,
  );
  const given = dice.pick(delegations);
  const act = dice.below(7);
  const name = `NET${dice.below(10_000)}`;
  if (act === 0 || entities.length === 0) return outcomeOf(await nils(api.nirEntities.addEntity, { account, body: { name } } as never));
  if (act === 1 || !one || !other)
    return outcomeOf(
      await nils(api.nirSubaccounts.addSubaccount, { account, body: { name: `${name}-XX`, entityId: dice.pick(entities)!.id } } as never),
    );
  if (act === 2 && given) return outcomeOf(await nils(api.nirDelegations.returnNirDelegation, { account, delegationId: given.id }));
  if (act === 3 && given)
    return outcomeOf(
      await nils(api.nirDelegations.moveNirDelegations, {
        account,
        body: { from: given.subaccount, to: other.id, delegationIds: [given.id], reason: 'merger', dryRun: false },
      } as never),
    );
  if (act === 4) return outcomeOf(await nils(api.nirSubaccounts.closeSubaccount, { account, subaccountId: one.id }));
  const holding = dice.pick(await world.holdings(account));
  if (!holding) return idle;
  const resource = holding.kind === 'asn' ? `AS${holding.firstAs + dice.below(4)}` : customerPrefix(prefixIn(holding, dice), dice);
  return outcomeOf(
    await nils(api.nirDelegations.addNirDelegation, {
      account,
      body: { subaccountId: one.id, resource, netname: name, reuse: true },
    } as never),
  );
}

async function people(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const { account } = actor;
  const person = await world.as(actor.name);
  const others = await world.rows<{
    id: string;
    version: number;
  }>(sql`select contact_id::text as id, version from contact c left join login l using (login_id)
    where account_name = ${account} and (l.username is null or l.username <> ${actor.name}) and removed_at is null order by c.created_at desc limit 10`);
  const other = dice.pick(others);
  const act = dice.below(3);
  if (act === 0 || !other)
    return outcomeOf(
      await person(api.contacts.inviteContact, {
        account,
        body: { fullName: 'Drawn Contact', email: `c${dice.below(100_000)}@example.net`, contactTypes: ['technical'] },
      } as never),
    );
  if (act === 1)
    return outcomeOf(await person(api.contacts.removeContact, { account, contactId: other.id, body: { version: other.version } } as never));
  return outcomeOf(
    await person(api.contacts.updateContact, {
      account,
      contactId: other.id,
      body: { version: other.version, position: `Position ${dice.below(9)}` },
    } as never),
  );
}

async function tickets(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const { account } = actor;
  const person = await world.as(actor.name);
  const [open] = await world.rows<{ id: string }>(
    sql`select ticket_id::text as id from ticket where account_name = ${account} order by ticket_id desc offset ${dice.below(4)} limit 1`,
  );
  if (!open || dice.chance(40))
    return outcomeOf(
      await person(api.accountTickets.openAccountTicket, {
        account,
        body: { queue: 'resources', subject: 'Drawn question', text: 'How?' },
      } as never),
    );
  if (dice.chance(50))
    return outcomeOf(
      await (await world.as('stella'))(api.tickets.answerStaffTicket, {
        ticketId: open.id,
        body: { text: 'So.', comment: false },
      } as never),
    );
  return outcomeOf(await person(api.accountTickets.answerAccountTicket, { account, ticketId: open.id, body: { text: 'Thanks' } } as never));
}

async function keys(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const { account } = actor;
  const person = await world.as(actor.name);
  const [old] = await world.rows<{ id: string }>(
    sql`select api_key_id::text as id from api_key where account_name = ${account} and revoked_at is null order by api_key_id desc limit 1`,
  );
  if (old && dice.chance(25)) {
    world.keys.delete(account);
    return outcomeOf(await person(api.apiKeys.revokeApiKey, { account, apiKeyId: old.id }));
  }
  const made = old
    ? await person(api.apiKeys.rotateApiKey, { account, apiKeyId: old.id, body: { overlapHours: 0 } })
    : await person(api.apiKeys.createApiKey, { account, body: { label: 'drawn', scopes: [...apiScopeKeys], days: 300 } } as never);
  const secret = (made.data as { secret?: string } | undefined)?.secret;
  if (secret !== undefined) world.keys.set(account, [...(world.keys.get(account) ?? []), secret]);
  return outcomeOf(made);
}

/** An election, its votes, its proxies, its end. */
async function elect(world: World, dice: Dice): Promise<string> {
  const stella = await world.as('stella');
  const inDays = (days: number): string => instantAfter(world.now(), days * DAY_MS);
  const [open] = await world.rows<{
    id: string;
    version: number;
  }>(sql`select e.election_id::text as id, e.version from election e join election_window w using (election_id)
    where e.state = 'published' and w.kind = 'member-vote' and w.url = '' and w.opens_at <= ${world.now().toISOString()}::timestamptz and w.closes_at > ${world.now().toISOString()}::timestamptz
    order by e.election_id desc limit 1`);
  if (!open) {
    const windows = [{ kind: 'member-vote', opensAt: inDays(0.01), closesAt: inDays(7), url: '' }] as never;
    const made = await stella(api.elections.addElection, {
      body: exampleElection({ title: `Council ${dice.below(1000)}`, seats: 2, maxSelections: 2, windows }),
    });
    if (!made.data) return outcomeOf(made);
    const { electionId } = made.data;
    await stella(api.electionOptions.saveOptions, {
      electionId,
      body: { rows: ['Ada', 'Bo', 'Cy'].map(name => ({ name, statement: '' })) },
    });
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    return outcomeOf(await seconded(world.portal, await stella(api.elections.publishElection, { electionId, body: { version } })));
  }
  if (dice.chance(4))
    return outcomeOf(
      await seconded(
        world.portal,
        await (await world.as('dora'))(api.electionOptions.resetElection, {
          electionId: open.id,
          body: { version: open.version, reason: 'Drawn again' },
        }),
      ),
    );
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const person = await world.as(actor.name);
  const opened = await person(api.ballots.openBallot, { account: actor.account, electionId: open.id });
  if (!opened.data) return outcomeOf(opened);
  const { pathname, search } = new URL(opened.data.url);
  const page = await world.portal.request(pathname + search);
  const slip = slipIn(await page.text());
  if (slip.receipt === '') return String(page.status);
  const choices = ['1', '2', '3'].filter(() => dice.chance(50));
  const cast = await world.portal.request(pathname + search, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: castForm(slip, choices),
  });
  return cast.ok ? 'ok' : String(cast.status);
}

async function close(world: World, dice: Dice): Promise<string> {
  const asked = await world.rows<{ id: string; account: string }>(
    sql`select account_closure_request_id::text as id, account_name as account from account_closure_request where state = 'submitted' limit 5`,
  );
  const found = dice.pick(asked);
  if (found && dice.chance(50))
    return outcomeOf(
      await (await world.as('stan'))(api.accountClosures.refuseAccountClosure, { closureId: found.id, body: { note: 'No' } } as never),
    );
  if (found)
    return outcomeOf(
      await (await world.as('stan'))(api.accountClosures.approveAccountClosure, { closureId: found.id, body: { note: '' } } as never),
    );
  const actor = dice.pick((await world.actors()).filter(({ account }) => !['EXAMPLE-AU', 'OTHER-SG', 'NATREG-XX'].includes(account)));
  if (!actor || !dice.chance(30)) return idle;
  return outcomeOf(
    await (await world.as(actor.name))(api.accountClosures.requestAccountClosure, {
      account: actor.account,
      body: { reason: 'No longer needed', closeOn: world.day(0), resources: 'return', confirmation: actor.account },
    } as never),
  );
}

/** Other acts of members. */
export const actsOfMembers: readonly Act[] = [
  { name: 'register a customer', weight: 6, run: assign },
  { name: 'keep a national register', weight: 5, run: national },
  { name: 'change contacts', weight: 2, run: people },
  { name: 'write a ticket', weight: 1, run: tickets },
  { name: 'make or end a key', weight: 2, run: keys },
  { name: 'vote', weight: 3, run: elect },
  { name: 'close an account', weight: 1, run: close },
];
