/** The consequences of an effect. */
type Consequences = {
  /**
   * The second factor it requires: `fresh`, one given within the last minutes, not a recovery code (S24); `as-permission`, what its permissions
   * require; `none`, because every contact may do it to what is theirs.
   */
  factor: 'fresh' | 'as-permission' | 'none';
  /** Corporate contacts and the security address get an e-mail about it, with the link that freezes the login (S30). */
  notice: boolean;
  /** A second corporate contact has to approve it if the account has that rule (S25). */
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
 * Every effect that a call can have, and its consequences. Each changing endpoint names one or several; the strictest applies.
 * The first eleven are "changes of the registry" (docs/security-requirements.md, S24), the next four are seen by few and can be reverted, and the last
 * five change nothing that is public or that an account holds.
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
  approvals: { ...strong, secondPerson: false, byKey: false },
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

/** Returns the consequences of the effects of a call. Used by server, browser, documentation and tests. */
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
