import { api } from '@portal/contract/api';
import { directPaths } from '@portal/contract/requests/direct-delegations';
import { emptyForm, type RequestForm, type RequestKind, requestPaths } from '@portal/contract/requests/request-form';
import { groundRules, groundsOf } from '@portal/contract/requests/request-grounds';
import { parsePrefix, prefixAt, printPrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { sentFile } from '../sample-files.ts';
import { type Act, type Dice, idle, outcomeOf } from './act.ts';
import type { Actor, Holding, World } from './world.ts';

const paths = ['', ...Object.keys(requestPaths)] as RequestForm['path'][];
const sentence = 'A network of routers and servers in two cities.';
const plan = (dice: Dice) => [
  { purpose: 'Hosting', amounts: Array.from({ length: 5 }, (_, year) => 2 ** (4 + dice.below(10)) * (year + 1)) },
];

/** Sends a case as people do: started, filled in, sent. */
async function send(world: World, { account, name }: Actor, kind: RequestKind, form: Partial<RequestForm>): Promise<string> {
  const person = await world.as(name);
  const started = await person(api.requests.startRequest, { account, body: { kind, incoming: form.incoming ?? false } });
  if (!started.data) return outcomeOf(started);
  const { requestId, version } = started.data;
  const needsPapers = groundRules(kind, form.path ?? '')?.documents.some(({ required }) => required);
  const documentIds = needsPapers ? [await sentFile(person)] : [];
  const saved = await person(api.requests.saveRequest, {
    account,
    requestId,
    body: { version, form: { ...emptyForm, ...form }, documentIds },
  });
  if (!saved.data) return outcomeOf(saved);
  return outcomeOf(await person(api.requests.submitRequest, { account, requestId, body: { version: saved.data.version, truthful: true } }));
}

/** Asks for resources out of the pools, on fitting grounds and on others. */
async function ask(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const kind = dice.pick(['ipv4', 'ipv6', 'asn', 'asn', 'pre-approval'] as const)!;
  const path = dice.chance(80) ? dice.pick(groundsOf(kind))! : dice.pick(paths)!;
  const lengths = { ipv4: [24, 24, 23, 26, 16], ipv6: [48, 32, 32, 29, 100, 22], asn: [0], 'pre-approval': [0] }[kind];
  const names = ['AS64501', 'AS64502', 'AS64503', ...(dice.chance(20) ? ['banana', 'AS0', 'AS4294967296', 'AS64501'] : [])];
  return send(world, actor, kind, {
    path,
    length: dice.pick(lengths)!,
    blocks: 1 + dice.below(6),
    plan: plan(dice),
    sites: dice.pick([0, 10, 500, 70_000])!,
    multihomed: 'now',
    neighbours: names.map((asn, n) => ({ asn, name: `Upstream ${n}` })),
    startsOn: dice.chance(80) ? world.day(20) : '2020-02-02',
    endsOn: dice.chance(80) ? world.day(40) : '2029-12-31',
    customer: 'A customer',
    prefixes: '2001:db8::/32',
    network: sentence,
    reason: 'The routers of a partner need it',
  });
}

/** All of a holding, or a part of it: an aligned prefix, of IPv6 also one that is too small. */
function partOf({ kind, resource }: Holding, dice: Dice): string {
  if (kind === 'asn' || dice.chance(40) || !resource.includes('/')) return resource;
  const { family, first, length } = parsePrefix(resource);
  const shorter =
    family === 'ipv4'
      ? Math.min(32, length + 1 + dice.below(4))
      : Math.min(128, length + (dice.chance(30) ? 1 + dice.below(90) : 1 + dice.below(8)));
  const step = 1n << BigInt((family === 'ipv4' ? 32 : 128) - shorter);
  const place = BigInt(dice.below(2 ** Math.min(20, shorter - length)));
  return printPrefix(prefixAt(family, first + place * step, shorter));
}

/** Objects that a transfer can treat apart: those on the block. */
const handOver =
  (kind: 'transfer' | 'acquisition' | 'return') =>
  async (world: World, dice: Dice): Promise<string> => {
    const actor = dice.pick(await world.actors());
    const held = actor ? await world.holdings(actor.account) : [];
    const holding = dice.pick(held);
    if (!actor || !holding) return idle;
    const others = await world.actors();
    const otherRegistry = kind === 'transfer' && dice.chance(8) ? 'RIPE NCC' : '';
    const resources = kind === 'acquisition' && dice.chance(50) ? held.map(({ resource }) => resource) : [partOf(holding, dice)];
    return send(world, actor, kind, {
      resources,
      recipient: kind === 'return' || otherRegistry !== '' ? '' : dice.pick(others)!.account,
      reason: 'Not needed any more',
      startsOn: world.day(dice.chance(80) ? 0 : 1),
      otherRegistry,
      withRegistrations: kind === 'acquisition' || dice.chance(50),
      withRoas: dice.chance(70),
      occasion: 'merger',
      legalName: 'The company that receives',
      closeAfter: kind === 'acquisition' && resources.length === held.length && held.length < 3 && dice.chance(15),
    });
  };

const foreign = [
  '10.0.0.0/24',
  '127.0.0.0/22',
  '240.0.0.0/8',
  'AS0',
  'AS23456',
  '185.1.0.0/24',
  '2a00:1450::/32',
  'AS3333',
  '192.0.2.0/24',
  '91.198.174.0/24',
];

/** Receives from another registry, or pretends to. */
async function receive(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  return send(world, actor, 'transfer', {
    incoming: true,
    resources: [dice.pick(foreign)!],
    otherRegistry: dice.pick(['ARIN', 'RIPE NCC', 'APNIC'])!,
    legalName: 'Holder over there',
    plan: plan(dice),
    network: sentence,
  });
}

type Case = { id: number; account: string; recipient: string | null; state: string; kind: string };
const casesIn = (world: World, ...states: string[]): Promise<Case[]> =>
  world.rows<Case>(sql`select resource_request_id as id, account_name as account, recipient_name as recipient, state, kind from resource_request
    where state = any(${states}::text[]) order by resource_request_id desc limit 40`);
const personOf = async (world: World, account: string | null): Promise<Actor | undefined> =>
  (await world.actors()).find(actor => actor.account === account);

async function acknowledge(world: World, dice: Dice): Promise<string> {
  const found = dice.pick(await casesIn(world, 'offered'));
  const actor = found && (await personOf(world, found.recipient));
  if (!found || !actor) return idle;
  const person = await world.as(actor.name);
  const requestId = String(found.id);
  const seen = await person(api.requests.getRequest, { account: actor.account, requestId });
  if (!seen.data) return outcomeOf(seen);
  if (dice.chance(10))
    return outcomeOf(
      await person(api.requests.declineTransfer, { account: actor.account, requestId, body: { version: seen.data.version, reason: 'No' } }),
    );
  const form = { ...emptyForm, plan: plan(dice), network: sentence, takesRoas: dice.chance(80), takesAspas: dice.chance(50) };
  return outcomeOf(
    await person(api.requests.acknowledgeTransfer, {
      account: actor.account,
      requestId,
      body: { version: seen.data.version, form, documentIds: found.kind === 'acquisition' ? [await sentFile(person)] : [], truthful: true },
    }),
  );
}

async function withdraw(world: World, dice: Dice): Promise<string> {
  const found = dice.pick(await casesIn(world, 'offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold', 'draft'));
  const actor = found && (await personOf(world, found.account));
  if (!found || !actor) return idle;
  return outcomeOf(
    await (await world.as(actor.name))(api.requests.withdrawRequest, { account: actor.account, requestId: String(found.id) }),
  );
}

async function answer(world: World, dice: Dice): Promise<string> {
  const found = dice.pick(await casesIn(world, 'needs-info'));
  const actor = found && (await personOf(world, found.account));
  if (!found || !actor) return idle;
  const person = await world.as(actor.name);
  const requestId = String(found.id);
  const seen = await person(api.requests.getRequest, { account: actor.account, requestId });
  if (!seen.data) return outcomeOf(seen);
  return outcomeOf(
    await person(api.requests.answerRequest, { account: actor.account, requestId, body: { version: seen.data.version, answer: 'Yes' } }),
  );
}

/** A hostmaster works on a case: reviews, asks, approves, rejects. */
async function decide(world: World, dice: Dice): Promise<string> {
  const found = dice.pick(await casesIn(world, 'submitted', 'in-review', 'submitted', 'on-hold', 'awaiting-fee'));
  if (!found) return idle;
  const staff = await world.as(dice.chance(80) ? 'stella' : 'stan');
  const requestId = String(found.id);
  const to = found.recipient === null ? undefined : dice.pick(['sender', 'recipient', 'both'] as const)!;
  const seen = await staff(api.requestDesk.getStaffRequest, { requestId });
  if (!seen.data) return outcomeOf(seen);
  const { version } = seen.data;
  if (dice.chance(12)) return outcomeOf(await staff(api.requestDesk.reviewRequest, { requestId }));
  if (dice.chance(8)) return outcomeOf(await staff(api.requestDesk.askAboutRequest, { requestId, body: { question: 'All of it?', to } }));
  if (dice.chance(8)) return outcomeOf(await staff(api.requestDesk.refuseRequest, { requestId, body: { reason: 'Not needed' } }));
  if (found.state === 'awaiting-fee' || found.state === 'on-hold')
    return outcomeOf(await staff(api.requestDesk.completeTransfer, { requestId, body: { version } }));
  return outcomeOf(
    await staff(api.requestDesk.approveRequest, {
      requestId,
      body: { version, note: 'RIPE NCC approved it: NCC#2026112345', resource: '' },
    }),
  );
}

/** The second person confirms, or rejects, what the first one proposed. */
async function confirm(world: World, dice: Dice): Promise<string> {
  const [stella, stan] = [await world.as('stella'), await world.as('stan')];
  const listed = await stan(api.proposals.listStaffProposals, {});
  const found = dice.pick((listed.data?.waiting ?? []).filter(({ expiresAt }) => expiresAt > world.now().toISOString()));
  if (!found) return idle;
  const { proposalId, fingerprint } = found;
  const said = outcomeOf(await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } }));
  const confirmed =
    said === 'OWN_REQUEST' ? outcomeOf(await stella(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })) : said;
  // What can't be confirmed any more makes way for another proposal.
  if (confirmed !== 'ok') await stella(api.proposals.rejectStaffProposal, { proposalId, body: { note: 'Overtaken' } });
  return confirmed;
}

