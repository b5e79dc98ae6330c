import { type RawBuilder, sql } from 'kysely';

const acting = {
  c: sql<boolean>`(c.status = 'active' and exists (select from login p where p.login_id = c.login_id and p.disabled_at is null and p.frozen_at is null))`,
  o: sql<boolean>`(o.status = 'active' and exists (select from login p where p.login_id = o.login_id and p.disabled_at is null and p.frozen_at is null))`,
};
/** SQL: the contact with this alias can act for its account today: active, with a login that isn’t disabled or frozen. What counts on “someone else” counts these. */
export const canAct = (alias: keyof typeof acting): RawBuilder<boolean> => acting[alias];
