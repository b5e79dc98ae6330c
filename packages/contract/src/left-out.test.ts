import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { allEndpoints } from './api.ts';
import { DryRun } from './dry-run.ts';
import { effectsOf } from './effects.ts';
import { type Endpoint, isUpload } from './endpoint.ts';

type Schema = z.core.$ZodType;
type Def = {
  type: string;
  shape?: Record<string, Schema>;
  innerType?: Schema;
  element?: Schema;
  in?: Schema;
  options?: Schema[];
  defaultValue?: unknown;
};
const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def;
const typeOf = (schema: Schema): string => {
  const { type, innerType, in: input } = defOf(schema);
  return innerType ? typeOf(innerType) : input ? typeOf(input) : type;
};

/** An optional field of a body, and its default. */
type LeftOut = { place: string; schema: Schema; type: string; counts: unknown };

function* leftOut(schema: Schema, place: string): Generator<LeftOut> {
  const { type, shape, innerType, element, in: input, options, defaultValue } = defOf(schema);
  if (type === 'default') yield { place, schema, type: typeOf(schema), counts: defaultValue };
  for (const [name, field] of Object.entries(shape ?? {})) yield* leftOut(field, place === '' ? name : `${place}.${name}`);
  for (const inner of [innerType, input, ...(options ?? [])]) if (inner) yield* leftOut(inner, place);
  if (element) yield* leftOut(element, `${place}[]`);
}
const leftOutOf = ({ body }: Endpoint): LeftOut[] => (body && !isUpload(body) ? [...leftOut(body, '')] : []);

/** Calls that change what others see or hold; drafts and reads are not among them. */
const changing = allEndpoints.filter(
  endpoint => endpoint.method !== 'GET' && effectsOf(endpoint).some(effect => !['reading', 'drafts', 'own settings'].includes(effect)),
);

/** Why nothing is deleted, published, disclosed or sent by leaving out a choice: a word of two or more. */
const harmless: Readonly<Record<string, string>> = {
  'applications.referrals.referCustomer technicalContact': 'the customer is no contact of the account',
  'applications.referrals.referCustomer again': 'refused where there is a referral already',
  'contacts.invitations.acceptInvitation otherEmailConfirmed': 'refused where the addresses differ',
  'customers.addAssignment reuse': 'space that rests is left alone',
  'customers.importAssignments reuse': 'space that rests is left alone',
  'documents.addStaffDocument toSign': 'nobody is asked to sign',
  'elections.addElection ballots': 'plain ballots, as elections always had; the answer says which',
  'elections.conferences.importAttendance mayRemove': 'refused where somebody would lose a vote',
  'nir.delegations.addNirDelegation reuse': 'space that rests is left alone',
  'nir.delegations.addNirDelegation type': 'what is held by a sub-account alone',
  'nir.delegations.importNirDelegations reuse': 'space that rests is left alone',
  'nir.delegations.moveNirDelegations closeSource': 'the source stays open',
  'requests.acknowledgeTransfer form.path': 'no way is chosen, which the rules of the kind refuse where one is needed',
  'requests.acknowledgeTransfer form.multihomed': 'nothing is said, which the rules of the kind refuse where it counts',
  'requests.acknowledgeTransfer form.twoByte': 'any AS number will do',
  'requests.acknowledgeTransfer form.incoming': 'a transfer within the registry',
  'requests.acknowledgeTransfer form.withRegistrations': 'registrations are not told to the recipient',
  'requests.acknowledgeTransfer form.withRoas': 'announcements that are valid stay so',
  'requests.acknowledgeTransfer form.takesRoas': 'announcements that are valid stay so, and the plan that is confirmed names each ROA',
  'requests.acknowledgeTransfer form.takesAspas': 'nothing is signed for the recipient',
  'requests.acknowledgeTransfer form.occasion': 'none, which a merger refuses',
  'requests.acknowledgeTransfer form.closeAfter': 'the account stays open',
  'requests.acknowledgeTransfer form.usePreApproval': 'the approval is kept',
  'requests.listings.addListing namesHolder': 'the holder is not named',
  'requests.listings.addListing interRegistry': 'offered within the registry',
  'reverseDns.submitZones operation': 'delegates, and needs two name servers',
  'reverseDns.waiting.waitForServers operation': 'delegates, and needs two name servers',
  'routes.saveRoutes add[].roa': 'a ROA is what a route is for; what it makes invalid is asked for',
  'routes.saveRoutes add[].whois': 'no route object is made',
  'routes.saveRoutes remove[].keepRoa': 'of a route that is deleted by name, in the sentence of the call',
  'routes.saveRoutes remove[].keepObjects': 'of a route that is deleted by name, in the sentence of the call',
  'tickets.answerStaffTicket next': 'it waits for the member, who has the answer',
  'tickets.answerTicket solved': 'the ticket goes on: the registry has the next move',
  'tickets.linkTicket linked': 'it is linked, as the name of the call says',
  'webhooks.createWebhook refusals': 'refused attempts are not sent',
  'whois.submitUpdates updates[].operation': 'what the text says: only a line of its own deletes',
  'whois.submitUpdates mode': 'all or none',
  'whois.uploadText mode': 'each object stands for itself; nothing is deleted without a line of its own',
  'whois.bulkChange mode': 'each object stands for itself, and it is a rehearsal unless it says otherwise',
};

describe('an omitted field', () => {
  test('deletes, publishes, discloses and sends nothing: each choice with a default says why', () => {
    const choices = changing.flatMap(endpoint =>
      leftOutOf(endpoint)
        .filter(({ type, schema }) => ['boolean', 'enum', 'literal'].includes(type) && schema !== DryRun)
        .map(({ place }) => `${endpoint.id} ${place}`),
    );
    expect(choices.toSorted()).toEqual(Object.keys(harmless).toSorted());
  });

  test('of a call with a dry run makes it one, or is refused', () => {
    const words = allEndpoints.flatMap(({ id, body }) => {
      const word = body && !isUpload(body) ? defOf(body).shape?.['dryRun'] : undefined;
      return word ? [{ id, isSafe: word === DryRun || defOf(word).type === 'boolean' }] : [];
    });
    expect(words.length).toBeGreaterThan(5);
    expect(words.filter(({ isSafe }) => !isSafe)).toEqual([]);
    expect(DryRun._zod.def.defaultValue).toBe(true);
  });

  test('of a change leaves the value unchanged: PUT and PATCH bodies have no defaults', () => {
    const replacing = changing.filter(({ method }) => method === 'PUT' || method === 'PATCH');
    expect(replacing.length).toBeGreaterThan(5);
    const erased = replacing.flatMap(endpoint => leftOutOf(endpoint).map(({ place }) => `${endpoint.id} ${place}`));
    expect(erased).toEqual([
      // Reasons of a change, and file names: they belong to the call, not to what it changes.
      'contacts.updateContact reason',
      'routes.ownTables.uploadTable fileName',
    ]);
  });
});
