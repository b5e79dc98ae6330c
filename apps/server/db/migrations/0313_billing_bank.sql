-- What payers write is no name of a transfer: the same words twice are two payments, of which the second was asked about. A payment with the reference of an earlier one
-- says which it repeats: one that a second person found to be another transfer, or that was reversed.
alter table payment add repeats bigint unique references payment check (repeats < payment_id);
drop index payment_once;
create unique index payment_once on payment (lower(reference)) where method = 'bank transfer' and repeats is null;
-- Transfers of the same amount in the same days are compared.
create index payment_of_amount on payment (amount, received_on) where method = 'bank transfer';
create index bank_line_alike on bank_line (transfer_skeleton(reference)) where reference <> '';
-- Who paid before, for which accounts.
create index bank_line_of_payer on bank_line (payer) where state = 'recorded';

-- A match with the wrong invoice is undone: its payments are reversed, and the transfer is matched again.
alter table payment_reversal drop constraint payment_reversal_kind_check,
  add constraint payment_reversal_kind_check check (kind in ('wrong-invoice', 'bounced', 'recalled', 'chargeback', 'card-refund', 'unmatched'));
drop trigger b_follow_life on bank_line;
call follow_life('bank_line', 'state', 'open>recorded open>set-aside recorded>open set-aside>open');
