import { sql } from 'kysely';
import type { Database } from '../src/platform/database/index.ts';

/** Makes every change fail that writes a mail to this address, of a topic or of any, as a defect does that one person's data brings out. Returns a function that ends it. */
export async function failMailsTo({ unrecorded }: Database, recipient: string, topic = ''): Promise<() => Promise<void>> {
  await sql`create or replace function fail_mail() returns trigger language plpgsql as $$
    begin
      if new.recipient = tg_argv[0] and tg_argv[1] in ('', new.topic) then raise exception 'no mail to this address'; end if;
      return new;
    end $$`.execute(unrecorded);
  await sql`create trigger fail_mail before insert on mail for each row execute function fail_mail(${sql.lit(recipient)}, ${sql.lit(topic)})`.execute(
    unrecorded,
  );
  return async () => {
    await sql`drop trigger fail_mail on mail`.execute(unrecorded);
  };
}
