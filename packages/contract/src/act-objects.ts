/** Names of the object of a call: parameters of its path and fields of its body, in this order; or the page that makes it, by its title. */
export type ActObject = readonly [string, ...string[]] | 'page';

const account = ['account'] as const;
const resource = ['resource'] as const;
const resources = ['resources'] as const;
const label = ['label'] as const;
const invoice = ['invoiceNumber'] as const;
const accountName = ['accountName'] as const;
const election = ['title'] as const;
const zones = ['zones'] as const;
const maintainer = ['maintainer'] as const;
const person = ['fullName', 'email'] as const;

/**
 * The object of each change that takes a second factor given just now: the question for the factor names it beside the words of the activity log. A change without a
 * row fails a test. A page that knows better words gives them with the call (`useChange`, `act`). Ids that mean nothing to a person are no names: there the
 * title of the page stands for the object.
 */
export const actObjects: Readonly<Record<string, ActObject>> = {
  'apiKeys.createApiKey': label,
  'apiKeys.rotateApiKey': 'page',
  'announcements.desk.addAnnouncement': ['title'],
  'announcements.desk.changeAnnouncement': 'page',
  'announcements.desk.withdrawAnnouncement': 'page',
  'applications.reviewApplication': 'page',
  'applications.askAboutApplication': ['question'],
  'applications.approveApplication': 'page',
  'applications.refuseApplication': ['reason'],
  'applications.referrals.referCustomer': ['orgName'],
  'applications.referrals.withdrawReferral': 'page',
  'billing.bankStatements.importBankStatement': ['fileName'],
  'billing.bankStatements.recordBankLine': 'page',
  'billing.bankStatements.setAsideBankLine': ['reason'],
  'billing.bankStatements.reopenBankLine': 'page',
  'billing.updateBillingDetails': account,
  'billing.recordPayment': ['invoiceNumber', 'amount'],
  'billing.extendInvoice': ['invoiceNumber', 'until'],
  'billing.cancelInvoice': invoice,
  'billing.corrections.issueCreditNote': ['invoiceNumber', 'amount'],
  'billing.corrections.writeOffInvoice': invoice,
  'billing.corrections.recordRefund': ['accountName', 'amount'],
  'billing.feeSchedules.announceFees': 'page',
  'billing.feeSchedules.withdrawFees': ['validFrom'],
  'billing.memberships.addHolidays': ['name', 'from', 'to'],
  'billing.memberships.removeHoliday': ['day'],
  'billing.memberships.releaseHold': 'page',
  'billing.reactivations.startReactivation': accountName,
  'billing.reactivations.endReactivation': accountName,
  'billing.renewals.askForInvoice': account,
  'billing.renewals.billAgain': accountName,
  'contacts.accessRequests.resolveAccessRequest': ['decision'],
  'contacts.accessReviews.reviewAccess': account,
  'contacts.accessReviews.handOver': 'page',
  'contacts.accountSafety.demandSecondFactor': account,
  'contacts.accountSafety.setSecurityAddress': ['email'],
  'contacts.changeContactEmail': ['email'],
  'contacts.inviteContact': person,
  'contacts.updateContact': ['fullName'],
  'contacts.removeContact': 'page',
  'contacts.inviteHelper': person,
  'contacts.setHelperEnd': ['until'],
  'contacts.resendInvitation': 'page',
  'contacts.revokeInvitation': 'page',
  'contacts.registryRequests.approveRegistryRequest': 'page',
  'contacts.registryRequests.refuseRegistryRequest': ['reason'],
  'customers.saveCustomer': ['name'],
  'customers.addAssignment': ['resource', 'netname'],
  'customers.changeAssignment': ['netname'],
  'customers.returnAssignment': 'page',
  'customers.importAssignments': account,
  'documents.signDocument': 'page',
  'documents.addStaffDocument': ['accountName', 'title'],
  'documents.deleteDocument': ['reason'],
  'elections.ballots.openBallot': 'page',
  'elections.ballots.openAttendeeBallot': 'page',
  'elections.conferences.addConference': election,
  'elections.conferences.importAttendance': ['conference'],
  'elections.options.saveOptions': 'page',
  'elections.options.resetElection': ['reason'],
  'elections.addElection': election,
  'elections.changeElection': election,
  'elections.publishElection': 'page',
  'elections.cancelElection': ['reason'],
  'elections.nominations.judgeNomination': 'page',
  'elections.nominations.putCandidatesOnBallot': 'page',
  'elections.proxies.appointProxy': person,
  'elections.proxies.revokeProxy': 'page',
  'elections.proxies.setVoter': 'page',
  'elections.proxies.voidProxy': ['reason'],
  'events.desk.addEvent': ['event'],
  'events.desk.changeEvent': ['event'],
  'events.desk.publishEvent': ['event'],
  'events.desk.cancelEvent': ['event'],
  'events.certificates.decideCertificate': ['code'],
  'identity.frozenLogins.unfreezeLogin': ['username'],
  'nir.delegations.addNirDelegation': ['resource', 'netname'],
  'nir.delegations.returnNirDelegation': 'page',
  'nir.delegations.importNirDelegations': account,
  'nir.delegations.moveNirDelegations': 'page',
  'nir.entities.mergeEntity': 'page',
  'nir.entities.unmergeEntity': 'page',
  'nir.entities.pushEntity': 'page',
  'organisations.closures.requestAccountClosure': account,
  'organisations.closures.withdrawAccountClosure': account,
  'organisations.closures.approveAccountClosure': 'page',
  'organisations.closures.refuseAccountClosure': ['reason'],
  'organisations.changes.requestOrganisationChange': ['value'],
  'organisations.changes.answerOrganisationChange': ['answer'],
  'organisations.changes.withdrawOrganisationChange': 'page',
  'organisations.changes.reviewOrganisationChange': 'page',
  'organisations.changes.askAboutOrganisationChange': ['question'],
  'organisations.changes.approveOrganisationChange': 'page',
  'organisations.changes.refuseOrganisationChange': ['reason'],
  'organisations.updateOrganisation': account,
  'organisations.setEconomy': ['accountName', 'economy'],
  'proposals.setTwoPersonRule': account,
  'proposals.approveProposal': 'page',
  'proposals.approveStaffProposal': 'page',
  'requests.directDelegations.openDirectDelegation': ['resource', 'accountName'],
  'requests.eventSpace.extendEventSpace': ['until'],
  'requests.listings.addListing': resource,
  'requests.listings.renewListing': 'page',
  'requests.listings.removeListing': ['reason'],
  'requests.recoveries.openRecovery': ['accountName', 'resources'],
  'requests.desk.reviewRequest': 'page',
  'requests.desk.askAboutRequest': ['question'],
  'requests.desk.approveRequest': resource,
  'requests.desk.completeTransfer': 'page',
  'requests.desk.refuseRequest': ['reason'],
  'requests.submitRequest': 'page',
  'requests.confirmOneClick': account,
  'requests.acknowledgeTransfer': 'page',
  'resources.locks.addLocks': resources,
  'resources.locks.requestRelease': 'page',
  'resources.locks.confirmRelease': 'page',
  'resources.locks.confirmStaffRelease': 'page',
  'resources.pools.reserveRange': resource,
  'resources.pools.releaseRange': resource,
  'resources.pools.setQuarantine': resource,
  'reverseDns.submitZones': zones,
  'reverseDns.zoneFiles.uploadZoneFile': ['origin'],
  'reverseDns.waiting.waitForServers': zones,
  'routes.saveRoutes': 'page',
  'routes.undoChange': 'page',
  'rpki.enable': account,
  'rpki.revoke': account,
  'rpki.changeRoas': 'page',
  'rpki.startRollover': account,
  'rpki.activateKey': account,
  'rpki.aspas.saveAspa': ['customer'],
  'rpki.aspas.removeAspa': 'page',
  'rpki.checklists.signChecklist': resources,
  'rpki.checklists.revokeChecklist': 'page',
  'rpki.desk.requestSignature': 'page',
  'rpki.desk.importSignature': 'page',
  'rpki.selfHosted.connect': account,
  'rpki.selfHosted.publishHere': account,
  'rpki.selfHosted.disconnect': account,
  'tasks.retryTask': 'page',
  'tasks.revertTask': 'page',
  'webhooks.createWebhook': label,
  'webhooks.saveWebhook': label,
  'webhooks.rotateWebhookSecret': 'page',
  'whois.submitUpdates': 'page',
  'whois.uploadText': 'page',
  'whois.bulkChange': 'page',
  'whois.createMaintainer': maintainer,
  'whois.askToLinkMaintainer': maintainer,
  'whois.linkMaintainer': maintainer,
  'whois.unlinkMaintainer': maintainer,
  'whois.choosePrincipalMaintainer': maintainer,
  'whois.grantMaintainer': maintainer,
  'whois.consents.askForConsent': 'page',
  'whois.consents.answerConsent': 'page',
  'whois.irts.attachIrt': ['irt'],
  'whois.maintainerUsers.keepMaintainerUsers': maintainer,
  'whois.reclaims.reclaimObject': ['class', 'key'],
};

/** Longest object that is shown, in characters; of a list the first three. */
const LONGEST = 160;
const MOST = 3;

const inWords = (value: unknown): string[] => {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (!Array.isArray(value)) return [];
  const names = value.filter(each => typeof each === 'string');
  return names.length > MOST
    ? [`${names.slice(0, MOST).join(', ')} and ${names.length - MOST} more`]
    : names.length > 0
      ? [names.join(', ')]
      : [];
};

/** Returns what a call is about, by its input; null where the title of its page says it. */
export function actObjectOf(endpointId: string, input: unknown): string | null {
  const object = actObjects[endpointId];
  if (!object || object === 'page') return null;
  const given = (input ?? {}) as Record<string, unknown>;
  const body = (typeof given['body'] === 'object' && given['body']) || {};
  const words = object.flatMap(name => inWords(given[name] ?? (body as Record<string, unknown>)[name])).join(', ');
  return words === '' ? null : words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
