import { sql } from 'kysely';

/** SQL: the appointment of proxy `p` stands, whether or not it voted. */
export const stands = sql<boolean>`p.state in ('active', 'used')`;
