import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const reverseDnsTexts = mailTexts('reverse-dns', {
  dsNotChanged: {
    topic: 'reverseDns.zones',
    subject: '{zone}: DS not changed',
    body: [
      '{zone} asks with its CDS records for DS records that can’t be stored: {why}.',
      'Its DS records stay as they are. Publish other CDS records, or change the DS records of the zone yourself.',
    ],
    samples: { why: 'its algorithm is unknown' },
  },
  dsFollowed: {
    topic: 'reverseDns.zones',
    subject: '{howMany}',
    body: ['{asksWithIts}', 'If your signer didn’t ask for this, change the DS records of the zone back.'],
    says: {
      howMany: '2.0.192.in-addr.arpa: DS removed',
      asksWithIts:
        '2.0.192.in-addr.arpa asks with its CDS records to have no DS. Its DS records are removed, and resolvers no longer validate it.',
    },
  },
  zoneAgain: {
    topic: 'reverseDns.zones',
    subject: '{zone}: {servers} in the zone again',
    body: ['{answersForAgain}'],
    says: { answersForAgain: 'ns1.example.net answers for 2.0.192.in-addr.arpa again, and is back in the registry’s zone.' },
  },
  stillDoesntAnswer: {
    topic: 'reverseDns.zones',
    subject: '{zone}: {servers} still doesn’t answer',
    body: [
      '{servers2} is left out of the registry’s zone, because it doesn’t answer for {zone}.',
      'Correct the server or the delegation. It’s back in the zone after the next check that finds it answering.',
    ],
  },
  stillDontAnswer: {
    topic: 'reverseDns.zones',
    subject: '{zone}: {servers} still don’t answer',
    body: [
      '{servers2} are left out of the registry’s zone, because they don’t answer for {zone}.',
      'Correct the servers or the delegation. Each is back in the zone after the next check that finds it answering.',
    ],
  },
  leftOutZone: {
    topic: 'reverseDns.zones',
    subject: '{zone}: {servers} left out of the zone',
    body: ['{hasntAnsweredFor}', '{howMany} back in the zone after a check that finds it answering. You can start one at any time.'],
    says: {
      hasntAnsweredFor:
        'ns1.example.net hasn’t answered for 2.0.192.in-addr.arpa for 7 days, and is now left out of the registry’s zone. The domain object is unchanged.',
      howMany: 'It’s',
    },
  },
  serversNotAnswering: {
    topic: 'reverseDns.zones',
    subject: '{zone}: {servers} {howMany} answer',
    body: [
      '{servers2} {howMany2} answered for {zone} for {lameDetectDays} days, so lookups of these addresses are slow or fail.',
      '{correctTheServer}',
    ],
    says: {
      howMany: 'doesn’t',
      howMany2: 'hasn’t',
      correctTheServer:
        'Correct the server or the delegation by 22 December 2026. After that the server is left out of the registry’s zone until it answers.',
    },
  },
  dnssecBroken: {
    topic: 'reverseDns.zones',
    subject: '{zone}: DNSSEC is broken',
    body: [
      'The DS records of {zone} don’t lead to its signatures: {problem}. Resolvers that validate refuse the zone.',
      'Sign the zone with a key that a DS record matches, or change or remove the DS records.',
    ],
  },
  dnssecAboutBreak: {
    topic: 'reverseDns.zones',
    subject: '{zone}: DNSSEC is about to break',
    body: [
      'The signatures of {zone} end on {endsOn}. Resolvers that validate refuse the zone after that.',
      'Sign the zone again, or check why your signer stopped.',
    ],
  },
  notPublished: {
    topic: 'reverseDns.zones',
    subject: '{zone} is not published',
    body: [
      'The registry’s zone leaves out the delegation of {zone}, because name servers wouldn’t load it or resolvers wouldn’t accept it:',
      '{details}',
      'Correct the domain object. It’s published within a minute after that.',
    ],
    says: { details: 'ns1.example.net: the name has an underscore.' },
  },
  onlyPartlyPublished: {
    topic: 'reverseDns.zones',
    subject: '{zone} is only partly published',
    body: [
      'The registry’s zone leaves out a part of the delegation of {zone}, because name servers wouldn’t load it or resolvers wouldn’t accept it:',
      '{details}',
      'Correct the domain object. It’s published within a minute after that.',
    ],
    says: { details: 'ns1.example.net: the name has an underscore.' },
  },
  delegationEnded: {
    topic: 'reverseDns.zones',
    subject: '{zoneNames}: not delegated',
    body: [
      'The name servers weren’t ready within {waitDays} days, so nothing was delegated.',
      'Check the zone for what is missing, then delegate it again.',
      '{zoneList}',
    ],
  },
  delegated: {
    topic: 'reverseDns.zones',
    subject: '{zoneNames}: delegated',
    body: ['The name servers are ready. {howMany} delegated to {servers}.', '{details}', '{zoneList}'],
    says: { howMany: 'The zone is', details: 'The name servers answer for it.' },
  },
  delegationRefused: {
    topic: 'reverseDns.zones',
    subject: '{zoneNames}: not delegated',
    body: ['The name servers are ready, but nothing was delegated.', '{problem}.', '{zoneList}'],
  },
});
