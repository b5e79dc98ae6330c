import { isBookkeeping, ofAccount, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const whoisPersonal: PersonalTables = {
  askedObject: { absent: ofAccount, others: { abuseMailbox: ofAccount } },
  irtContact: { absent: 'Public objects of a member, who keeps them', others: { mailbox: 'Of an object in whois, whose member keeps it' } },
  maintainerLastUser: {
    others: { contactIds: 'Which contacts of the account may confirm it; each sees it on the page of the maintainer' },
  },
  whoisConsent: { acts: { contactId: 'contact', decidedBy: 'contact' } },
  whoisFollow: {
    own: { contactId: 'contact' },
    erased: 'deleted',
    gives: ['followId', 'accountName', 'class', 'key', 'shown', 'followedAt'],
    withholds: { sinceSerial: isBookkeeping, first: isBookkeeping, last: isBookkeeping, firstAs: isBookkeeping, lastAs: isBookkeeping },
  },
  whoisPresence: { others: { contactId: 'Who has an object open, for seconds' } },
  whoisObject: { absent: 'Public objects of a member, who keeps them' },
  whoisJournal: { absent: 'Public objects of a member, who keeps them' },
};
