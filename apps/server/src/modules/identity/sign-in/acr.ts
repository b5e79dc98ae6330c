import { acrOf } from '../../../config.ts';

const ranks: Readonly<Record<string, number>> = { [acrOf('1fa')]: 1, [acrOf('mfa')]: 2 };

/** Returns the strength of a level: 1 for one factor, 2 for two; 0 for an unknown one. */
export const rankOf = (acr: string | undefined): number => ranks[acr ?? ''] ?? 0;

/** The strongest level an authorization request asks for by `acr_values`; 0 for any. */
export const rankAsked = ({ acr_values: asked }: Record<string, unknown>): number =>
  typeof asked === 'string' ? Math.max(...asked.split(' ').map(rankOf)) : 0;
