/** The consequences of an effect. */
type Consequences = {
  /** The end of "It changes …". */
  changes: string;
  /**
   * The second factor it takes of a session: `fresh`, one given within the last minutes, no recovery code (S24); `as-permission`, whatever its permissions ask;
   * `none`, since every contact may do it to what is theirs.
   */
  factor: 'fresh' | 'as-permission' | 'none';
  /** Corporate contacts and the security address get an e-mail about it, with the link that freezes the login (S30). */
  notice: boolean;
  /** A second corporate contact approves it first where the account has that rule (S25). */
  secondPerson: boolean;
  /** It waits while the login cools down (S27). */
  waits: boolean;
  /** An API key can have a scope that does it. Otherwise only people do it. */
  byKey: boolean;
};

const strong = { factor: 'fresh', notice: true, waits: true } as const;
const mild = { notice: false, secondPerson: false, waits: true } as const;
const harmless = { factor: 'none', notice: false, secondPerson: false, waits: false, byKey: true } as const;

/**
 * Everything that a call can do, and what follows from it. Each changing endpoint names one or several; what the strictest of them asks is asked of the call.
 * The first nine are "changes of the registry" (docs/security-requirements.md, S24), the next four are seen by few and can be taken back, and the last five
 * change nothing that the world reads or an account holds.
 */
export const effects = {
  whois: { ...strong, changes: 'objects of the whois database', secondPerson: false, byKey: true },
  routing: { ...strong, changes: 'routes, ROAs, ASPAs and certificates', secondPerson: true, byKey: true },
  zones: { ...strong, changes: 'reverse delegations', secondPerson: true, byKey: true },
  holding: { ...strong, changes: 'who holds numbers, or keeps an account', secondPerson: true, byKey: true },
  control: { ...strong, changes: 'who acts for an account, and whose it is', secondPerson: true, byKey: false },
  money: { ...strong, changes: 'invoices, payments and who pays', secondPerson: false, byKey: false },
  votes: { ...strong, changes: 'votes, voters and proxies', secondPerson: false, byKey: false },
  keys: { ...strong, changes: 'what opens something: API keys, maintainers, webhooks', secondPerson: false, byKey: false },
  access: { ...strong, changes: 'how people get in, and who is warned', secondPerson: true, byKey: false },
  statements: {
    ...strong,
    changes: 'what the registry or an account says in its name: announcements, listings, documents, answers to cases',
    secondPerson: false,
    byKey: true,
  },

  records: { ...mild, changes: 'what only the account and the registry read', factor: 'as-permission', byKey: true },
  asking: { ...mild, changes: 'a request, which waits until another person has decided', factor: 'none', byKey: false },
  joining: { ...mild, changes: 'whether a person takes what was offered, or gives up what they have', factor: 'none', byKey: false },
  'own details': { ...mild, changes: 'what people say of themselves', factor: 'none', byKey: false },

  'own settings': { ...harmless, changes: 'how screens look to one person, what was read, and where that person takes part' },
  drafts: { ...harmless, changes: 'drafts, quotes and other preparation, which binds no one' },
  conversation: { ...harmless, changes: 'messages between people and the registry' },
  reading: { ...harmless, changes: 'no record: it checks, rehearses, or hands out what the caller may read' },
  protection: {
    ...harmless,
    changes:
      'a request or an offer that it takes back, something that it stops, or a protection that it keeps: it must be possible immediately',
  },
} as const satisfies Record<string, Consequences>;
export type Effect = keyof typeof effects;
export const effectKeys = Object.keys(effects) as Effect[];

/** How an endpoint declares its effect: one, or several. */
export type DeclaredEffect = Effect | readonly [Effect, ...Effect[]];

/** The consequences of all effects of a call: the strictest decides each. */
export type CallConsequences = Omit<Consequences, 'changes'>;

/** Returns the effects of an endpoint, or of a page, which has none. */
export const effectsOf = ({ effect }: { effect?: DeclaredEffect }): readonly Effect[] =>
  effect === undefined ? [] : typeof effect === 'string' ? [effect] : effect;

/** Returns what follows from the effects of a call. Server, browser, documents and tests all ask here. */
export function consequencesOf(subject: { effect?: DeclaredEffect }): CallConsequences {
  const rows: Consequences[] = effectsOf(subject).map(effect => effects[effect]);
  const factors = rows.map(({ factor }) => factor);
  return {
    factor: factors.includes('fresh') ? 'fresh' : factors.includes('as-permission') ? 'as-permission' : 'none',
    notice: rows.some(({ notice }) => notice),
    secondPerson: rows.some(({ secondPerson }) => secondPerson),
    waits: rows.some(({ waits }) => waits),
    byKey: rows.every(({ byKey }) => byKey),
  };
}
