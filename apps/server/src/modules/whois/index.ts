export { reclaimable } from './rights/reclaimable.ts';
export { type AskedPart, askObjects } from './ledger/asked-objects.ts';
export { abuseMailboxOf, type ObjectDefaults, objectDefaultsOf, problemsOfAsked } from './ledger/object-defaults.ts';
export { carryOutObjects, type ObjectAct, type TouchedObject, touchedObjects } from './ledger/object-moves.ts';
export { syncRegistryObjects } from './ledger/registry-object-sync.ts';
export { askForConsent, consentsAskedBy, withdrawConsent } from './updates/consents.ts';
export { linkedMaintainers } from './rights/maintainer-links.ts';
export { answerQuery, findAbuseContact } from './query/answer.ts';
export type { Elsewhere, QueryPlace } from './query/query-place.ts';
export { sourcesOf } from './query/foreign-answer.ts';
export { HITS_OF_SEARCH, hitOf, type NameHit, searchedClasses, searchNames, TEXT_OF_HIT } from './query/name-search.ts';
export { versionTimes } from './query/versions.ts';
export { HITS_OF_WORDS, searchWords, wordClasses, wordsOf } from './query/word-search.ts';
export { openPort43, type Port43 } from './query/port-43.ts';
export { readQueryKey } from './query/query-key.ts';
export { readQueryLine } from './query/query-line.ts';
export { NOT_FOUND, QueryProblem } from './query/query-problem.ts';
export { type PersonalLimit, personalLimitOf } from './query/personal-limit.ts';
export { rightsOf, writingRights } from './rights/rights.ts';
export { asNumberOf, listOf, maintainersIn, objectOfRow } from './store/object-facts.ts';
export { listRouteObjects, maintainersOfRoute, type RouteObjectRow } from './objects/route-objects.ts';
export { nameOf } from './objects/object-list.ts';
export { READ_BYTES } from './query/read-bytes.ts';
export { OBJECTS_AT_ONCE, publicCopy } from './objects/public-copy.ts';
export { shownText } from './store/shown-text.ts';
export { verifyWhois } from './objects/verified-objects.ts';
export { handleClasses, objectsNamed } from './store/handle-space.ts';
export { lockWhois } from './store/lock.ts';
export { storeObjects, textToStore, type Write } from './store/store.ts';
export { submit } from './submit/submit.ts';
export { identityOf } from './store/syntax.ts';
export type { Credentials, StoredObject, WhoisOutcome, WhoisUpdate } from './store/update.ts';
export { findObjects } from './store/stored-objects.ts';
export { errorsOf, outcomeMessage } from './updates/outcome.ts';
export { type Submission, submitForAccount } from './updates/submit-for-account.ts';
export { enqueueUpdates } from './updates/update-task.ts';
export { whoisModule } from './module.ts';
export { isSilent, mailboxCounts, mailboxesOfIrts } from './updates/irt-restriction.ts';
export {
  carryNetworkLines,
  endMemberObject,
  endNetworkLines,
  type NetworkLine,
  networkDetailsOf,
  networkLinesOf,
} from './ledger/moved-objects.ts';
export { hasWrittenObjects } from './objects/written-in.ts';
export { ledgerDifferences } from './invariants.ts';
