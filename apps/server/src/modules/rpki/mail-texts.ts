import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const rpkiTexts = mailTexts('rpki', {
  roasDeleted: {
    topic: 'account.security',
    subject: '{removed} ROAs of {accountName} deleted',
    body: ['{author} changed {outcome} of {accountName}.', '{details}', '{announcementsThatRelied}', '{details2}'],
    says: {
      outcome: 'ROAs',
      details: 'Removed: ROA AS64500 192.0.2.0/24.',
      announcementsThatRelied:
        'Announcements that relied on the removed ROAs change from valid to not found, or to invalid where another ROA covers them.',
      details2: 'You can undo it on the page of routes.',
    },
  },
  entriesChanged: {
    topic: 'rpki.changes',
    subject: '{what} of {accountName} changed: {counts}',
    body: ['{author} changed {outcome} of {accountName}.', '{details}', '{announcementsThatRelied}', '{details2}'],
    says: {
      outcome: 'ROAs',
      details: 'Added: ROA AS64500 192.0.2.0/24.',
      announcementsThatRelied:
        'Announcements that relied on the removed ROAs change from valid to not found, or to invalid where another ROA covers them.',
      details2: 'You can undo it on the page of routes.',
    },
    samples: { what: 'ROAs' },
  },
  rpkiTurnedOff: {
    topic: 'account.security',
    subject: 'RPKI of {accountName} was turned off',
    body: [
      '{author} revoked the resource certificate of {accountName}.',
      'Its keys are destroyed with the next publication.',
      '{noRoaWas}',
      'Announcements that relied on them change from valid to not found, or to invalid where another ROA covers them.',
    ],
    says: { noRoaWas: 'No ROA was published.' },
  },
  rpkiTurnedOn: {
    topic: 'rpki.changes',
    subject: 'RPKI of {accountName} was turned on',
    body: [
      '{author} turned on hosted RPKI for {accountName}.',
      'The registry certifies {certified}{howMany}.',
      'No route changes until a ROA is added. To undo this, revoke the certificate on the RPKI page.',
      'If you didn’t expect this, check it now.',
    ],
    says: { howMany: ' and 3 more' },
  },
  keyRolloverCompletedNewKey: {
    topic: 'rpki.changes',
    subject: 'Key rollover of {accountName} completed: the new key signs',
    body: [
      '{author} activated the new RPKI key of {accountName}.',
      'Its ROAs are signed again with the new key. The old key is removed automatically after {rolloverHours} hours; this can’t be undone, but a new rollover can be started.',
      'Validators find the same ROAs throughout.',
      'If you didn’t expect this, check it now.',
    ],
  },
  keyRolloverStarted: {
    topic: 'rpki.changes',
    subject: 'Key rollover of {accountName} started',
    body: [
      '{author} started an RPKI key rollover of {accountName}.',
      'The current key signs until someone activates the new one, from {activateFrom} UTC on.',
      'Validators find the same ROAs throughout.',
      'If you didn’t expect this, check it now.',
    ],
  },
  certificateAuthorityConnected: {
    topic: 'account.security',
    subject: 'A certificate authority of {accountName} was connected',
    body: [
      '{author} connected the certificate authority {handle} to {accountName}.',
      'It can issue ROAs for everything {accountName} holds.',
      'The SHA-256 fingerprint of its identity certificate is {fingerprint}. Compare it with the one that your certificate authority shows.',
      'To undo this, disconnect it on the RPKI page.',
      'If you didn’t expect this, check it now.',
    ],
  },
  certificateAuthorityCanPublishHere: {
    topic: 'account.security',
    subject: 'A certificate authority of {accountName} can publish here',
    body: [
      '{author} let the certificate authority {handle} publish in the registry’s repository for {accountName}.',
      'The SHA-256 fingerprint of its identity certificate is {fingerprint}. Compare it with the one that your certificate authority shows.',
      'To undo this, disconnect it on the RPKI page.',
      'If you didn’t expect this, check it now.',
    ],
  },
  certificateAuthorityDisconnected: {
    topic: 'account.security',
    subject: 'The certificate authority of {accountName} was disconnected',
    body: [
      '{author} disconnected the certificate authority that {accountName} runs.',
      '{itsCertificateIs}',
      'If you didn’t expect this, check it now.',
    ],
    says: { itsCertificateIs: 'Its certificate is revoked. It published no ROA payloads here.' },
  },
  whatCertificateAuthorityPublishesEnds: {
    topic: 'account.security',
    subject: 'What the certificate authority of {accountName} publishes ends on {at}',
    body: [
      'Its manifest, its revocation list or a certificate ends then, and it has published nothing newer. Its program may have stopped.',
      'Unless it publishes before, validators drop what depends on that, up to {howMany}. Announcements that rely on it change from valid to not found, or to invalid where another ROA covers them.',
      'Look whether the program runs and reaches the registry.',
    ],
    says: { howMany: 'its ROA payload' },
  },
  rpkiFilesLeftOut: {
    topic: 'account.security',
    subject: 'RPKI files of {accountName} are left out',
    body: [
      'Validators don’t get {howMany} that {accountName} publishes, or refuse what is in {howMany2}. All other files count as before.',
      '{details}',
      '{theRpkiPage}',
      'Publish them again with what is wrong put right, or withdraw them. This mail comes once; the RPKI page shows what is still left out.',
    ],
    says: { howMany: 'a file', howMany2: 'it', details: 'roa-1.roa: expired.', theRpkiPage: 'The RPKI page lists the others.' },
  },
  providersGone: {
    topic: 'rpki.changes',
    subject: 'Providers of {customer} removed',
    body: ['{author} removed the providers of {customer} (ASPA) for {accountName}.', 'If you didn’t expect this, check it now.'],
  },
  providersRemoved: {
    topic: 'rpki.changes',
    subject: 'Providers of {customer} removed',
    body: [
      '{author} removed the providers of {customer} (ASPA) for {accountName}.',
      'Before: {before}.',
      'If you didn’t expect this, check it now.',
    ],
  },
  providersStated: {
    topic: 'rpki.changes',
    subject: 'Providers of {customer} stated',
    body: [
      '{author} stated the providers of {customer} (ASPA) for {accountName}.',
      'Now: {after}.',
      'If you didn’t expect this, check it now.',
    ],
  },
  providersChanged: {
    topic: 'rpki.changes',
    subject: 'Providers of {customer} changed',
    body: [
      '{author} changed the providers of {customer} (ASPA) for {accountName}.',
      'Before: {before}.',
      'Now: {after}.',
      'If you didn’t expect this, check it now.',
    ],
  },
  checklist: {
    topic: 'rpki.changes',
    subject: 'Checklist of {accountName} {act}',
    body: [
      '{author} {act} a checklist of {accountName}.',
      'Resources: {resources}.',
      'Files: {files}.',
      'If you didn’t expect this, check it now.',
    ],
  },
  roasNoLongerPublished: {
    topic: 'rpki.roas',
    subject: 'ROAs of {accountName} are no longer published',
    body: [
      'Their prefixes are not certified for {accountName} any more: {roas}{howMany}.',
      'Routes that relied on them change from valid to not found, or to invalid where another ROA covers them. The ROAs are kept, and are published again when the prefixes are certified again.',
    ],
    says: { howMany: ' and 3 more' },
  },
  rpkiWithdrawnUnlessAccountOpen: {
    topic: 'rpki.roas',
    subject: 'RPKI of {accountName} is withdrawn on {withdrawsOn} unless the account is open again before',
    body: [
      '{accountName} is suspended. Until {withdrawsOn} its certificate, its ROAs and its provider authorisations stay published, and can’t be changed. On that day they are withdrawn: validators no longer find them, and routes that relied on them become not found, or invalid where a ROA of someone else covers them.',
      'Where the account runs a certificate authority of its own, the certificate of that authority is withdrawn.',
      'If the account is open again before that day, nothing is withdrawn. If it is open again later, everything comes back with the next publication.',
    ],
  },
});
