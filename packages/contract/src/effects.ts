/** The consequences of an effect. */
type Consequences = {
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
  whois: { ...strong, secondPerson: false, byKey: true },
  routing: { ...strong, secondPerson: true, byKey: true },
  zones: { ...strong, secondPerson: true, byKey: true },
  holding: { ...strong, secondPerson: true, byKey: true },
  control: { ...strong, secondPerson: true, byKey: false },
  money: { ...strong, secondPerson: false, byKey: false },
  votes: { ...strong, secondPerson: false, byKey: false },
  keys: { ...strong, secondPerson: false, byKey: false },
  access: { ...strong, secondPerson: true, byKey: false },
  statements: { ...strong, secondPerson: false, byKey: true },

  records: { ...mild, factor: 'as-permission', byKey: true },
  asking: { ...mild, factor: 'none', byKey: false },
  joining: { ...mild, factor: 'none', byKey: false },
  'own details': { ...mild, factor: 'none', byKey: false },

  'own settings': harmless,
  drafts: harmless,
  conversation: harmless,
  reading: harmless,
  protection: harmless,
} as const satisfies Record<string, Consequences>;
export type Effect = keyof typeof effects;
export const effectKeys = Object.keys(effects) as Effect[];

/** How an endpoint declares its effect: one, or several. */
export type DeclaredEffect = Effect | readonly [Effect, ...Effect[]];

/** The consequences of all effects of a call: the strictest decides each. */
export type CallConsequences = Consequences;

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
