import { life } from '../life.ts';

/** States of a certificate authority. */
export const authorityStates = ['active', 'revoked'] as const;

/** The life of a certificate authority. */
export const authorityLife = life(
  { title: 'Certificate authorities', table: 'rpki_ca', column: 'state', states: authorityStates },
  {
    revoke: {
      from: ['active'],
      to: ['revoked'],
      who: 'member',
      does: 'turns RPKI off, or the setting for space without a holder is taken away',
      by: ['rpki.publish'],
    },
    restore: {
      from: ['revoked'],
      to: ['active'],
      who: 'registry',
      does: 'brings the authority of space without a holder back',
      by: ['rpki.publish'],
    },
  },
);

/** States of a key of an authority. */
export const authorityKeyStates = ['new', 'current', 'old', 'destroyed'] as const;

/** The life of a key of an authority (RFC 6489). */
export const authorityKeyLife = life(
  { title: 'Keys of authorities', table: 'rpki_key', column: 'state', states: authorityKeyStates },
  {
    activate: {
      from: ['new'],
      to: ['current'],
      who: 'member',
      does: 'asks to sign with it from now on: the publisher begins',
      by: ['rpki.publish'],
    },
    retire: { from: ['current'], to: ['old'], who: 'registry', does: 'keeps it until nothing depends on it', by: ['rpki.publish'] },
    destroy: {
      from: ['new', 'current', 'old'],
      to: ['destroyed'],
      who: 'registry',
      does: 'destroys its private part',
      by: ['rpki.publish'],
    },
  },
);

/** States of an authority that a member runs itself. */
export const childStates = ['active', 'removed'] as const;

/** The life of an authority that a member runs itself. */
export const childLife = life(
  { title: 'Self-hosted authorities', table: 'rpki_child', column: 'state', states: childStates },
  { remove: { from: ['active'], to: ['removed'], who: 'member', does: 'removes it' } },
);
