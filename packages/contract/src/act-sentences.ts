/** Things that ids stand for: the server knows the name of each, in the module that has the rows. */
export const namedThings = [
  'access request',
  'announcement',
  'API key',
  'application',
  'assignment',
  'bank line',
  'billing hold',
  'campaign',
  'closure',
  'consent',
  'contact',
  'contact request',
  'document',
  'election',
  'erasure',
  'event',
  'event delegation',
  'brand change',
  'policy change',
  'feature',
  'fee draft',
  'held role',
  'legal text',
  'listing',
  'lock',
  'NIR delegation',
  'NIR organisation',
  'nominee',
  'organisation change',
  'passed proposal',
  'provider authorisation',
  'proxy',
  'referral',
  'registry staff',
  'request',
  'restraint',
  'role',
  'route change',
  'signed checklist',
  'sub-account',
  'task',
  'watcher',
  'webhook',
] as const;
export type NamedThing = (typeof namedThings)[number];

/**
 * Each change that takes a second factor given just now, in the words in which the person is asked about it. The server fills a sentence in, with what it was sent and
 * what it knows: no page names an act. A change without a sentence fails the check `sentences`.
 *
 * - `{label}`: a field of the body, or a parameter of the path; of a list the first three. `{values.title}`: a field in it.
 * - `{contact:contactId}`: the name of what an id stands for.
 * - `{add#route}`: how many a list has, "1 route", "3 routes"; a number stands for itself. None is missing.
 * - `{on?true:Turn on|false:Turn off}`: words for a value.
 * - `[ … ]`: left out if something in it is missing; `[; … ]` is one of a list after a colon. If something else is missing, the words of the activity log stand in
 *   place of the sentence.
 */
