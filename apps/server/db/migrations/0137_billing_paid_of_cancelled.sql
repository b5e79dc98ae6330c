-- What was paid of a fee whose case ended became credit of its account: the invoice, which is cancelled, keeps none of it.
alter table invoice disable trigger user;
update invoice i set paid = 0 where state = 'CANCELLED' and credited = 0 and paid > 0
  and exists (select from payment p join account_credit c using (payment_id) where p.invoice_id = i.invoice_id and p.method <> 'credit');
alter table invoice enable trigger user;
