import { sql } from 'kysely';

/** SQL: the rows of `numbered`, documents whose numbers of a year have no gaps, with their days. A day may be earlier than that of the number before: steps are caught up with. */
export const numberedDocuments = sql`with numbered (kind, year, sequence, day) as (
  select 'Invoices', year, sequence, issued_on from invoice
  union all select 'Credit notes', year, sequence, issued_on from credit_note
  union all select 'Reversals', year, sequence, reversed_on from payment_reversal)`;
