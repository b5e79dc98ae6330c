// Generated from the migrated database by write-tables.ts; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Read as a value, written as JSON text. */
export type Json = ColumnType<JsonValue, string, string>;

/** The tables of the database, as queries see them. */
export interface Tables {
  accessRequest: {
    accessRequestId: GeneratedAlways<number>;
    accountName: string;
    kind: 'link' | 'add-contact' | 'remove-contact' | 'change-role' | 'permission';
    status: Generated<'pending' | 'approved' | 'rejected' | 'other'>;
    outcome: 'expired' | 'cancelled' | 'superseded' | null;
    loginId: string;
    requestedBy: string | null;
    subjectId: string | null;
    fullName: string | null;
    email: string | null;
    contactTypes: Generated<string[]>;
    permissions: Generated<string[]>;
    page: Generated<string>;
    reason: Generated<string>;
    requestedAt: string;
    notifiedAt: string;
    reminders: Generated<number>;
    expiresAt: string;
    resolvedBy: string | null;
    resolvedAt: string | null;
    note: string | null;
    grantedTypes: string[] | null;
    grantedPermissions: string[] | null;
  };
  accessReview: {
    accessReviewId: GeneratedAlways<number>;
    accountName: string;
    reviewedBy: string;
    reviewedAt: string;
  };
  accessReviewLine: {
    accessReviewId: number;
    contactId: string;
    decision: 'keep' | 'narrow' | 'remove';
    reason: Generated<string>;
    permissions: Generated<string[]>;
  };
  account: {
    accountName: string;
    accountStatus: 'open' | 'suspended' | 'closed' | 'new' | 'lost' | 'prospect' | 'n/a';
    accountType: 'regular' | 'confed-isp' | 'confed-nir' | 'historical' | 'rir' | 'non member' | 'n/a';
    nir: boolean;
    orgName: string;
    economy: string | null;
    memberSince: string | null;
    expiryDate: string | null;
    statisticsId: string | null;
    createdAt: Generated<string>;
  };
  accountClosureRequest: {
    accountClosureRequestId: GeneratedAlways<number>;
    accountName: string;
    reason: string;
    closeOn: string;
    resources: 'return' | 'transfer' | 'none';
    state: Generated<'submitted' | 'approved' | 'rejected' | 'withdrawn' | 'closed'>;
    requestedBy: string;
    requestedAt: string;
    resolvedBy: string | null;
    resolvedAt: string | null;
    withdrawnBy: string | null;
    note: string | null;
    endedAt: string | null;
  };
  accountCredit: {
    accountCreditId: GeneratedAlways<number>;
    accountName: string;
    amount: string;
    paymentId: number | null;
    creditNoteId: number | null;
    refundId: number | null;
    cancelledInvoiceId: number | null;
    at: string;
    paymentReversalId: number | null;
  };
  accountRestraint: {
    accountRestraintId: GeneratedAlways<number>;
    accountName: string;
    kind: 'hold' | 'restrict';
    reason: 'hijack' | 'forgery' | 'breach' | 'contacts' | 'order';
    memberText: string;
    setBy: string;
    confirmedBy: string | null;
    setAt: string;
    setActivity: number;
    beginsAt: string;
    beganAt: string | null;
    endsAt: string | null;
    endedAt: string | null;
    liftedBy: string | null;
    liftReason: Generated<string>;
  };
  accountSafety: {
    accountName: string;
    version: Generated<number>;
    securityEmail: string | null;
    secondFactorFrom: string | null;
    remindedAt: string | null;
    reviewAskedAt: string | null;
  };
  activity: {
    activityId: GeneratedAlways<number>;
    happenedAt: Generated<string>;
    action: string;
    summary: string;
    traceId: string;
    accountName: string | null;
    loginIssuer: string | null;
    loginSubject: string | null;
    contactId: string | null;
    sid: string | null;
    amr: string[] | null;
    address: string | null;
    refusal: string | null;
    details: ColumnType<JsonValue, string | undefined, string>;
    digest: Buffer | null;
  };
  activityReceipt: {
    activityId: number;
  };
  activitySeal: {
    position: number;
    activityId: number;
    hash: Buffer;
    sealedAt: Generated<string>;
    mark: Buffer | null;
  };
  advanceInvoice: {
    accountName: string;
    termEnd: string;
    requestedOn: string;
    requestedBy: string;
  };
  announcement: {
    announcementId: GeneratedAlways<number>;
    version: Generated<number>;
    category: 'service' | 'maintenance' | 'election' | 'fees' | 'policy' | 'event' | 'security';
    severity: 'info' | 'warning' | 'critical';
    title: string;
    body: string;
    audience: 'all' | 'members' | 'nirs' | 'corporate' | 'resources';
    resources: Generated<string[]>;
    economies: Generated<string[]>;
    kinds: Generated<string[]>;
    requiresAck: Generated<boolean>;
    publishAt: string | null;
    expiresAt: string | null;
    withdrawnAt: string | null;
    withdrawReason: Generated<string>;
    notifiedAt: string | null;
    notifiedTo: Generated<string>;
    createdAt: string;
    happensFrom: string | null;
    happensUntil: string | null;
    concerns: Generated<string[]>;
    services: Generated<string[]>;
    mailedAt: string | null;
    mailedTo: Generated<number>;
  };
  announcementAccount: {
    announcementId: number;
    accountName: string;
  };
  announcementFeed: {
    loginId: string;
    addressDigest: Buffer;
    madeAt: string;
  };
  announcementReader: {
    announcementId: number;
    loginId: string;
    acknowledgedAt: string;
  };
  announcementSubscriber: {
    subscriberId: GeneratedAlways<number>;
    email: string;
    services: Generated<string[]>;
    confirmedAt: string;
  };
  announcementUpdate: {
    announcementId: number;
    place: number;
    stage: 'begun' | 'investigating' | 'found' | 'watching' | 'over';
    text: string;
    writtenAt: string;
    mailedAt: string | null;
    mailedTo: Generated<number>;
  };
  apiKey: {
    apiKeyId: GeneratedAlways<number>;
    accountName: string;
    label: string;
    scopes: string[];
    networks: Generated<string[]>;
    loginId: string;
    issuer: string;
    subject: string;
    createdAt: string;
    expiresAt: string;
    revokedAt: string | null;
    remindedAt: string | null;
    alarmedAt: string | null;
  };
  apiKeySecret: {
    apiKeyId: number;
    prefix: string;
    hash: Buffer;
    madeAt: string;
    endsAt: string | null;
  };
  apiKeyUse: {
    apiKeyId: number;
    day: string;
    calls: number;
    refused: number;
    lastAt: string;
    lastAddress: string;
    oldAt: string | null;
    oldAddress: string | null;
  };
  applicationDraft: {
    membershipApplicationId: number;
    version: Generated<number>;
    step: string;
    draft: Json;
    savedAt: string;
    remindedAt: string | null;
  };
  applicationEvent: {
    applicationEventId: GeneratedAlways<number>;
    membershipApplicationId: number;
    kind: 'submitted' | 'in-review' | 'question' | 'answer' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
    at: string;
    loginId: string | null;
    byStaff: boolean;
    words: Generated<string>;
  };
  askedObject: {
    askedObjectId: GeneratedAlways<number>;
    accountName: string;
    kind: 'ipv4' | 'ipv6' | 'asn';
    first: string | null;
    last: string | null;
    firstAs: number | null;
    lastAs: number | null;
    netname: Generated<string>;
    descr: Generated<string>;
    adminC: Generated<string>;
    techC: Generated<string>;
    maintainer: Generated<string>;
    abuseMailbox: Generated<string>;
  };
  aspa: {
    aspaId: GeneratedAlways<number>;
    accountName: string;
    customer: number;
    providers: number[];
    comment: Generated<string>;
    version: Generated<number>;
    createdAt: string;
    changedAt: string;
  };
  assignment: {
    assignmentId: GeneratedAlways<number>;
    delegationId: number;
    accountName: string;
    kind: 'ipv4' | 'ipv6';
    first: string;
    last: string;
    resource: string;
    size: string;
    type: 'allocated' | 'assigned';
    level: number;
    netname: string;
    descr: string | null;
    customer: string | null;
    visibility: 'public' | 'private';
    economy: string | null;
    registeredOn: string;
    updatedAt: string;
    fromWhois: Generated<boolean>;
    portable: Generated<boolean>;
  };
  attendance: {
    conference: string;
    email: string;
    loginId: string | null;
    registeredAt: string;
    attended: boolean;
  };
  attendeeRoll: {
    electionId: number;
    email: string;
    loginId: string | null;
  };
  attendeeVote: {
    electionId: number;
    generation: number;
    loginId: string;
    voterName: string;
    castAt: string;
    notifiedAt: string | null;
  };
  ballot: {
    receipt: string;
    electionId: number;
    generation: number;
    votes: number;
    choices: number[];
  };
  ballotCredential: {
    electionId: number;
    credentialHash: string;
    credential: string;
    votes: number;
  };
  ballotEvent: {
    electionId: number;
    height: number;
    kind: 'Setup' | 'Ballot' | 'EndBallots' | 'EncryptedTally' | 'PartialDecryption' | 'Result';
    hash: string;
    parent: string | null;
    startsAt: number;
    bytes: Buffer;
    tracker: string | null;
    credentialHash: string | null;
    votes: number | null;
  };
  ballotOrder: {
    electionId: number;
    seed: string;
    drawnAt: string;
    usedAt: string | null;
  };
  ballotSession: {
    voterId: Generated<string>;
    electionId: number;
    generation: number;
    accountName: string | null;
    loginId: string | null;
    castAs: 'member' | 'proxy' | 'attendee';
    contactId: string | null;
    voterName: string;
    votes: number;
    openedAt: string;
    expiresAt: string;
  };
  ballotSum: {
    electionId: number;
    generation: number;
    ballots: number;
    sum: Buffer;
  };
  ballotTrustee: {
    electionId: number;
    place: number;
    loginId: string;
    ownKey: string | null;
    certificate: string | null;
    polynomial: string | null;
    input: string | null;
    share: string | null;
    decryption: string | null;
    askedStep: 'key' | 'certificate' | 'polynomial' | 'share' | 'decryption' | null;
    askedAt: string | null;
    reminders: Generated<number>;
  };
  bankLine: {
    bankLineId: GeneratedAlways<number>;
    bankStatementId: number;
    fingerprint: string;
    bookedOn: string;
    currency: string;
    amount: string;
    payer: string;
    remittance: string;
    reference: string;
    state: Generated<'open' | 'recorded' | 'set-aside'>;
    resolvedBy: string | null;
    resolvedAt: string | null;
    note: Generated<string>;
  };
  bankStatement: {
    bankStatementId: GeneratedAlways<number>;
    fileName: string;
    format: 'CAMT.053' | 'CSV';
    bankAccount: string;
    importedBy: string;
    importedAt: string;
    added: number;
  };
  bgpAnnouncement: {
    bgpTableId: number;
    prefix: string;
    asn: number;
    peers: number;
  };
  bgpNeighbour: {
    bgpTableId: number;
    asn: number;
    neighbour: number;
    announcements: number;
    peers: number;
  };
  bgpTable: {
    bgpTableId: GeneratedAlways<number>;
    accountName: string | null;
    uploadedBy: string | null;
    family: number;
    fileName: string;
    collectedAt: string;
    importedAt: string;
    peers: number;
    announcements: number;
    hasPaths: Generated<boolean>;
    state: 'loading' | 'current' | 'replaced';
  };
  billingHold: {
    billingHoldId: GeneratedAlways<number>;
    since: string;
    reason: 'first-run' | 'outage' | 'many';
    lastRun: string | null;
    due: number;
    openedAt: string;
    releasedAt: string | null;
    releasedBy: string | null;
  };
  billingStart: {
    onlyOne: Generated<boolean>;
    firstEnd: string;
    begunAt: string;
  };
  billingStep: {
    accountName: string;
    termEnd: string;
    step: 'reminder' | 'holdings' | 'invoice' | 'suspension' | 'second-reminder' | 'closing-warning' | 'closing';
    day: string;
    doneAt: string;
    ipv4: string | null;
    ipv6: string | null;
    asns: number | null;
  };
  brandChange: {
    brandChangeId: GeneratedAlways<number>;
    validFrom: string | null;
    beginsAt: string | null;
    changed: Json;
    reason: string;
    preparedBy: string;
    preparedAt: string;
    proposedBy: string | null;
    confirmedBy: string | null;
    confirmedAt: string | null;
    endedBy: string | null;
    endedWith: string | null;
    endedAt: string | null;
  };
  brandLogo: {
    name: string;
    content: Buffer;
    width: number;
    height: number;
    uploadedBy: string;
    uploadedAt: string;
  };
  carriedLine: {
    carriedLineId: GeneratedAlways<number>;
    first: string;
    last: string;
    attribute: 'admin-c' | 'tech-c' | 'mnt-irt' | 'geofeed' | 'remarks';
    value: string;
  };
  caseHandOver: {
    caseHandOverId: GeneratedAlways<number>;
    kind: 'applications' | 'organisations' | 'resources' | 'tickets';
    caseId: string;
    fromLogin: string | null;
    toLogin: string;
    byLogin: string;
    words: string;
    at: string;
  };
  caseLink: {
    caseLinkId: GeneratedAlways<number>;
    kind: 'applications' | 'contacts' | 'organisations' | 'closures' | 'resources' | 'tickets';
    caseId: string;
    otherKind: 'applications' | 'contacts' | 'organisations' | 'closures' | 'resources' | 'tickets';
    otherCaseId: string;
    loginId: string;
    linkedAt: string;
  };
  caseReminder: {
    caseReminderId: GeneratedAlways<number>;
    loginId: string;
    kind: 'applications' | 'contacts' | 'organisations' | 'closures' | 'resources' | 'tickets';
    caseId: string;
    day: string;
    words: string;
    byMail: boolean;
    mailedAt: string | null;
    createdAt: string;
  };
  caseWatch: {
    caseWatchId: GeneratedAlways<number>;
    loginId: string;
    kind: 'applications' | 'contacts' | 'organisations' | 'closures' | 'resources' | 'tickets';
    caseId: string;
    seen: string;
    watchedAt: string;
  };
  checkout: {
    checkoutId: GeneratedAlways<number>;
    accountName: string | null;
    invoiceId: number | null;
    jointPaymentId: number | null;
    currency: string;
    amount: string;
    state: Generated<'starting' | 'open' | 'paid' | 'expired' | 'failed'>;
    provider: string;
    providerId: string | null;
    page: string | null;
    startedBy: string;
    startedAt: string;
    endedAt: string | null;
    expiresAt: string | null;
    providerEndedAt: string | null;
  };
  checkoutPart: {
    checkoutId: number;
    invoiceId: number;
    amount: string;
    receivedAt: string | null;
  };
  closedMonth: {
    month: string;
    closedBy: string;
    confirmedBy: string;
    closedAt: string;
    entries: number;
    journal: string;
    sha256: string;
  };
  codeFailure: {
    loginId: string;
    kind: string;
    failures: number;
  };
  conference: {
    conference: string;
    title: string;
    startsOn: string;
    counts: Generated<boolean>;
  };
  contact: {
    contactId: Generated<string>;
    accountName: string;
    loginId: string | null;
    fullName: string;
    email: string;
    contactTypes: string[];
    permissions: string[];
    status: Generated<'invited' | 'active' | 'pending-registry' | 'removed'>;
    createdAt: Generated<string>;
    phone: Generated<string>;
    position: Generated<string>;
    maintainers: Generated<string[]>;
    version: Generated<number>;
    confirmedAt: string | null;
    confirmationAskedAt: string | null;
    removedAt: string | null;
    helperUntil: string | null;
    helperWarnedAt: string | null;
  };
  creditNote: {
    creditNoteId: GeneratedAlways<number>;
    number: string;
    year: number;
    sequence: number;
    accountName: string;
    invoiceId: number;
    issuedOn: string;
    subtotal: string;
    tax: string;
    total: string;
    reason: string;
    issuedBy: string | null;
    issuedAt: string;
    limitedActId: number | null;
  };
  customer: {
    accountName: string;
    customer: string;
    address: Generated<string>;
    economy: string | null;
    contactName: Generated<string>;
    phone: Generated<string>;
    email: Generated<string>;
    remarks: Generated<string>;
    visibility: 'public' | 'private';
    updatedAt: string;
  };
  dataCopy: {
    dataCopyId: GeneratedAlways<number>;
    loginId: string;
    requestedAt: string;
    taskId: number | null;
    madeAt: string | null;
    expiresAt: string;
    sha256: string | null;
    size: number | null;
    failure: 'too-large' | 'not-allowed' | null;
  };
  databaseOutage: {
    since: string;
    until: string;
  };
  delegation: {
    delegationId: GeneratedAlways<number>;
    kind: 'ipv4' | 'ipv6' | 'asn';
    first: string | null;
    last: string | null;
    firstAs: number | null;
    lastAs: number | null;
    resource: string;
    size: string;
    type: 'allocated' | 'assigned';
    status: Generated<'active' | 'locked' | 'closing' | 'closed'>;
    source: Generated<'delegated' | 'transferred' | 'historical'>;
    portable: Generated<boolean>;
    purpose: 'exchange' | 'temporary' | null;
    delegatedOn: string | null;
    holdUntil: string | null;
    endsOn: string | null;
    economy: string | null;
    accountName: string;
    registry: string;
    dateText: string | null;
    extensions: string | null;
  };
  document: {
    documentId: GeneratedAlways<number>;
    sha256: string;
    fileName: string;
    uploadedBy: string;
    uploadedAt: string;
    byStaff: Generated<boolean>;
    accountName: string | null;
    reference: string | null;
    title: string;
    type: Generated<'agreement' | 'certificate' | 'tax' | 'identity' | 'legal' | 'correspondence' | 'other'>;
    visibility: Generated<'all-contacts' | 'corporate' | 'billing'>;
    validUntil: string | null;
    signature: Generated<'none' | 'to-sign' | 'signed'>;
    signedBy: string | null;
    signedName: string | null;
    signedAt: string | null;
    deletedAt: string | null;
    deletedBy: string | null;
    deletionReason: string | null;
  };
  documentOpening: {
    documentOpeningId: GeneratedAlways<number>;
    documentId: number;
    loginId: string;
    openedAt: string;
  };
  eInvoice: {
    number: string;
    invoiceId: number;
    electronicAddress: string;
    untaxedCategory: string;
    untaxedReason: string;
    xml: string;
  };
  election: {
    electionId: GeneratedAlways<number>;
    kind: 'ec' | 'nro-nc' | 'sig' | 'resolution' | 'other';
    title: string;
    description: Generated<string>;
    seats: number | null;
    maxSelections: number | null;
    generation: Generated<number>;
    timeZone: string;
    state: Generated<'draft' | 'published' | 'cancelled'>;
    conference: string | null;
    registrationCutOff: string | null;
    candidatesUrl: Generated<string>;
    resultsUrl: Generated<string>;
    version: Generated<number>;
    createdAt: string;
    publishedAt: string | null;
    cancelledAt: string | null;
    cancelReason: Generated<string>;
    rollFrozenAt: string | null;
    attendeesFrozenAt: string | null;
    ballotsSortedAt: string | null;
    ballots: Generated<'plain' | 'encrypted'>;
    setUpAt: string | null;
    firstSetUpAt: string | null;
  };
  electionOption: {
    electionId: number;
    place: number;
    name: string;
    statement: Generated<string>;
  };
  electionProxy: {
    electionProxyId: GeneratedAlways<number>;
    electionId: number;
    accountName: string;
    fullName: string;
    email: string;
    state: Generated<'active' | 'used' | 'revoked' | 'voided'>;
    appointedBy: string;
    appointedAt: string;
    invitedAt: string | null;
    endedAt: string | null;
    endReason: Generated<string>;
  };
  electionRoll: {
    electionId: number;
    accountName: string;
    votes: number;
    tier: Generated<string>;
  };
  electionVote: {
    electionId: number;
    generation: number;
    accountName: string;
    votes: number;
    castAs: 'member' | 'proxy';
    castBy: string | null;
    voterName: string;
    castAt: string;
    notifiedAt: string | null;
  };
  electionWindow: {
    electionId: number;
    kind: 'nomination' | 'proxy-appoint' | 'member-vote' | 'proxy-vote' | 'attendee-vote';
    opensAt: string;
    closesAt: string;
    url: Generated<string>;
  };
  encryptedBallot: {
    electionId: number;
    uuid: string;
    authority: string;
    threshold: number | null;
    appointedBy: string;
    appointedAt: string;
    trusteeKeys: string | null;
    parameters: string | null;
    trustees: string | null;
    tally: string[] | null;
    decryption: string | null;
    result: number[] | null;
    askedAt: string | null;
    reminders: Generated<number>;
    credentialsFingerprint: string | null;
    proxiesAskedAt: string | null;
  };
  endedData: {
    kind: string;
    day: string;
    rows: number;
  };
  endingPeriod: {
    kind: string;
    months: number;
    shorter: number | null;
    shorterAt: string | null;
    waitsSince: string | null;
    agreedBy: string | null;
    agreedAt: string | null;
  };
  erasure: {
    erasureId: GeneratedAlways<number>;
    loginId: string;
    state: Generated<'requested' | 'withdrawn' | 'refused' | 'erased'>;
    filedBy: string | null;
    reason: Generated<string>;
    requestedAt: string;
    dueAt: string;
    endedAt: string | null;
    endedBy: string | null;
    note: Generated<string>;
    endedWith: string | null;
  };
  event: {
    event: string;
    version: Generated<number>;
    state: Generated<'draft' | 'published' | 'cancelled'>;
    kind: 'conference' | 'workshop' | 'tutorial' | 'webinar' | 'meeting';
    title: string;
    description: Generated<string>;
    startsAt: string;
    endsAt: string;
    timeZone: string;
    mode: 'onsite' | 'online' | 'hybrid';
    place: Generated<string>;
    url: Generated<string>;
    registrationOpensAt: string;
    registrationClosesAt: string;
    capacity: number | null;
    fee: Generated<string>;
    currency: Generated<string>;
    hours: string | null;
    createdAt: string;
    cancelledAt: string | null;
    cancelReason: Generated<string>;
  };
  eventCertificate: {
    code: string;
    event: string;
    loginId: string;
    fullName: string;
    accountName: string | null;
    orgName: string | null;
    state: 'requested' | 'issued' | 'rejected';
    requestedAt: string;
    issuedAt: string | null;
    decidedBy: string | null;
    reason: Generated<string>;
  };
  eventRegistration: {
    eventRegistrationId: GeneratedAlways<number>;
    event: string;
    loginId: string;
    accountName: string | null;
    fullName: string;
    email: string;
    part: 'onsite' | 'online';
    state: 'registered' | 'waitlisted' | 'cancelled';
    fee: Generated<string>;
    isFreePlace: Generated<boolean>;
    registeredAt: string;
    cancelledAt: string | null;
    reminded: Generated<number>;
  };
  featureAccount: {
    feature: string;
    edition: number;
    accountName: string;
  };
  featureSetting: {
    feature: string;
    edition: number;
    stands: 'off' | 'everyone' | 'accounts' | 'share';
    share: number | null;
    reason: string;
    changedBy: string;
    changedAt: string;
  };
  feeDraft: {
    feeDraftId: GeneratedAlways<number>;
    announcement: Json;
    preparedBy: string;
    preparedAt: string;
    endedAt: string | null;
  };
  feeSchedule: {
    feeScheduleId: string;
    accountKind: 'member' | 'non-member';
    validFrom: string;
    validUntil: string;
    announcedOn: string;
    baseFee: string;
    bitFactor: string;
    ipv4Base: number;
    ipv6Base: number;
    associateFee: string;
    nirMultiplier: string;
    ldcShare: string;
    asnFee: string;
    freeAsns: number;
    signUpFee: string;
    countHistorical: boolean;
    firstPi48Free: boolean;
  };
  foreignCopy: {
    copyId: GeneratedAlways<number>;
    source: string;
    begunAt: string;
    leftAt: string | null;
  };
  foreignObject: {
    objectId: GeneratedAlways<number>;
    copyId: number;
    class: string;
    key: string;
    shown: string;
    text: string;
    prefix: string | null;
    origin: number | null;
    members: Generated<string[]>;
    inverse: Generated<string[]>;
  };
  foreignSource: {
    name: string;
    way: 'dump' | 'nrtm3' | 'nrtm4';
    copyId: number | null;
    objects: Generated<number>;
    leftOut: Generated<number>;
    serial: Generated<number>;
    session: string | null;
    firstKey: string | null;
    signingKey: string | null;
    nextKey: string | null;
    files: ColumnType<JsonValue, string | undefined, string>;
    loadedAt: string | null;
    asOf: string | null;
    loadDue: Generated<boolean>;
    succeededAt: string | null;
    nextAt: string | null;
    failures: Generated<number>;
    problem: string | null;
  };
  freezeLink: {
    freezeLinkId: Generated<string>;
    loginId: string;
    accountName: string | null;
    mailedTo: string;
    activityId: number;
    madeAt: string;
    expiresAt: string;
    usedAt: string | null;
  };
  handleSequence: {
    letters: string;
    suffix: string;
    last: number;
  };
  heldObject: {
    heldObjectId: GeneratedAlways<number>;
    resourceRequestId: number;
    accountName: string;
    what: 'registration' | 'roa' | 'route' | 'whois' | 'reverse' | 'contact' | 'geofeed';
    name: string;
    place: Json;
    endsOn: string;
    keptAt: string | null;
    endedAt: string | null;
  };
  helpAnswer: {
    article: string;
    month: string;
    helped: boolean;
    answers: number;
  };
  historyCut: {
    rowChangeId: number;
    digest: Buffer;
  };
  holiday: {
    day: string;
    name: string;
    addedBy: string;
    addedAt: string;
  };
  idempotentAnswer: {
    loginId: string;
    keyDigest: Buffer;
    requestDigest: Buffer;
    status: number;
    answer: Json;
    madeAt: string;
  };
  invitation: {
    invitationId: GeneratedAlways<number>;
    contactId: string;
    linkId: string | null;
    state: Generated<'sent' | 'accepted' | 'declined' | 'expired' | 'revoked'>;
    invitedBy: string | null;
    sentAt: string;
    expiresAt: string;
    remindedAt: string | null;
    endedAt: string | null;
  };
  invoice: {
    invoiceId: GeneratedAlways<number>;
    number: string;
    year: number;
    sequence: number;
    accountName: string;
    kind: 'renewal' | 'transfer' | 'reactivation' | 'sign-up';
    issuedOn: string;
    dueOn: string;
    periodFrom: string;
    periodTo: string;
    currency: string;
    orgName: string;
    economy: string | null;
    billingAddress: string[];
    attention: string;
    taxNumber: string;
    poNumber: string;
    feeScheduleId: string | null;
    ipv4: string;
    ipv6: string;
    asns: number;
    subtotal: string;
    taxRate: string | null;
    tax: string;
    total: string;
    state: Generated<'issued' | 'partly-paid' | 'paid' | 'cancelled' | 'written-off'>;
    paid: Generated<string>;
    paidOn: string | null;
    credited: Generated<string>;
    writtenOff: Generated<string>;
    writtenOffOn: string | null;
    writeOffReason: string | null;
    extendedUntil: string | null;
    cancelledAt: string | null;
    cancelReason: string | null;
    sha256: string;
    writeOffActId: number | null;
    cancelledWithoutNote: Generated<boolean>;
  };
  invoiceLine: {
    invoiceId: number;
    position: number;
    description: string;
    quantity: number;
    unitPrice: string;
    amount: string;
  };
  irtContact: {
    irt: string;
    mailbox: string;
    attribute: 'e-mail' | 'abuse-mailbox';
    state: Generated<'valid' | 'pending' | 'invalid' | 'restricted'>;
    codeHash: string | null;
    mails: Generated<number>;
    dueAt: string | null;
    askedAt: string | null;
    sentAt: string | null;
    clockFrom: string | null;
    restarted: Generated<boolean>;
    validatedAt: string | null;
    resentOn: string | null;
    resends: Generated<number>;
    wrongCodes: Generated<number>;
    wrongAt: string | null;
  };
  jointPayment: {
    jointPaymentId: GeneratedAlways<number>;
    number: string;
    year: number;
    sequence: number;
    currency: string;
    requestedBy: string;
    requestedOn: string;
    discardedAt: string | null;
  };
  jointPaymentInvoice: {
    jointPaymentId: number;
    invoiceId: number;
  };
  legalAcceptance: {
    legalAcceptanceId: GeneratedAlways<number>;
    text: string;
    version: number;
    loginId: string;
    accountName: string | null;
    acceptedAt: string;
  };
  legalHold: {
    legalHoldId: GeneratedAlways<number>;
    accountName: string | null;
    loginId: string | null;
    reason: string;
    placedBy: string;
    placedAt: string;
    releasedBy: string | null;
    releasedAt: string | null;
  };
  legalReminder: {
    loginId: string;
    text: string;
    version: number;
    remindedAt: string;
  };
  legalVersion: {
    legalVersionId: GeneratedAlways<number>;
    text: string;
    version: number | null;
    edition: Generated<number>;
    title: string;
    body: string;
    changes: Generated<string>;
    asks: string[];
    renews: boolean;
    graceDays: number;
    blocks: boolean;
    validFrom: string;
    beginsAt: string;
    reason: string;
    preparedBy: string;
    preparedAt: string;
    proposedBy: string | null;
    confirmedBy: string | null;
    confirmedAt: string | null;
    endedBy: string | null;
    endedWith: string | null;
    endedAt: string | null;
  };
  limitInForce: {
    limitInForceId: GeneratedAlways<number>;
    name: 'received' | 'given' | 'time' | 'endings' | 'holidays';
    account: string | null;
    person: string;
    everyone: string;
    days: number;
    since: string;
  };
  limitedAct: {
    limitedActId: GeneratedAlways<number>;
    name: 'received' | 'given' | 'time' | 'endings' | 'holidays';
    accountName: string | null;
    amount: string;
    madeBy: string;
    secondPerson: string | null;
    madeAt: string;
    activityId: number;
  };
  linkAttempt: {
    linkAttemptId: GeneratedAlways<number>;
    loginId: string;
    accountName: string;
    address: string | null;
    askedAt: string;
    cancelledAt: string | null;
  };
  listing: {
    listingId: GeneratedAlways<number>;
    accountName: string;
    kind: 'offer' | 'wanted';
    first: string | null;
    last: string | null;
    resource: string | null;
    length: number;
    namesHolder: boolean;
    interRegistry: boolean;
    notes: Generated<string>;
    state: Generated<'open' | 'withdrawn' | 'expired' | 'removed' | 'transferred'>;
    listedBy: string;
    listedAt: string;
    expiresOn: string;
    remindedOn: string | null;
    endedAt: string | null;
    endedWhy: Generated<string>;
  };
  listingMessage: {
    listingMessageId: GeneratedAlways<number>;
    listingId: number;
    accountName: string;
    loginId: string;
    kind: 'question' | 'report';
    words: string;
    sentAt: string;
  };
  lockedPart: {
    lockedPartId: GeneratedAlways<number>;
    reference: string;
    accountName: string;
    kind: 'ipv4' | 'ipv6' | 'asn';
    first: string | null;
    last: string | null;
    firstAs: number | null;
    lastAs: number | null;
    resource: string;
    act: 'transfer' | 'return';
    lockedAt: string;
    fixedAt: string | null;
  };
  logEnd: {
    log: 'activity_seal' | 'whois_journal';
    lines: number;
    last: number;
    hash: Buffer;
    digest: Buffer;
  };
  logRoot: {
    rootId: number;
    day: string;
    firstPosition: number;
    lastPosition: number;
    hash: Buffer;
    seal: Buffer;
    link: Buffer;
    publishedAt: Generated<string>;
  };
  login: {
    loginId: Generated<string>;
    username: string;
    email: string;
    emailVerified: Generated<boolean>;
    fullName: string;
    displayName: string;
    nickname: string;
    staff: Generated<boolean>;
    disabledAt: string | null;
    demoRole: string | null;
    createdAt: string;
    coolDownUntil: string | null;
    coolDownWhy: 'password-reset' | 'email-changed' | 'factor-lost' | 'recovery-code' | 'frozen' | null;
    frozenAt: string | null;
    frozenEmail: string | null;
    sessionsEnded: Generated<number>;
    lastSignInAt: string | null;
  };
  loginLink: {
    linkId: Generated<string>;
    purpose:
      | 'register'
      | 'reset-password'
      | 'change-email'
      | 'undo-change-email'
      | 'invitation'
      | 'staff-invitation'
      | 'referral'
      | 'contact-email'
      | 'undo-contact-email'
      | 'security-address'
      | 'topic-address'
      | 'data-report'
      | 'status-mails';
    digest: Buffer | null;
    loginId: string | null;
    email: string;
    asked: ColumnType<JsonValue, string | undefined, string>;
    madeAt: string;
    expiresAt: string;
    usedAt: string | null;
  };
  loginPasskey: {
    credentialId: string;
    loginId: string;
    name: string;
    publicKey: Buffer;
    transports: Generated<string[]>;
    deviceType: 'singleDevice' | 'multiDevice';
    enrolledAt: string;
  };
  loginPassword: {
    loginId: string;
    hash: string;
    setAt: string;
  };
  loginPreferences: {
    loginId: string;
    preferences: Json;
  };
  loginRecoveryCode: {
    loginId: string;
    digest: Buffer;
    madeAt: string;
    usedAt: string | null;
  };
  loginSubject: {
    issuer: string;
    subject: string;
    loginId: string;
    notifiedAt: string | null;
    groupsAt: string | null;
  };
  loginTotp: {
    loginId: string;
    sealedSecret: Buffer;
    enrolledAt: string;
    totpId: Generated<string>;
    name: Generated<string>;
    disabledAt: string | null;
  };
  mail: {
    mailId: GeneratedAlways<number>;
    recipient: string;
    subject: string;
    body: string;
    accountName: string | null;
    writtenAt: string;
    sentAt: string | null;
    failure: string | null;
    sealedLink: Buffer | null;
    topic: string;
    recipientName: Generated<string>;
    loginId: string | null;
    act: string | null;
    path: string | null;
    answerBy: string | null;
    refusedAt: string | null;
    freezeLinkId: string | null;
    unsubscribesFrom: string | null;
    thread: string | null;
    attaches: string | null;
    kind: string | null;
  };
  mailRefusal: {
    address: string;
    refusals: number;
    refusal: string;
    refusedAt: string;
    unreachableSince: string | null;
  };
  mailTextVersion: {
    kind: string;
    version: number;
    subject: string | null;
    body: string | null;
    programSubject: string;
    programBody: string;
    reason: string;
    loginId: string;
    guarded: boolean;
    approvedBy: string | null;
    savedAt: string;
  };
  maintainerCode: {
    accountName: string;
    maintainer: string;
    codeHash: string;
    sentAt: string;
    dueAt: string;
    wrongCodes: Generated<number>;
  };
  maintainerLastUser: {
    accountName: string;
    maintainer: string;
    contactIds: string[];
    codeHash: string;
    wrongCodes: Generated<number>;
    askedAt: string;
    dueAt: string;
  };
  maintainerLink: {
    accountName: string;
    maintainer: string;
    principal: Generated<boolean>;
    linkedAt: string;
  };
  membershipApplication: {
    membershipApplicationId: GeneratedAlways<number>;
    loginId: string;
    state: Generated<'draft' | 'submitted' | 'in-review' | 'needs-info' | 'approved' | 'rejected' | 'withdrawn' | 'expired'>;
    startedAt: string;
    since: string;
    form: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    orgName: string | null;
    economy: string | null;
    accountName: string | null;
    registrationKey: string | null;
    agreementVersion: string | null;
    agreedAt: string | null;
    submittedAt: string | null;
    reviewer: string | null;
    question: string | null;
    resolvedBy: string | null;
    resolvedAt: string | null;
    note: string | null;
  };
  membershipCertificate: {
    code: string;
    accountName: string;
    orgName: string;
    economy: string | null;
    memberSince: string | null;
    validUntil: string | null;
    issuedBy: string;
    issuedAt: string;
  };
  migration: {
    name: string;
    sha256: string;
    at: Generated<string>;
  };
  nirDelegation: {
    nirDelegationId: GeneratedAlways<number>;
    accountName: string;
    subaccountId: number;
    kind: 'ipv4' | 'ipv6' | 'asn';
    first: string | null;
    last: string | null;
    firstAs: number | null;
    lastAs: number | null;
    resource: string;
    size: string;
    start: string;
    type: 'allocated' | 'assigned';
    netname: Generated<string>;
    pool: 'nir' | 'registry';
    assignmentId: number | null;
    delegatedOn: string;
  };
  nirEntity: {
    entityId: GeneratedAlways<number>;
    accountName: string;
    name: string;
    localName: Generated<string>;
    registrationNumber: Generated<string>;
    address: Generated<string>;
    economy: string | null;
    phone: Generated<string>;
    email: Generated<string>;
    handle: Generated<string>;
    remarks: Generated<string>;
    mergedInto: number | null;
    mergedAt: string | null;
    mergedSubaccounts: number[] | null;
    version: Generated<number>;
    updatedAt: string;
  };
  nomination: {
    nominationId: GeneratedAlways<number>;
    electionId: number;
    accountName: string | null;
    nominatedBy: string;
    nominatorName: string;
    fullName: string;
    email: string;
    organisation: Generated<string>;
    reason: string;
    state: 'awaiting-authorisation' | 'awaiting-nominee' | 'confirmed' | 'eligible' | 'ineligible' | 'declined' | 'withdrawn';
    nominatedAt: string;
    statement: Generated<string>;
    answeredAt: string | null;
    answeredBy: string | null;
    judgedAt: string | null;
    judgeReason: Generated<string>;
  };
  notedEvent: {
    electionId: number;
    height: number;
    hash: string;
    notedAt: string;
  };
  notification: {
    notificationId: GeneratedAlways<number>;
    loginId: string;
    accountName: string | null;
    topic: string;
    title: string;
    body: string;
    link: string | null;
    writtenAt: string;
    readAt: string | null;
    digest: 'daily' | 'weekly' | null;
  };
  notificationAddress: {
    loginId: string;
    topic: string;
    email: string;
  };
  notificationDigest: {
    loginId: string;
    digest: 'daily' | 'weekly';
    until: string;
    madeAt: string;
  };
  notificationPreference: {
    loginId: string;
    topic: string;
    delivery: 'at-once' | 'daily' | 'weekly' | 'portal';
  };
  nrtmKey: {
    kid: string;
    state: 'next' | 'current' | 'retired';
    publicJwk: Json;
    sealedPrivate: Buffer;
    createdAt: string;
  };
  oidcPayload: {
    model: string;
    id: Buffer;
    payload: Json;
    grantId: string | null;
    uid: string | null;
    accountId: string | null;
    expiresAt: string | null;
    consumedAt: string | null;
  };
  organisation: {
    accountName: string;
    registrationNumber: Generated<string>;
    organisationType: 'company' | 'partnership' | 'sole trader' | 'government' | 'education' | 'not for profit' | 'other' | null;
    postalAddress: Generated<string[]>;
    city: Generated<string>;
    region: Generated<string>;
    postcode: Generated<string>;
    phone: Generated<string>;
    fax: Generated<string>;
    website: Generated<string>;
    abuseEmail: Generated<string>;
    billingAddress: Generated<string[]>;
    billingEmail: Generated<string>;
    poNumber: Generated<string>;
    version: Generated<number>;
  };
  organisationChange: {
    organisationChangeId: GeneratedAlways<number>;
    accountName: string;
    field: 'orgName' | 'registrationNumber' | 'organisationType';
    presentValue: string;
    wantedValue: string;
    reason: Generated<string>;
    state: Generated<'submitted' | 'in-review' | 'needs-info' | 'approved' | 'rejected' | 'withdrawn'>;
    requestedBy: string;
    requestedAt: string;
    reviewer: string | null;
    question: string | null;
    answer: string | null;
    resolvedBy: string | null;
    withdrawnBy: string | null;
    resolvedAt: string | null;
    note: string | null;
  };
  outsideEvent: {
    uid: string;
    title: string;
    description: Generated<string>;
    startsAt: string;
    endsAt: string;
    allDay: boolean;
    place: Generated<string>;
    url: Generated<string>;
  };
  passkeyUse: {
    credentialId: string;
    counter: number;
    usedAt: string | null;
  };
  payment: {
    paymentId: GeneratedAlways<number>;
    accountName: string;
    invoiceId: number;
    method: 'bank transfer' | 'credit' | 'card';
    amount: string;
    receivedOn: string;
    reference: string;
    bankLineId: number | null;
    recordedBy: string | null;
    recordedAt: string;
    limitedActId: number | null;
    repeats: number | null;
  };
  paymentReversal: {
    paymentReversalId: GeneratedAlways<number>;
    number: string;
    year: number;
    sequence: number;
    accountName: string;
    paymentId: number;
    kind: 'wrong-invoice' | 'bounced' | 'recalled' | 'chargeback' | 'card-refund' | 'unmatched';
    reversedOn: string;
    amount: string;
    fromCredit: string;
    movedTo: number | null;
    reason: string;
    reversedBy: string;
    reversedAt: string;
    limitedActId: number;
  };
  periodicWork: {
    name: string;
    knownSince: string;
    begunAt: string | null;
    succeededAt: string | null;
    failedAt: string | null;
    failure: string | null;
    noted: ColumnType<JsonValue | null, string | null | undefined, string | null>;
  };
  permissionDecision: {
    contactId: string;
    permission: string;
    granted: boolean;
    decidedBy: string | null;
    decidedAt: string;
  };
  policyChange: {
    policyChangeId: GeneratedAlways<number>;
    validFrom: string;
    beginsAt: string;
    reason: string;
    decision: Generated<string>;
    preparedBy: string;
    preparedAt: string;
    proposedBy: string | null;
    confirmedBy: string | null;
    confirmedAt: string | null;
    endedBy: string | null;
    endedWith: string | null;
    endedAt: string | null;
    announcementId: number | null;
    remindedAt: string | null;
  };
  policyValue: {
    policyChangeId: number;
    name: string;
    value: Json;
    before: Json;
    validFrom: string;
    isConfirmed: Generated<boolean>;
  };
  pool: {
    poolId: GeneratedAlways<number>;
    kind: 'ipv4' | 'ipv6' | 'asn';
    first: string | null;
    last: string | null;
    firstAs: number | null;
    lastAs: number | null;
    resource: string;
    size: string;
    state: 'available' | 'reserved';
    heldFor: string | null;
    restsUntil: string | null;
    reason: string | null;
    keptUntil: string | null;
    registry: string;
    economyText: Generated<string>;
    dateText: Generated<string>;
    extensions: string | null;
  };
  preApproval: {
    preApprovalId: GeneratedAlways<number>;
    accountName: string;
    resourceRequestId: number;
    granted: number;
    remaining: number;
    grantedOn: string;
    expiresOn: string;
    replacedOn: string | null;
    remindedOn: string | null;
  };
  proposal: {
    proposalId: GeneratedAlways<number>;
    accountName: string | null;
    about: string | null;
    action: string;
    input: Json;
    shown: Json;
    fingerprint: string;
    proposedBy: string;
    proposedAt: string;
    expiresAt: string;
    state: Generated<'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired'>;
    decidedBy: string | null;
    decidedAt: string | null;
    note: Generated<string>;
    title: string | null;
    link: string | null;
  };
  providerReport: {
    providerReportId: GeneratedAlways<number>;
    eventId: string;
    kind: 'refunded' | 'disputed' | 'dispute-won' | 'dispute-lost' | 'wrong-currency' | 'unknown-checkout' | 'ended-checkout';
    payment: string;
    paymentId: number | null;
    currency: string;
    amount: string;
    reportedAt: string;
    resolvedBy: string | null;
    resolvedAt: string | null;
    note: Generated<string>;
  };
  publishedFile: {
    name: string;
    day: string;
    mediaType: string;
    content: Buffer;
    bytes: number;
    signature: string;
    madeAt: string;
  };
  qualityCampaign: {
    campaignId: GeneratedAlways<number>;
    finding: string;
    subject: string;
    body: string;
    economy: string | null;
    accountStatus: string | null;
    people: number;
    startedBy: string;
    startedAt: string;
    finishedAt: string | null;
    stoppedAt: string | null;
    cured: number | null;
    curedAt: string | null;
    sent: number | null;
    curedBefore: number | null;
    failed: number | null;
  };
  qualityDay: {
    finding: string;
    day: string;
    rows: number;
    accounts: number;
  };
  qualityRecipient: {
    campaignId: number;
    contactId: string;
    accountName: string;
    address: string;
    doneAt: string | null;
    outcome: 'sent' | 'cured' | 'failed' | null;
  };
  qualityRow: {
    finding: 'whois-ledger' | 'stale-records' | 'lame-servers';
    accountName: string | null;
    subject: string;
    detail: string;
    since: string | null;
  };
  rdnsCheck: {
    checkId: string;
    zone: string;
    undelegated: boolean;
    servers: Generated<string[]>;
    ds: Generated<string[]>;
    loginId: string | null;
    askedAt: string;
    doneAt: string | null;
    grade: 'ok' | 'notice' | 'warning' | 'error' | 'failed' | null;
    report: ColumnType<JsonValue | null, string | null | undefined, string | null>;
  };
  rdnsFragment: {
    source: string;
    parent: string;
    text: string;
    importedAt: string;
  };
  rdnsLameServer: {
    zone: string;
    server: string;
    since: string;
    failedAt: string;
    notifiedAt: string | null;
    disabledAt: string | null;
    remindedAt: string | null;
    answeredAt: string | null;
  };
  rdnsLeftOut: {
    zone: string;
    parent: string;
    source: string | null;
    version: number;
    reasons: string[];
    whole: boolean;
    since: string;
    notifiedAt: string | null;
  };
  rdnsParent: {
    parent: string;
    serial: number;
    sha256: string;
    delegations: number;
    publishedAt: string;
  };
  rdnsPublished: {
    zone: string;
    parent: string;
    version: number;
    serial: number;
    publishedAt: string;
  };
  rdnsWaiting: {
    waitingId: GeneratedAlways<number>;
    accountName: string;
    contactId: string;
    zones: string[];
    servers: string[];
    request: Json;
    wanted: Json;
    state: Generated<'waiting' | 'delegated' | 'refused' | 'ended' | 'cancelled'>;
    askedAt: string;
    until: string;
    triedAt: string | null;
    checkedAt: string | null;
    problem: string | null;
    checkId: string | null;
    decidedAt: string | null;
  };
  rdnsZone: {
    zone: string;
    state: 'ok' | 'warning' | 'lame';
    dnssec: 'none' | 'signed' | 'ends-soon' | 'broken';
    problem: string | null;
    checkId: string | null;
    checkedAt: string;
    signaturesEnd: string | null;
    cdsSince: string | null;
  };
  reactivation: {
    reactivationId: GeneratedAlways<number>;
    accountName: string;
    begunOn: string;
    payBy: string;
    reason: string;
    feeWaived: boolean;
    begunBy: string;
    completedAt: string | null;
    endedAt: string | null;
    endReason: string | null;
    byMember: boolean;
    endedBy: string | null;
  };
  referral: {
    referralId: GeneratedAlways<number>;
    accountName: string;
    referredBy: string;
    linkId: string | null;
    state: Generated<'sent' | 'opened' | 'declined' | 'expired' | 'withdrawn'>;
    orgName: string;
    economy: string;
    contactName: string;
    contactEmail: string;
    phone: Generated<string>;
    resources: Generated<string[]>;
    note: Generated<string>;
    technicalContact: boolean;
    sentAt: string;
    expiresAt: string;
    remindedAt: string | null;
    since: string;
    membershipApplicationId: number | null;
  };
  refund: {
    refundId: GeneratedAlways<number>;
    accountName: string;
    currency: string;
    amount: string;
    refundedOn: string;
    reference: string;
    reason: string;
    recordedBy: string;
    recordedAt: string;
    limitedActId: number;
  };
  registryFigures: {
    day: string;
    figures: Json;
    madeAt: string;
  };
  registryIdentity: {
    isOnly: Generated<boolean>;
    identity: Generated<string>;
  };
  registryRequest: {
    registryRequestId: GeneratedAlways<number>;
    accountName: string;
    kind: 'add' | 'change-role' | 'remove';
    status: Generated<'pending' | 'approved' | 'rejected' | 'withdrawn'>;
    contactId: string;
    contactTypes: string[];
    permissions: Generated<string[]>;
    reason: Generated<string>;
    requestedBy: string;
    requestedAt: string;
    resolvedBy: string | null;
    resolvedAt: string | null;
    note: string | null;
  };
  renewalAgain: {
    renewalAgainId: GeneratedAlways<number>;
    accountName: string;
    termEnd: string;
    reason: string;
    requestedBy: string;
    requestedOn: string;
    invoiceId: number | null;
  };
  renewalQuote: {
    renewalQuoteId: GeneratedAlways<number>;
    number: string;
    year: number;
    sequence: number;
    accountName: string;
    termEnd: string;
    issuedOn: string;
    content: Json;
    requestedBy: string;
  };
  replacedArchive: {
    electionId: number;
    hash: string;
    uuid: string;
    rollObjectionId: number;
    replacedAt: string;
  };
  replyTemplate: {
    replyTemplateId: GeneratedAlways<number>;
    title: string;
    text: string;
    kinds: string[];
    version: Generated<number>;
    loginId: string;
    savedAt: string;
  };
  reservedAccountName: {
    accountName: string;
    membershipApplicationId: number;
  };
  resourceLock: {
    resourceLockId: GeneratedAlways<number>;
    accountName: string;
    delegationId: number;
    lockedAt: string;
    lockedBy: string;
    requestedAt: string | null;
    requestedBy: string | null;
    confirmedBy: string | null;
    byStaff: Generated<boolean>;
    releasesAt: string | null;
    releasedAt: string | null;
  };
  resourceRequest: {
    resourceRequestId: GeneratedAlways<number>;
    accountName: string;
    kind: 'ipv4' | 'ipv6' | 'asn' | 'pre-approval' | 'return' | 'transfer' | 'acquisition';
    state: Generated<
      | 'draft'
      | 'offered'
      | 'submitted'
      | 'in-review'
      | 'needs-info'
      | 'awaiting-fee'
      | 'on-hold'
      | 'completed'
      | 'rejected'
      | 'withdrawn'
      | 'declined'
      | 'expired'
    >;
    version: Generated<number>;
    form: Json;
    recipientName: string | null;
    otherRegistry: string | null;
    receiveForm: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    agreed: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    subaccountId: number | null;
    direct: Generated<boolean>;
    recoveryGround: 'unpaid' | 'breach' | 'fraud' | 'unreachable' | 'mistake' | null;
    noticeUntil: string | null;
    requestedBy: string;
    startedAt: string;
    submittedAt: string | null;
    since: string;
    expiresAt: string | null;
    reminders: Generated<number>;
    reviewer: string | null;
    decidedBy: string | null;
    byRobot: Generated<boolean>;
    resolvedAt: string | null;
    note: string | null;
    outcome: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    fee: string | null;
    feePaidOn: string | null;
    feeReference: string | null;
  };
  resourceRequestEvent: {
    resourceRequestEventId: GeneratedAlways<number>;
    resourceRequestId: number;
    kind:
      | 'submitted'
      | 'offered'
      | 'acknowledged'
      | 'in-review'
      | 'question'
      | 'answer'
      | 'message'
      | 'note'
      | 'reserved'
      | 'approved'
      | 'awaiting-fee'
      | 'fee-paid'
      | 'completed'
      | 'rejected'
      | 'withdrawn'
      | 'declined'
      | 'expired'
      | 'reminded'
      | 'on-hold';
    at: string;
    loginId: string | null;
    byStaff: boolean;
    internal: Generated<boolean>;
    accountName: string | null;
    words: Generated<string>;
  };
  resourceRequestQuestion: {
    resourceRequestQuestionId: GeneratedAlways<number>;
    resourceRequestId: number;
    accountName: string;
    words: string;
    askedBy: string | null;
    askedAt: string;
    answerBy: string;
    reminders: Generated<number>;
    closedAt: string | null;
  };
  riskMark: {
    riskMarkId: GeneratedAlways<number>;
    accountName: string;
    title: string;
    reason: string;
    endsOn: string;
    setBy: string;
    setAt: string;
    removedBy: string | null;
    removedAt: string | null;
    removalReason: string | null;
  };
  roa: {
    roaId: GeneratedAlways<number>;
    accountName: string;
    prefix: string;
    maxLength: number;
    asn: number;
    comment: Generated<string>;
    createdAt: string;
  };
  rollObjection: {
    rollObjectionId: GeneratedAlways<number>;
    electionId: number;
    accountName: string;
    about: 'votes' | 'missing' | 'code';
    reason: string;
    state: Generated<'open' | 'upheld' | 'rejected' | 'withdrawn'>;
    madeBy: string;
    madeAt: string;
    votesThen: number | null;
    decidedBy: string | null;
    decidedAt: string | null;
    votesGiven: number | null;
    answer: Generated<string>;
    remindedAt: string | null;
  };
  route: {
    routeId: GeneratedAlways<number>;
    accountName: string;
    prefix: string;
    asn: number;
    maxLength: number;
    roa: boolean;
    whois: boolean;
    subRoutes: Generated<string[]>;
    descr: Generated<string>;
    maintainer: Generated<string>;
    attributes: Generated<string>;
    comment: Generated<string>;
    owner: Generated<string>;
    createdAt: string;
    changedAt: string;
  };
  routeAlert: {
    accountName: string;
    prefix: string;
    asn: number;
    validity: 'invalid-asn' | 'invalid-length' | 'not-found';
    foundAt: string;
    seenAt: string;
    toldAt: string | null;
  };
  routeChange: {
    routeChangeId: GeneratedAlways<number>;
    accountName: string;
    activityId: number;
    contactId: string | null;
    madeBy: string;
    madeAt: string;
    kind: 'save' | 'import' | 'adopt' | 'undo';
    version: number;
    items: Json;
    undoes: number | null;
    summary: string;
    waiting: number;
  };
  routeList: {
    accountName: string;
    version: Generated<number>;
  };
  routeMute: {
    accountName: string;
    prefix: string;
    asn: number;
    reason: Generated<string>;
    mutedBy: string;
    mutedAt: string;
  };
  rowChange: {
    rowChangeId: GeneratedAlways<number>;
    activityId: number;
    tableName: string;
    operation: 'INSERT' | 'UPDATE' | 'DELETE';
    before: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    after: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    digestAsSealed: Buffer | null;
  };
  rowDigest: {
    rowDigestId: GeneratedAlways<number>;
    activityId: number;
    tableName: string;
    key: Json;
    columns: number;
    digest: Buffer | null;
  };
  rpkiCa: {
    caId: GeneratedAlways<number>;
    kind: 'trust-anchor' | 'registry' | 'member' | 'identity' | 'as0';
    accountName: string | null;
    handle: string;
    state: Generated<'active' | 'revoked'>;
    version: Generated<number>;
    enabledAt: string;
    revokedAt: string | null;
    rolloverRequestedAt: string | null;
    activationRequestedAt: string | null;
    responseAwaitedSince: string | null;
  };
  rpkiCertificate: {
    keyId: number;
    serial: string;
    notAfter: string;
    revokedAt: string | null;
  };
  rpkiChangedFile: {
    changedFileId: GeneratedAlways<number>;
    childId: number;
    uri: string;
  };
  rpkiChecklist: {
    checklistId: GeneratedAlways<number>;
    accountName: string;
    resources: string[];
    fileNames: string[];
    fileHashes: string[];
    comment: Generated<string>;
    createdAt: string;
    endsAt: string;
    revokedAt: string | null;
    keyId: number | null;
    serial: string | null;
    content: Buffer | null;
  };
  rpkiChild: {
    childId: GeneratedAlways<number>;
    accountName: string;
    handle: string;
    state: Generated<'active' | 'removed'>;
    childHandle: string;
    childTag: string | null;
    identity: Buffer;
    publisherHandle: string | null;
    publisherTag: string | null;
    publisherIdentity: Buffer | null;
    createdAt: string;
    removedAt: string | null;
  };
  rpkiChildContact: {
    childId: number;
    protocol: 'provisioning' | 'publication';
    lastSignedAt: string;
    lastDigest: string;
    lastAt: string;
  };
  rpkiChildJudgement: {
    childId: number;
    judgedAt: string | null;
    changes: Generated<number>;
    judgedChanges: Generated<number>;
    problems: string[];
    hints: Generated<string[]>;
    endsAt: string | null;
    againAt: string | null;
    warnedOf: string | null;
  };
  rpkiChildKey: {
    childKeyId: GeneratedAlways<number>;
    childId: number;
    publicKey: Buffer;
    keyIdentifier: string;
    repositoryUri: string;
    manifestUri: string;
    notificationUri: string | null;
    requestedAsn: string | null;
    requestedIpv4: string | null;
    requestedIpv6: string | null;
    certificate: Buffer | null;
    certificateSerial: string | null;
    notBefore: string | null;
    notAfter: string | null;
    resources: Generated<string[]>;
    shrinksAt: string | null;
    createdAt: string;
  };
  rpkiChildVrp: {
    childId: number;
    prefix: string;
    asn: number;
    maxLength: number;
  };
  rpkiDue: {
    dueId: GeneratedAlways<number>;
    accountName: string;
    noticedAt: Generated<string>;
  };
  rpkiKey: {
    keyId: GeneratedAlways<number>;
    caId: number;
    state: 'new' | 'current' | 'old' | 'destroyed';
    publicKey: Buffer;
    keyIdentifier: string;
    sealedPrivate: Buffer | null;
    certificate: Buffer | null;
    certificateSerial: string | null;
    notBefore: string | null;
    notAfter: string | null;
    resources: Generated<string[]>;
    createdAt: string;
    stateSince: string;
  };
  rpkiLeftOut: {
    accountName: string;
    begunAt: string;
    overAt: string | null;
  };
  rpkiManifest: {
    keyId: number;
    number: number;
    thisUpdate: string;
    nextUpdate: string;
  };
  rpkiMessage: {
    messageId: GeneratedAlways<number>;
    childId: number;
    protocol: 'provisioning' | 'publication';
    content: string;
    receivedAt: string;
    answer: Buffer | null;
  };
  rpkiObject: {
    uri: string;
    keyId: number | null;
    childId: number | null;
    kind: string;
    content: Buffer;
    sha256: Buffer;
    modifiedAt: string;
    serial: string | null;
    notAfter: string | null;
    subject: string;
    roaIds: Generated<number[]>;
    publishedIn: number;
    notBefore: string | null;
  };
  rpkiOneTimeKey: {
    oneTimeKeyId: GeneratedAlways<number>;
    publicKey: Buffer;
    sealedPrivate: Buffer;
    madeAt: string;
  };
  rpkiSuspension: {
    accountName: string;
    noticedAt: string;
    withdrawsOn: string | null;
    withdrawsAt: string | null;
    withdrawnAt: string | null;
  };
  rrdpDelta: {
    sessionId: string;
    serial: number;
    name: string;
    content: Buffer;
    sha256: Buffer;
    publishedAt: string;
  };
  rrdpSession: {
    sessionId: string;
    begunAt: string;
    reason: string;
    endedAt: string | null;
    serial: number;
    publishedAt: string;
    modifiedAt: string;
    snapshotName: string;
  };
  savedQueue: {
    savedQueueId: GeneratedAlways<number>;
    loginId: string;
    name: string;
    filter: string;
    savedAt: string;
  };
  serviceDay: {
    day: string;
    service: string;
    workingMinutes: Generated<number>;
    lateMinutes: Generated<number>;
    downMinutes: Generated<number>;
  };
  session: {
    sid: string;
    loginId: string | null;
    grantId: string | null;
    amr: Generated<string[]>;
    address: string | null;
    startedAt: string;
    until: string;
    endedAt: string | null;
    endedWhy: string | null;
    userAgent: string | null;
  };
  sessionUse: {
    sid: string;
    usedAt: string;
    address: string | null;
  };
  signInFailure: {
    key: Buffer;
    failures: number;
    lastAt: string;
    blockedUntil: string | null;
  };
  signingKey: {
    kid: string;
    alg: 'RS256' | 'ES256';
    publicJwk: Json;
    sealedPrivate: Buffer;
    createdAt: string;
    retiredAt: string | null;
  };
  staffAssignment: {
    staffAssignmentId: GeneratedAlways<number>;
    loginId: string;
    readyMade: string | null;
    staffRoleId: number | null;
    givenBy: string | null;
    givenAt: string;
    reason: string;
    startsAt: string;
    until: string | null;
    withdrawnBy: string | null;
    withdrawnAt: string | null;
    withdrawnReason: string | null;
    reviewedAt: string | null;
    reviewedBy: string | null;
    fromGroup: string | null;
  };
  staffGroup: {
    loginId: string;
    groupName: string;
    givenRole: string;
    since: string;
    refused: string | null;
  };
  staffRole: {
    staffRoleId: GeneratedAlways<number>;
    name: string;
    permissions: string[];
    endedAt: string | null;
  };
  staffVisit: {
    staffVisitId: GeneratedAlways<number>;
    loginId: string;
    accountName: string;
    startedAt: string;
    until: string;
    endedAt: string | null;
  };
  statisticsFile: {
    registry: string;
    format: 'delegated' | 'delegated-extended';
    version: string;
    serial: string;
    startDate: string;
    endDate: string;
    utcOffset: string;
    summaryKinds: string[];
    recordKinds: string[];
    recordOrder: string[] | null;
    importedAt: string;
  };
  storedFile: {
    sha256: string;
    bytes: number;
    kind: 'pdf' | 'png' | 'jpg' | 'docx' | 'xlsx' | 'txt' | 'pcap' | 'zip';
    storedAt: string;
    checked: 'not-checked' | 'being-checked' | 'clean' | 'infected';
    checkedAt: string | null;
    finding: string | null;
  };
  subaccount: {
    subaccountId: GeneratedAlways<number>;
    accountName: string;
    name: string;
    entityId: number;
    status: Generated<'open' | 'closed'>;
    contactName: Generated<string>;
    email: Generated<string>;
    remarks: Generated<string>;
    openedOn: string;
    closedOn: string | null;
    version: Generated<number>;
    updatedAt: string;
  };
  task: {
    taskId: GeneratedAlways<number>;
    name: string;
    summary: string;
    input: Json;
    activityId: number;
    accountName: string | null;
    state: Generated<'queued' | 'running' | 'completed' | 'cancelled' | 'expired'>;
    outcome: 'success' | 'partial' | 'failed' | null;
    itemsDone: Generated<number>;
    itemsTotal: number | null;
    error: string | null;
    attempts: Generated<number>;
    createdAt: Generated<string>;
    startedAt: string | null;
    finishedAt: string | null;
  };
  ticket: {
    ticketId: GeneratedAlways<number>;
    queue: 'helpdesk' | 'billing' | 'membership' | 'resources' | 'ecsubmission' | 'events';
    subject: string;
    state: Generated<'new' | 'open' | 'stalled' | 'resolved' | 'rejected'>;
    accountName: string | null;
    requestor: string | null;
    requestorName: string;
    requestorEmail: string;
    tieKind: 'prefix' | 'asn' | 'invoice' | 'request' | null;
    tieText: string | null;
    owner: string | null;
    createdAt: string;
    updatedAt: string;
    waitingSince: string;
    secondsUs: Generated<number>;
    secondsMember: Generated<number>;
    firstAnswerAt: string | null;
    resolvedAt: string | null;
    remindedAt: string | null;
    isTalk: Generated<boolean>;
    talkMailedAt: string | null;
    asks: string | null;
    fromRegistry: Generated<boolean>;
  };
  ticketCc: {
    ticketId: number;
    email: string;
    fullName: string;
    loginId: string | null;
  };
  ticketLink: {
    ticketId: number;
    kind: 'prefix' | 'asn' | 'invoice' | 'request';
    content: string;
    isManual: Generated<boolean>;
    at: string;
  };
  ticketMessage: {
    ticketMessageId: GeneratedAlways<number>;
    ticketId: number;
    kind: 'message' | 'comment' | 'event';
    by: 'member' | 'staff' | 'system';
    loginId: string | null;
    author: string;
    byMail: Generated<boolean>;
    content: string;
    mailId: string | null;
    at: string;
    passingSince: string | null;
    passedOnAt: string | null;
    senderUnverified: Generated<boolean>;
  };
  ticketMove: {
    ticketMoveId: GeneratedAlways<number>;
    ticketId: number;
    state: 'new' | 'open' | 'stalled' | 'resolved' | 'rejected';
    at: string;
  };
  ticketRead: {
    ticketId: number;
    loginId: string;
    readAt: string;
  };
  ticketTracking: {
    ticketId: number;
    trackerId: number;
    lastTransaction: Generated<number>;
    state: 'new' | 'open' | 'stalled' | 'resolved' | 'rejected';
  };
  totpStep: {
    totpId: string;
    lastStep: number;
    usedAt: string;
  };
  transferFee: {
    transferFeeId: GeneratedAlways<number>;
    kind: Generated<'transfer' | 'reactivation'>;
    accountName: string;
    reference: string;
    description: string;
    amount: string;
    days: number;
    chargedAt: string;
    invoiceId: number | null;
    cancelledAt: string | null;
  };
  twoPersonRule: {
    accountName: string;
    since: string;
  };
  votingRight: {
    electionId: number;
    rightHash: string;
  };
  watcher: {
    watcherId: GeneratedAlways<number>;
    place: string;
    tokenHash: Buffer;
    tokenPrefix: string;
    loginId: string;
    createdAt: string;
    revokedAt: string | null;
  };
  watcherReport: {
    watcherId: number;
    report: Json;
    receivedAt: string;
    sentFrom: string;
  };
  webhook: {
    webhookId: GeneratedAlways<number>;
    accountName: string;
    label: string;
    url: string;
    categories: Generated<string[]>;
    refusals: Generated<boolean>;
    loginId: string;
    createdAt: string;
    pausedAt: string | null;
    disabledAt: string | null;
    disabledWhy: string | null;
    removedAt: string | null;
  };
  webhookAttempt: {
    deliveryId: number;
    attempt: number;
    at: string;
    milliseconds: number;
    status: number | null;
    problem: string | null;
    answer: Generated<string>;
  };
  webhookDelivery: {
    deliveryId: GeneratedAlways<number>;
    webhookId: number;
    eventId: string;
    type: string;
    content: string;
    createdAt: string;
    attempts: Generated<number>;
    dueAt: string | null;
    leasedUntil: string | null;
    deliveredAt: string | null;
  };
  webhookEvent: {
    activityId: number;
    accountName: string;
  };
  webhookSecret: {
    webhookId: number;
    madeAt: string;
    sealedSecret: Buffer;
    endsAt: string | null;
  };
  webhookUse: {
    webhookId: number;
    failingSince: string | null;
    lastAt: string;
    lastStatus: number | null;
    lastProblem: string | null;
  };
  whoisConsent: {
    consentId: GeneratedAlways<number>;
    accountName: string;
    contactId: string;
    text: string;
    objects: string[];
    maintainers: string[];
    why: string;
    state: Generated<'waiting' | 'accepted' | 'failed' | 'refused' | 'withdrawn' | 'expired'>;
    reason: Generated<string>;
    askedAt: string;
    dueAt: string;
    reminders: Generated<number>;
    decidedAt: string | null;
    decidedBy: string | null;
  };
  whoisDueAccount: {
    accountName: string;
    noticedAt: Generated<string>;
  };
  whoisFollow: {
    followId: GeneratedAlways<number>;
    contactId: string;
    accountName: string;
    class: string | null;
    key: string;
    shown: string;
    first: string | null;
    last: string | null;
    firstAs: number | null;
    lastAs: number | null;
    sinceSerial: number;
    followedAt: string;
  };
  whoisFollowProgress: {
    onlyRow: Generated<boolean>;
    serial: number;
  };
  whoisJournal: {
    serial: number;
    operation: 'ADD' | 'DEL';
    class: string;
    key: string;
    shown: string;
    version: number;
    text: string;
    activityId: number;
    reason: Generated<string>;
    happenedAt: string;
    digest: Buffer | null;
  };
  whoisKey: {
    objectId: number;
    key: string;
  };
  whoisObject: {
    objectId: GeneratedAlways<number>;
    class: string;
    key: string;
    shown: string;
    text: string;
    version: number;
    first: string | null;
    last: string | null;
    prefixLength: number | null;
    firstAs: number | null;
    lastAs: number | null;
    origin: number | null;
    registryMaintained: Generated<boolean>;
    keptFor: string | null;
    kept: Generated<boolean>;
    handleShared: Generated<boolean>;
    createdAt: string;
    changedAt: string;
  };
  whoisPresence: {
    accountName: string;
    class: string;
    key: string;
    contactId: string;
    seenAt: string;
  };
  whoisReference: {
    objectId: number;
    attribute: string;
    value: string;
    ofIrt: Generated<boolean>;
  };
  whoisTaskItem: {
    taskId: number;
    itemNo: number;
    operation: 'create' | 'modify' | 'delete' | 'auto';
    class: string;
    key: string;
    shown: string;
    text: string;
    reason: Generated<string>;
    expectedVersion: number | null;
    state: Generated<'pending' | 'ok' | 'unchanged' | 'failed' | 'skipped'>;
    done: 'create' | 'modify' | 'delete' | null;
    beforeVersion: number | null;
    afterVersion: number | null;
    problems: ColumnType<JsonValue, string | undefined, string>;
  };
  workUnit: {
    queue: string;
    unit: string;
    title: string;
    accountName: string | null;
    begunAt: string | null;
    process: string | null;
    progressedAt: string | null;
    endedProcesses: Generated<number>;
    setAsideAt: string | null;
    sign: string | null;
  };
}
