import { sql } from 'kysely';

/** SQL: something is left to pay of invoice `i`; see `payableStates`. */
export const isPayable = sql<boolean>`i.state in ('issued', 'partly-paid')`;
