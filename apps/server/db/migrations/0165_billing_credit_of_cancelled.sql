-- What was paid of an invoice that is cancelled becomes credit because of the cancellation, not because of one of its payments: those may have come from credit too.
alter table account_credit add column cancelled_invoice_id bigint references invoice;
alter table account_credit drop constraint account_credit_of_one;
alter table account_credit disable trigger user;
update account_credit c set payment_id = null, cancelled_invoice_id = i.invoice_id
  from payment p join invoice i using (invoice_id)
  where c.payment_id = p.payment_id and i.state = 'CANCELLED' and c.at = i.cancelled_at and c.amount > 0;
alter table account_credit enable trigger user;
alter table account_credit add constraint account_credit_of_one
  check (num_nonnulls(payment_id, credit_note_id, refund_id, cancelled_invoice_id) = 1);
create index on account_credit (cancelled_invoice_id);
alter table invoice disable trigger user;
update invoice set paid = 0 where state = 'CANCELLED' and paid > 0 and invoice_id in (select cancelled_invoice_id from account_credit);
alter table invoice enable trigger user;