export const actSentences: Readonly<Record<string, string>> = {
  'apiKeys.createApiKey': 'Create the API key “{label}” for {account}',
  'apiKeys.rotateApiKey': 'Replace the secret of the API key “{API key:apiKeyId}”',
  'apiKeys.changeApiKey': 'Change the API key “{API key:apiKeyId}” to the scopes {scopes}',
  'apiKeys.keepOldSecret':
    '[{hours?0:Stop} the old secret of the API key “{API key:apiKeyId}” immediately][Let the old secret of the API key “{API key:apiKeyId}” work for {hours#more hour}]',
  'announcements.desk.addAnnouncement': 'Publish the announcement “{title}”',
  'announcements.desk.changeAnnouncement': 'Change the announcement “{announcement:announcementId}”',
  'announcements.desk.addAnnouncementUpdate': 'Write an update of the announcement “{announcement:announcementId}”: “{text}”',
  'announcements.desk.withdrawAnnouncement': 'Withdraw the announcement “{announcement:announcementId}”',
  'dataQuality.campaigns.sendCampaign': 'Send {people#e-mail}: “{subject}”',
  'dataQuality.campaigns.stopCampaign': 'Stop the campaign “{campaign:campaignId}”',
  'applications.reviewApplication': 'Review the membership application of {application:applicationId}',
  'applications.askAboutApplication': 'Ask {application:applicationId} about their membership application: “{question}”',
  'applications.approveApplication': 'Approve the membership application of {application:applicationId}',
  'applications.refuseApplication': 'Reject the membership application of {application:applicationId}: “{reason}”',
  'applications.referrals.referCustomer': 'Refer {orgName} to the registry as a future member',
  'applications.referrals.withdrawReferral': 'Withdraw the referral of {referral:referralId}',
  'billing.bankStatements.importBankStatement': 'Import the bank statement {fileName}',
  'billing.bankStatements.recordBankLine': 'Record the payment {bank line:bankLineId}',
  'billing.books.closeMonths': 'Close the books until {until}',
  'billing.bankStatements.setAsideBankLine': 'Set the payment {bank line:bankLineId} aside: “{reason}”',
  'billing.bankStatements.undoBankLine': 'Undo the match of the payment {bank line:bankLineId}: “{reason}”',
  'billing.bankStatements.reopenBankLine': 'Put the payment {bank line:bankLineId} back into the list',
  'billing.updateBillingDetails': 'Change the billing details of {account}',
  'billing.recordPayment': 'Record a payment of {amount} for {invoiceNumber}',
  'billing.extendInvoice': 'Let {invoiceNumber} be paid until {until}',
  'billing.cancelInvoice': 'Cancel {invoiceNumber}',
  'billing.corrections.issueCreditNote': 'Credit {invoiceNumber}[ with {amount}]',
  'billing.corrections.writeOffInvoice': 'Write off {invoiceNumber}',
  'billing.corrections.recordRefund': 'Record a refund of {amount} to {accountName}',
  'billing.feeSchedules.announceFees': 'Announce the fees that apply from {fee draft:draftId}',
  'billing.feeSchedules.withdrawFees': 'Withdraw the fees that would apply from {validFrom}',
  'features.setFeature':
    'Switch the feature “{feature:feature}” {stands?off:off|everyone:on for everyone|accounts:on for named accounts|share:on for a share of accounts}[ ({share} %)]',
  'legal.confirmLegalDraft': 'Confirm the next version of “{legal text:text}”',
  'legal.withdrawLegalVersion': 'Withdraw version {version} of “{legal text:text}”',
  'brand.confirmBrandChange': 'Change the brand: {brand change:changeId}',
  'brand.withdrawBrandChange': 'Withdraw the change of the brand: {brand change:changeId}',
  'policy.confirmPolicyChange': 'Change the policy from {policy change:changeId}',
  'policy.withdrawPolicyChange': 'Withdraw the change of the policy from {policy change:changeId}',
  'billing.memberships.addHolidays': 'Add the holiday “{name}”, {from} to {to}',
  'billing.memberships.removeHoliday': 'Remove the holiday on {day}',
  'billing.memberships.releaseHold': 'Release {billing hold:holdId}',
  'billing.reactivations.reactivateAccount': 'Reactivate {account}, for the reactivation fee and what it owes',
  'billing.reactivations.startReactivation': 'Start the reactivation of {accountName}',
  'billing.reactivations.endReactivation': 'End the reactivation of {accountName}',
  'billing.renewals.askForInvoice': 'Request the renewal invoice of {account} in advance',
  'billing.renewals.billAgain': 'Bill the renewal of {accountName} again',
  'billing.reversals.resolveProviderReport': 'Mark the report of the card provider as done: “{note}”',
  'billing.reversals.reversePayment': 'Reverse the payment of the receipt {receiptNumber}[ and record it for {moveTo}]: “{reason}”',
  'contacts.accessRequests.resolveAccessRequest':
    '{decision?approved:Approve|rejected:Reject} the access request of {access request:requestId} in {account}',
  'contacts.accessReviews.reviewAccess': 'Confirm the access of {decisions#contact} of {account}',
  'contacts.accessReviews.handOver': 'Remove {contact:contactId} from {account}[, and hand over to {contact:to}]',
  'contacts.accountSafety.demandSecondFactor': 'Change from when {account} requires two-factor authentication[: from {from}]',
  'contacts.accountSafety.setSecurityAddress': 'Change the security address of {account}[ to {email}]',
  'contacts.changeContactEmail': 'Change the e-mail address of {contact:contactId} to {email}',
  'contacts.inviteContact': 'Invite {fullName}, {email}, to {account}',
  'contacts.updateContact': 'Change the contact {contact:contactId} of {account}',
  'contacts.removeContact': 'Remove {contact:contactId} from {account}',
  'contacts.inviteHelper': 'Invite {fullName}, {email}, to help in {account}[ until {until}]',
  'contacts.setHelperEnd': 'Let {contact:contactId} help in {account} until {until}',
  'contacts.resendInvitation': 'Send {contact:contactId} the invitation to {account} again',
  'contacts.revokeInvitation': 'Withdraw the invitation of {contact:contactId} to {account}',
  'contacts.registryRequests.approveRegistryRequest': 'Approve {contact request:requestId}',
  'contacts.registryRequests.refuseRegistryRequest': 'Reject {contact request:requestId}: “{reason}”',
  'customers.saveCustomer': 'Save the customer {name} of {account}',
  'customers.addAssignment': 'Register {resource} as {netname}[ for {customer}]',
  'customers.changeAssignment': 'Change the assignment {assignment:assignmentId}',
  'customers.returnAssignment': 'Return the assignment {assignment:assignmentId}',
  'customers.importAssignments': 'Import a list of assignments of {account}',
  'documents.signDocument': 'Sign “{document:documentId}” for {account}',
  'documents.addStaffDocument': 'Add the document “{title}” to {accountName}',
  'documents.deleteDocument': 'Delete the document “{document:documentId}”',
  'elections.ballots.openBallot': 'Open the ballot of {account} in “{election:electionId}”',
  'elections.ballots.openAttendeeBallot': 'Open your ballot in “{election:electionId}”',
  'elections.ballots.openProxyBallot': 'Open the ballot of the account whose proxy you are',
  'encryptedBallots.casting.castBallot': 'Cast the ballot of {account} in “{election:electionId}”',
  'encryptedBallots.proxyVotes.castProxyBallot': 'Cast the ballot of the account whose proxy you are',
  'encryptedBallots.credentials.takeRoll': 'Take the roll of “{election:electionId}”, with addresses of voters',
  'encryptedBallots.credentials.sendCredentials': 'Send the credentials of “{election:electionId}”',
  'encryptedBallots.objections.objectToRoll': 'Object to the entry of {account} on the roll of “{election:electionId}”',
  'encryptedBallots.objections.withdrawObjection': 'Withdraw the objection of {account} to the electoral roll',
  'encryptedBallots.objections.decideObjection':
    '{upheld?true:Uphold|false:Reject} an objection to the electoral roll[, with {votes#vote}]',
  'encryptedBallots.setup.appointTrustees':
    'Appoint {authority} as credential authority and {trustees} as trustees of “{election:electionId}”',
  'encryptedBallots.setup.fixRoll': 'Fix who can vote in “{election:electionId}”',
  'encryptedBallots.setup.setUpBallot': 'Set up the ballot of “{election:electionId}”',
  'encryptedBallots.setup.startCount': 'Start the count of “{election:electionId}”',
  'encryptedBallots.trustees.sendTrusteeMessage': 'Send your part of the key of “{election:electionId}”',
  'elections.conferences.addConference': 'Add the conference “{title}”',
  'elections.conferences.importAttendance': 'Import who attended {conference}',
  'elections.options.saveOptions': 'Change what “{election:electionId}” is about: {rows#option}',
  'elections.options.resetElection': 'Have “{election:electionId}” voted on again: “{reason}”',
  'elections.addElection': 'Add the election “{title}”',
  'mail.mailTexts.saveMailText': 'Change the text of the mail {kind} to “{subject}”',
  'mail.mailTexts.useProgramText': 'Use the text of the program again for the mail {kind}',
  'elections.changeElection': 'Change the election “{election:electionId}”',
  'elections.publishElection': 'Publish the election “{election:electionId}”',
  'elections.cancelElection': 'Cancel the election “{election:electionId}”: “{reason}”',
  'elections.nominations.judgeNomination': 'Find {nominee:nominationId} {eligible?true:eligible|false:not eligible}',
  'elections.nominations.putCandidatesOnBallot': 'Put the candidates on the ballot of “{election:electionId}”',
  'elections.proxies.appointProxy': 'Appoint {fullName}, {email}, to vote for {account} in “{election:electionId}”',
  'elections.proxies.revokeProxy': 'Revoke the proxy of {proxy:proxyId} for {account}',
  'elections.proxies.setVoter': '{mayVote?true:Let|false:No longer let} {contact:contactId} vote for {account}',
  'elections.proxies.voidProxy': 'Void the proxy of {proxy:proxyId}: “{reason}”',
  'events.desk.addEvent': 'Add the event “{values.title}”',
  'events.desk.changeEvent': 'Change the event “{event:event}”',
  'events.desk.publishEvent': 'Publish the event “{event:event}”',
  'events.desk.cancelEvent': 'Cancel the event “{event:event}”',
  'events.certificates.decideCertificate': '{approve?true:Approve|false:Reject} the certificate of attendance {code}',
  'identity.frozenLogins.unfreezeLogin': 'Unfreeze the login {username}',
  'privacy.erasePerson': 'Erase {erasure:erasureId} for good',
  'nir.delegations.addNirDelegation': 'Delegate {resource} to {sub-account:subaccountId}[ as {netname}]',
  'nir.delegations.returnNirDelegation': 'Take back {NIR delegation:delegationId}',
  'nir.delegations.importNirDelegations': 'Import a list of delegations of {account}',
  'nir.delegations.moveNirDelegations': 'Move {delegationIds#delegation} from {sub-account:from} to {sub-account:to}',
  'nir.entities.mergeEntity': 'Merge {NIR organisation:entityId} into {NIR organisation:into}',
  'nir.entities.unmergeEntity': 'Separate {NIR organisation:entityId} from the organisation it was merged into',
  'nir.entities.pushEntity': 'Update the whois object of {NIR organisation:entityId}',
  'organisations.closures.requestAccountClosure': 'Request to close {account}[ on {closeOn}]',
  'organisations.closures.withdrawAccountClosure': 'Keep {account}: withdraw the request to close it',
  'organisations.closures.approveAccountClosure': 'Close {closure:closureId}',
  'organisations.closures.refuseAccountClosure': 'Don’t close {closure:closureId}: “{reason}”',
  'organisations.changes.requestOrganisationChange':
    'Request to change the {field?orgName:name|registrationNumber:registration number|organisationType:type} of {account} to “{value}”',
  'organisations.changes.answerOrganisationChange': 'Answer the registry about {organisation change:changeId}: “{answer}”',
  'organisations.changes.withdrawOrganisationChange': 'Withdraw {organisation change:changeId}',
  'organisations.changes.reviewOrganisationChange': 'Review {organisation change:changeId}',
  'organisations.changes.askAboutOrganisationChange': 'Ask about {organisation change:changeId}: “{question}”',
  'organisations.changes.approveOrganisationChange': 'Approve {organisation change:changeId}',
  'organisations.changes.refuseOrganisationChange': 'Reject {organisation change:changeId}: “{reason}”',
  'organisations.updateOrganisation': 'Change the details of the organisation of {account}',
  'organisations.setEconomy': 'Set the economy of {accountName} to {economy}',
  'proposals.setTwoPersonRule': '{on?true:Turn on|false:Turn off} the two-person rule of {account}',
  'proposals.approveProposal': 'Approve for {account}: {passed proposal:proposalId}',
  'proposals.approveStaffProposal': 'Approve: {passed proposal:proposalId}',
  'requests.directDelegations.openDirectDelegation': 'Open a direct delegation of {resource} to {accountName}',
  'requests.eventSpace.extendEventSpace': 'Let {event delegation:delegationId} be used until {until}',
  'requests.listings.addListing': 'List {resource} of {account} for transfer',
  'requests.listings.renewListing': 'Renew the listing of {listing:listingId}',
  'requests.listings.removeListing': 'Remove the listing of {listing:listingId}: “{reason}”',
  'requests.recoveries.openRecovery': 'Give {accountName} notice that {resources} will be recovered',
  'requests.desk.reviewRequest': 'Review {request:requestId}',
  'requests.desk.askAboutRequest': 'Ask about {request:requestId}: “{question}”',
  'requests.desk.approveRequest': 'Approve {request:requestId}[, and delegate {resource}]',
  'requests.desk.completeTransfer': 'Complete {request:requestId}',
  'requests.desk.refuseRequest': 'Reject {request:requestId}: “{reason}”',
  'requests.submitRequest': 'Send {request:requestId} to the registry',
  'requests.confirmOneClick': 'Take the IPv6 block that is reserved for {account}',
  'requests.acknowledgeTransfer': 'Accept {request:requestId}',
  'restraints.setRestraint': 'Put {kind?hold:a hold|restrict:a restriction} on {accountName}[ until {endsOn}]',
  'restraints.liftRestraint': 'Lift {restraint:restraintId}',
  'resources.locks.addLocks': 'Lock {resources}',
  'resources.locks.requestRelease': 'Request to unlock {lock:lockId}',
  'resources.locks.confirmRelease': 'Unlock {lock:lockId}',
  'resources.locks.confirmStaffRelease': 'Unlock {lock:lockId} for its holder',
  'resources.pools.reserveRange': 'Reserve {resource}',
  'resources.pools.releaseRange': 'Release {resource} to the pool',
  'resources.pools.setQuarantine': 'Let {resource} rest until {until}',
  'reverseDns.submitZones':
    '{operation?delegate:Delegate|remove:Remove the delegation of} {zones}[{operation?delegate: to |remove:, }{servers}]',
  'reverseDns.zoneFiles.uploadZoneFile': 'Change reverse DNS by a zone file[ of {origin}]',
  'reverseDns.waiting.waitForServers': 'Delegate {zones} to {servers} once they answer',
  'statusPages.watchers.addWatcher': 'Create the token of the watcher {place}',
  'statusPages.watchers.renameWatcher': 'Rename the watcher {watcher:watcherId} to {place}',
  'statusPages.watchers.revokeWatcher': 'Revoke the token of the watcher {watcher:watcherId}',
  'roles.inviteStaff': 'Invite {fullName}, {email}, to registry staff as {role:role}',
  'roles.revokeStaffInvitation': 'Withdraw an invitation to registry staff',
  'roles.giveRole': 'Give {registry staff:loginId} the role {role:role}',
  'roles.withdrawRole': 'Withdraw {held role:assignmentId}',
  'roles.keepRoles': 'Keep the roles of {registry staff:loginId}',
  'roles.addRole': 'Add the role “{name}”',
  'roles.endRole': 'Delete the role {role:roleId}',
  'roles.endStaffSessions': 'End the sessions of {registry staff:loginId}',
  'roles.endStaff': 'End the access of {registry staff:loginId}',
  'routes.saveRoutes':
    'Save routes of {account}[; add {add#route}][; change {change#route}][; remove {remove#route}][; take over {adopt#announcement}]',
  'routes.undoChange': 'Undo the change of routes of {route change:changeId}',
  'rpki.enable': 'Turn on hosted RPKI for {account}',
  'rpki.revoke': 'Revoke the resource certificate of {account}, with all its ROAs',
  'rpki.changeRoas': 'Change ROAs of {account}[; add {add#ROA}][; remove {remove#ROA}]',
  'rpki.startRollover': 'Start a key rollover of {account}',
  'rpki.activateKey': 'Activate the new key of {account}',
  'rpki.aspas.saveAspa': 'Publish the providers of AS{customer}: {providers}',
  'rpki.aspas.removeAspa': 'Remove the providers of {provider authorisation:aspaId}',
  'rpki.checklists.signChecklist': 'Sign {files#file} for {resources}',
  'rpki.checklists.revokeChecklist': 'Revoke the signature of {signed checklist:checklistId}',
  'rpki.desk.requestSignature': 'Make a request for the offline trust anchor',
  'rpki.desk.importSignature': 'Publish what the offline trust anchor signed',
  'rpki.selfHosted.connect': 'Connect a certificate authority of your own to {account}',
  'rpki.selfHosted.publishHere': 'Let the certificate authority of {account} publish here',
  'rpki.selfHosted.disconnect': 'Disconnect the certificate authority of {account}',
  'tasks.retryTask': 'Retry what failed: {task:taskId}',
  'tasks.revertTask': 'Revert: {task:taskId}',
  'webhooks.createWebhook': 'Create the webhook “{label}”, {url}',
  'webhooks.saveWebhook': 'Change the webhook “{webhook:webhookId}”[ to {url}]',
  'webhooks.rotateWebhookSecret': 'Replace the secret of the webhook “{webhook:webhookId}”',
  'whois.submitUpdates': 'Change whois: {updates#object}',
  'whois.uploadText': 'Upload whois objects for {account}',
  'whois.bulkChange': 'Change several whois objects of {account}',
  'whois.createMaintainer': 'Create the maintainer {maintainer}',
  'whois.askToLinkMaintainer': 'Request to link {maintainer} to {account}',
  'whois.linkMaintainer': 'Link {maintainer} to {account}',
  'whois.unlinkMaintainer': 'Unlink {maintainer} from {account}',
  'whois.choosePrincipalMaintainer': 'Make {maintainer} the principal maintainer of {account}',
  'whois.grantMaintainer': 'Let {contactIds#contact} of {account} use {maintainer}',
  'whois.consents.askForConsent': 'Request consent to a whois update',
  'whois.consents.answerConsent': '{agree?true:Agree to|false:Refuse} the update of {consent:consentId}',
  'whois.irts.attachIrt': 'Set {irt} on {keys#object}',
  'whois.maintainerUsers.keepMaintainerUsers': 'Keep the last users of {maintainer}',
  'whois.reclaims.reclaimObject': '{act?take-over:Take over|delete:Delete} {class} {key}',
};

