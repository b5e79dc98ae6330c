import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const electionsTexts = mailTexts('elections', {
  youNominated: {
    topic: 'elections.votes',
    subject: 'You are nominated in {title}',
    body: [
      '{nominator}{outcome} nominated you in “{title}”.',
      'Reason given: {reason}',
      'You stand only if you agree. Sign in with the login of {email}, or create one, then agree or decline.',
    ],
    says: { outcome: ' (EXAMPLE-AU)' },
  },
  authoriseNomination: {
    topic: 'elections.votes',
    subject: 'Authorise a nomination in {title}',
    body: ['{actor} nominated {fullName} for {accountName} in “{title}”. It counts once a corporate contact authorises it.'],
  },
  candidateStands: {
    topic: 'elections.votes',
    subject: '{fullName} stands in {title}',
    body: ['The registry checked the nomination of {fullName} in “{title}”: {fullName} is a candidate.'],
  },
  candidateCantStand: {
    topic: 'elections.votes',
    subject: '{fullName} can’t stand in {title}',
    body: ['The registry checked the nomination of {fullName} in “{title}” and found that {fullName} can’t stand. Reason: {reason}'],
  },
  voteAgain: {
    topic: 'elections.votes',
    subject: 'Vote again in {title}',
    body: ['The vote in “{title}” is repeated. The votes that {accountName} cast don’t count any more. Reason: {reason}'],
  },
  attendeeVotesAgain: {
    topic: 'elections.votes',
    subject: 'Vote again in {title}',
    body: ['The vote in “{title}” is repeated. The vote that you cast as an attendee doesn’t count any more. Reason: {reason}'],
  },
  proxyAppointed: {
    topic: 'elections.votes',
    subject: '{fullName} is the proxy of {accountName} in {title}',
    body: [
      '{actor} appointed {fullName} ({email}) as the proxy of {accountName} in “{title}”. {accountName} can’t vote directly in this election any more.',
      'If this is wrong, revoke the proxy while proxies can be appointed. After that, write to the registry.',
    ],
  },
  youAreProxy: {
    topic: 'elections.votes',
    subject: 'You are the proxy of {orgName} in {title}',
    body: [
      '{actor} appointed you as the proxy of {orgName} ({accountName}) in “{title}”. You cast its {howMany}.',
      '{howProxiesVote}',
      'If you don’t want to be the proxy, tell {actor} ({actorEmail}).',
    ],
    says: { howMany: 'vote' },
  },
  noLongerProxy: {
    topic: 'elections.votes',
    subject: '{fullName} is no longer the proxy of {accountName}',
    body: [
      '{actor} withdrew {fullName} as the proxy of {accountName} in “{title}”. {accountName} can vote directly again while voting is open.',
      '{details}',
    ],
    says: { details: 'Reason: The documents name another organisation.' },
  },
  youNoLongerProxy: {
    topic: 'elections.votes',
    subject: 'You are no longer the proxy of {accountName}',
    body: [
      '{actor} withdrew your appointment as the proxy of {accountName} in “{title}”. Links and codes that you got for it don’t work any more.',
      '{details}',
    ],
    says: { details: 'Reason: The documents name another organisation.' },
  },
  voted: {
    topic: 'elections.votes',
    subject: '{accountName} voted in {title}',
    body: ['{voter} cast the votes of {accountName} ({votes}) in “{title}”. They can’t be changed or withdrawn.'],
  },
  youVoted: {
    topic: 'elections.votes',
    subject: 'You voted in {title}',
    body: ['You cast your vote as an attendee in “{title}”. It can’t be changed or withdrawn.'],
  },
  voteProxy: {
    topic: 'elections.votes',
    subject: 'Vote as the proxy of {accountName} in {title}',
    body: [
      'Voting of proxies is open in “{title}” until {until} UTC. You cast the votes of {accountName} ({votes}). Sign in with a login of this e-mail address and a second factor{code}. The vote is final.',
    ],
  },
});
