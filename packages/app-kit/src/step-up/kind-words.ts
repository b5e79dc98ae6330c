import type { Effect } from '@portal/contract/effects';

/** Changes by their effect, as a confirmation holds for them: "good for whois changes". */
const words: Record<Effect, string> = {
  whois: 'whois changes',
  routing: 'changes of routes and RPKI',
  zones: 'reverse DNS changes',
  holding: 'decisions about resources and accounts',
  control: 'changes of contacts and account details',
  money: 'billing changes',
  votes: 'voting',
  keys: 'changes of keys and maintainers',
  access: 'changes of account security',
  approvals: 'approvals of proposed changes',
  statements: 'answers, announcements and documents',
  records: 'changes like this',
  asking: 'requests like this',
  joining: 'changes like this',
  'own details': 'changes of your details',
  'own settings': 'changes of your settings',
  drafts: 'drafts',
  conversation: 'messages',
  reading: 'reading',
  protection: 'changes like this',
};

/** Returns the kind of change that a confirmation holds for. */
export const kindWords = (effects: readonly Effect[]): string => effects.map(effect => words[effect]).join(', ') || 'changes like this';
