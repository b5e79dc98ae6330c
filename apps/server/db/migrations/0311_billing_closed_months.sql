-- A month of the books that one person closed and another one confirmed: nothing is dated into it, and its journal stays as it was. Never changed.
create table closed_month (
  -- Its first day.
  month        date primary key check (month = date_trunc('month', month)::date),
  closed_by    text not null references login,
  confirmed_by text not null references login check (confirmed_by <> closed_by),
  closed_at    timestamptz not null,
  entries      integer not null check (entries >= 0),
  -- Every entry of the month, as CSV: an auditor gets the same bytes whenever they ask.
  journal      text not null,
  sha256       text not null check (sha256 = encode(sha256(convert_to(journal, 'UTF8')), 'hex'))
);
create index on closed_month (closed_by);
create index on closed_month (confirmed_by);
call keep_history('closed_month', secret_columns => '{journal}');

-- The first day that is not closed; null while none is.
create function first_open_day() returns date language sql stable
  return (select (max(month) + interval '1 month')::date from closed_month);

create function keep_months_closed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    raise exception 'A closed month stays closed: % is refused', lower(tg_op) using errcode = 'restrict_violation';
  elsif new.month <> coalesce(first_open_day(), new.month) then
    raise exception 'Months are closed one after the other: the next one begins on %', first_open_day() using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_months_closed before insert or update or delete on closed_month for each row execute function keep_months_closed();

create function refuse_closed(day date, first_open date) returns void language plpgsql as $$
begin
  raise exception 'PERIOD_CLOSED' using errcode = 'RF001',
    detail = json_build_object('period', trim(to_char(day, 'Month')) || to_char(day, ' YYYY'), 'open', first_open::text)::text;
end $$;

-- What is written here while a month is being closed waits until it is closed, and then finds it closed. The arguments are columns with days: none of them gets
-- or loses a day that is closed.
create function refuse_closed_days() returns trigger language plpgsql as $$
declare
  first_open date;
  was        date;
  becomes    date;
  name       text;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('billing.closedMonths', 0));
  first_open := first_open_day();
  if first_open is not null then
    foreach name in array tg_argv loop
      was := case when tg_op <> 'INSERT' then (to_jsonb(old) ->> name)::date end;
      becomes := case when tg_op <> 'DELETE' then (to_jsonb(new) ->> name)::date end;
      if was is distinct from becomes and least(was, becomes) < first_open then
        perform refuse_closed(least(was, becomes), first_open);
      end if;
    end loop;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger refuse_closed_days before insert or update or delete on invoice
  for each row execute function refuse_closed_days('issued_on', 'written_off_on', 'cancelled_at');
create trigger refuse_closed_days before insert or update or delete on payment for each row execute function refuse_closed_days('received_on');
create trigger refuse_closed_days before insert or update or delete on credit_note for each row execute function refuse_closed_days('issued_on');
create trigger refuse_closed_days before insert or update or delete on refund for each row execute function refuse_closed_days('refunded_on');

-- Amounts of what is dated into a closed month. The argument is the column with the day.
create function refuse_closed_amounts() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('billing.closedMonths', 0));
  if (to_jsonb(old) ->> tg_argv[0])::date < first_open_day() then
    perform refuse_closed((to_jsonb(old) ->> tg_argv[0])::date, first_open_day());
  end if;
  return new;
end $$;
create trigger refuse_closed_amounts before update of number, account_name, currency, subtotal, tax, total on invoice
  for each row execute function refuse_closed_amounts('issued_on');
create trigger refuse_closed_write_off before update of written_off, write_off_reason on invoice
  for each row when (old.written_off_on is not null) execute function refuse_closed_amounts('written_off_on');
create trigger refuse_closed_amounts before update on payment for each row execute function refuse_closed_amounts('received_on');
create trigger refuse_closed_amounts before update on credit_note for each row execute function refuse_closed_amounts('issued_on');
create trigger refuse_closed_amounts before update on refund for each row execute function refuse_closed_amounts('refunded_on');

-- Credit belongs to the day of what it came from or was used for.
create function refuse_closed_credit() returns trigger language plpgsql as $$
declare
  credit account_credit := case when tg_op = 'DELETE' then old else new end;
  day    date;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('billing.closedMonths', 0));
  day := coalesce((select received_on from payment where payment_id = credit.payment_id), (select issued_on from credit_note where credit_note_id = credit.credit_note_id),
    (select refunded_on from refund where refund_id = credit.refund_id), (select cancelled_at::date from invoice where invoice_id = credit.cancelled_invoice_id));
  if day < first_open_day() then
    perform refuse_closed(day, first_open_day());
  end if;
  return credit;
end $$;
create trigger refuse_closed_credit before insert or update or delete on account_credit for each row execute function refuse_closed_credit();