/** A part of a sentence that stands for something. */
export type SentencePart = {
  /** As it is written, with its braces. */
  written: string;
  field: string;
  thing?: string;
  noun?: string;
  values?: Readonly<Record<string, string>>;
};

/** Returns the parts of a sentence that stand for something. */
export const partsOf = (sentence: string): SentencePart[] =>
  [...sentence.matchAll(/\{([^{}]+)\}/g)].map(([written, inner = '']) => {
    const choice = /^([\w.]+)\?(.*)$/.exec(inner);
    if (choice) return { written, field: choice[1]!, values: Object.fromEntries(choice[2]!.split('|').map(each => splitAt(each, ':'))) };
    const [field, noun] = splitAt(inner, '#');
    if (noun !== '') return { written, field, noun };
    const [thing, id] = splitAt(inner, ':');
    return id === '' ? { written, field: inner } : { written, field: id, thing };
  });

const splitAt = (text: string, sign: string): [string, string] => {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

/** Longest part that is shown, in characters; of a list the first three. */
const LONGEST = 160;
const MOST = 3;

/** Returns the words for a part of a sentence; null if there are none. */
function valueOf({ field, noun, values }: SentencePart, given: (field: string) => unknown): string | null {
  const value = given(field);
  if (values) return Object.hasOwn(values, String(value)) ? values[String(value)]! : null;
  if (noun !== undefined) {
    const count = Array.isArray(value) ? value.length : value;
    if (typeof count !== 'number' || count === 0) return null;
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
  }
  const words = Array.isArray(value) ? inList(value.filter(each => ['string', 'number'].includes(typeof each)).map(String)) : plain(value);
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words || null;
}

const plain = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');
const inList = (words: readonly string[]): string =>
  words.length > MOST ? `${words.slice(0, MOST).join(', ')} and ${words.length - MOST} more` : words.join(', ');

/**
 * Fills a sentence in. @param given returns a field that the call was sent
 * @param names the names of things, by the written part that stands for each
 * @returns null if something is missing that isn't in brackets
 */
export function filledIn(
  sentence: string,
  given: (field: string) => unknown,
  names: ReadonlyMap<string, string | null> = new Map(),
): string | null {
  const fill = (text: string): string | null => {
    let words = '';
    for (const piece of text.split(/(\{[^{}]+\})/)) {
      const [part] = partsOf(piece);
      const value = !part ? piece : part.thing === undefined ? valueOf(part, given) : (names.get(part.written) ?? null);
      if (value === null) return null;
      words += value;
    }
    return words;
  };
  let said = '';
  let listed = 0;
  for (const text of sentence.split(/(\[[^\]]*\])/)) {
    const isOptional = text.startsWith('[');
    const words = fill(isOptional ? text.slice(1, -1) : text);
    if (words === null && !isOptional) return null;
    if (words === null) continue;
    said += text.startsWith('[;') ? words.replace(';', () => (listed++ === 0 ? ':' : ',')) : words;
  }
  return said || null;
}
