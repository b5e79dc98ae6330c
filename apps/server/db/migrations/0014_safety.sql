-- What keeps accounts and logins safe: links that freeze a login, and what an account demands of its contacts
-- (domain/identity.md S24-S30, domain/peers-and-asks.md 3).

alter table login
  -- Since when nobody gets in as this person, because somebody said that it was not them.
  add column frozen_at timestamptz,
  -- The one address that gets a frozen login back: whoever changed the address just before gains nothing by it.
  add column frozen_email text,
  add check ((frozen_at is null) = (frozen_email is null)),
  drop constraint login_cool_down_why_check,
  add constraint login_cool_down_why_check
    check (cool_down_why in ('password-reset', 'email-changed', 'factor-lost', 'recovery-code', 'frozen'));

-- A link in a mail about a change of safety: it freezes the login that made the change, once. Its address carries a signature.
create table freeze_link (
  freeze_link_id text primary key default gen_random_uuid()::text,
  login_id       text not null references login,
  -- The account the mail was about; null when it was about the login.
  account_name   text references account,
  mailed_to      text not null,
  -- What the mail tells of.
  activity_id    bigint not null,
  made_at        timestamptz not null,
  expires_at     timestamptz not null,
  used_at        timestamptz
);
create index on freeze_link (login_id);
create index on freeze_link (account_name);
create index on freeze_link (activity_id);
create index on freeze_link (expires_at);
call keep_history('freeze_link', with_copy => false);

alter table mail add column freeze_link_id text references freeze_link on delete set null;
create index on mail (freeze_link_id);

-- What an account asks for its own safety.
create table account_safety (
  account_name   text primary key references account,
  -- Grows with every change of the row.
  version        integer not null default 1,
  -- Told of every change beside the corporate contacts; null: nobody else is.
  security_email text check (length(security_email) <= 254)
);
call keep_history('account_safety');