/** Staff delegate numbers that were not asked for; their contacts decline some with `withdraw`, and two people approve the others with `decide` and `confirm`. */
async function delegateDirectly(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const kind = dice.pick(['ipv4', 'ipv6', 'asn'] as const)!;
  const free = await world.rows<{ resource: string }>(
    sql`select resource from pool where kind = ${kind} and registry = '' order by state, pool_id limit 20`,
  );
  const resource = dice.chance(40) ? (dice.pick(free)?.resource ?? '') : '';
  return outcomeOf(
    await (await world.as('stella'))(api.directDelegations.openDirectDelegation, {
      accountName: actor.account,
      body: {
        kind,
        resource,
        length: resource !== '' || kind === 'asn' ? 0 : dice.pick(kind === 'ipv4' ? [24, 23, 26] : [48, 32, 29])!,
        path: kind === 'asn' ? '' : dice.pick(directPaths)!,
        reason: 'A name server for the islands',
      },
    }),
  );
}

async function list(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  if (!actor) return idle;
  const holding = dice.pick((await world.holdings(actor.account)).filter(({ kind }) => kind === 'ipv4'));
  const person = await world.as(actor.name);
  const isOffer = holding !== undefined && dice.chance(70);
  return outcomeOf(
    await person(api.listings.addListing, {
      account: actor.account,
      body: {
        kind: isOffer ? 'offer' : 'wanted',
        resource: isOffer ? partOf(holding, dice) : '',
        length: isOffer ? 0 : 24,
        consent: true,
      } as never,
    }),
  );
}

