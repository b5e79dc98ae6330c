import type { Effect } from './effects.ts';

/** The end of "It changes …" for each effect. Not in the file of the effects, which every page loads. */
export const effectWords: Record<Effect, string> = {
  whois: 'objects of the whois database',
  routing: 'routes, ROAs, ASPAs and certificates',
  zones: 'reverse delegations',
  holding: 'who holds numbers, or keeps an account',
  control: 'who acts for an account, and whose it is',
  money: 'invoices, payments and who pays',
  votes: 'votes, voters and proxies',
  keys: 'what opens something: API keys, maintainers, webhooks',
  access: 'how people get in, and who is warned',
  approvals: 'whatever was proposed, by carrying it out',
  statements: 'what the registry or an account says in its name: announcements, listings, documents, answers to cases',
  records: 'what only the account and the registry read',
  asking: 'a request, which waits until another person has decided',
  joining: 'whether a person takes what was offered, or gives up what they have',
  'own details': 'what people say of themselves',
  'own settings': 'how screens look to one person, what was read, and where that person takes part',
  drafts: 'drafts, quotes and other preparation, which binds no one',
  conversation: 'messages between people and the registry',
  reading: 'no record: it checks, rehearses, or hands out what the caller may read',
  protection:
    'a request or an offer that it takes back, something that it stops, or a protection that it keeps: it must be possible immediately',
};
