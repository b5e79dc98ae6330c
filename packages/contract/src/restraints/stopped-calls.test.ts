import { expect, test } from 'vitest';
import { allEndpoints } from '../api.ts';
import { alsoStopped, unstopped, stoppedBy } from './stopped-calls.ts';

const endpointOf = (id: string) => allEndpoints.find(each => each.id === id) as never;

test('what goes on under a restraint would be stopped by its effect, and what stops besides would not', () => {
  for (const id of Object.keys(unstopped)) {
    expect(stoppedBy(endpointOf(id))).toBeNull();
    expect(stoppedBy({ ...(endpointOf(id) as object), id: 'another.call' } as never)).not.toBeNull();
  }
  for (const [id, { by }] of Object.entries(alsoStopped)) {
    expect(stoppedBy(endpointOf(id))).toBe(by);
    expect(stoppedBy({ ...(endpointOf(id) as object), id: 'another.call' } as never)).toBeNull();
  }
});

test.each([
  ['requests.submitRequest', 'hold'],
  ['requests.acknowledgeTransfer', 'hold'],
  ['requests.confirmOneClick', 'hold'],
  ['nir.delegations.moveNirDelegations', 'hold'],
  ['nir.entities.mergeEntity', 'hold'],
  ['organisations.closures.requestAccountClosure', 'hold'],
  ['resources.locks.requestRelease', 'hold'],
  ['rpki.changeRoas', 'restrict'],
  ['routes.saveRoutes', 'restrict'],
  ['whois.submitUpdates', 'restrict'],
  ['whois.consents.answerConsent', 'restrict'],
  ['reverseDns.submitZones', 'restrict'],
  ['tasks.retryTask', 'restrict'],
  ['rpki.selfHosted.publishHere', 'restrict'],
] as const)('%s is stopped by a %s', (id, by) => {
  expect(stoppedBy(endpointOf(id))).toBe(by);
});

test.each([
  'requests.withdrawRequest',
  'requests.declineTransfer',
  'requests.answerRequest',
  'requests.saveRequest',
  'tickets.openTicket',
  'contacts.inviteContact',
  'billing.updateBillingDetails',
  'requests.desk.approveRequest',
])('%s goes on', id => {
  const endpoint = endpointOf(id);
  if (endpoint) expect(stoppedBy(endpoint)).toBeNull();
});