async function lock(world: World, dice: Dice): Promise<string> {
  const actor = dice.pick(await world.actors());
  const holding = actor && dice.pick(await world.holdings(actor.account));
  if (!actor || !holding) return idle;
  const person = await world.as(actor.name);
  const account = actor.account;
  const open = (await person(api.resourceLocks.listLocks, { account })).data;
  const locks = (open as { locks?: { lockId: string }[] } | undefined)?.locks ?? [];
  const found = dice.pick(locks);
  if (found && dice.chance(60)) {
    const asked = await person(api.resourceLocks.requestRelease, { account, lockId: found.lockId });
    await (await world.as('stella'))(api.resourceLocks.confirmStaffRelease, { lockId: found.lockId });
    return outcomeOf(asked);
  }
  return outcomeOf(await person(api.resourceLocks.addLocks, { account, body: { resources: [holding.resource] } }));
}

/** Acts of members, recipients and hostmasters with cases. */
export const actsOfCases: readonly Act[] = [
  { name: 'ask for resources', weight: 5, run: ask },
  { name: 'offer a transfer', weight: 7, run: handOver('transfer') },
  { name: 'start a merger', weight: 2, run: handOver('acquisition') },
  { name: 'return resources', weight: 2, run: handOver('return') },
  { name: 'receive from another registry', weight: 1, run: receive },
  { name: 'acknowledge an offer', weight: 9, run: acknowledge },
  { name: 'withdraw a case', weight: 1, run: withdraw },
  { name: 'answer a question', weight: 2, run: answer },
  { name: 'delegate without a request', weight: 1, run: delegateDirectly },
  { name: 'decide a case', weight: 14, run: decide },
  { name: 'confirm a proposal', weight: 12, run: confirm },
  { name: 'list a block', weight: 1, run: list },
  { name: 'lock or release', weight: 1, run: lock },
];
