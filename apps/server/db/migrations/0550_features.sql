-- Features that are switched on for everyone, for named accounts, for a share of accounts, or off (decision 326).

-- Each setting of a feature: the last one counts. A feature without one is on for everyone.
create table feature_setting (
  feature    text not null check (feature ~ '^[a-z0-9]{2,40}$'),
  -- Grows by one with each setting, so that of two people who change a feature the second is told.
  edition    integer not null check (edition > 0),
  stands     text not null check (stands in ('off', 'everyone', 'accounts', 'share')),
  -- Percent of accounts.
  share      integer check (share between 1 and 99),
  reason     text not null check (length(reason) between 1 and 500),
  changed_by text not null references login,
  changed_at timestamptz not null,
  primary key (feature, edition),
  check ((stands = 'share') = (share is not null))
);
create index on feature_setting (changed_by);
call keep_history('feature_setting');

-- Accounts that a setting names. With a share they have the feature in any case.
create table feature_account (
  feature      text not null,
  edition      integer not null,
  account_name text not null references account,
  primary key (feature, edition, account_name),
  foreign key (feature, edition) references feature_setting (feature, edition)
);
create index on feature_account (account_name);
call keep_history('feature_account');

create function feature_settings_stay() returns trigger language plpgsql as $$
begin
  raise exception 'A setting of a feature stays in its history: add another one' using errcode = 'restrict_violation';
end $$;
create trigger feature_settings_stay before update or delete on feature_setting for each row execute function feature_settings_stay();
create trigger feature_settings_stay before update or delete on feature_account for each row execute function feature_settings_stay();

-- The place of an account among all for a feature, from 0 to 9999: a share of 25 percent is every place below 2500. It is another one for each feature, and never changes.
create function feature_place(of_feature text, of_account text) returns integer language sql stable strict as $$
  select (get_byte(h, 0) * 65536 + get_byte(h, 1) * 256 + get_byte(h, 2)) % 10000
  from sha256(convert_to(of_feature || ' ' || of_account, 'UTF8')) h
$$;

-- Whether a feature is on for an account; without one (null), whether it is on for everyone. The only place that decides it.
create function feature_is_on(of_feature text, of_account text) returns boolean language sql stable as $$
  select coalesce((
    select s.stands = 'everyone' or of_account is not null and (
      s.stands = 'share' and feature_place(of_feature, of_account) < s.share * 100
      or s.stands in ('accounts', 'share') and exists (
        select from feature_account a where a.feature = s.feature and a.edition = s.edition and a.account_name = of_account))
    from feature_setting s where s.feature = of_feature order by s.edition desc limit 1), true)
$$;

-- Whether a feature is on for some accounts and not for others.
create function feature_is_for_some(of_feature text) returns boolean language sql stable as $$
  select coalesce((select s.stands in ('accounts', 'share') from feature_setting s where s.feature = of_feature order by s.edition desc limit 1), false)
$$;
