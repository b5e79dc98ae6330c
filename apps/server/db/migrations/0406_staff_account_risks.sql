-- What registry staff look at before they decide about an account, of the time before it was noted.

-- Since when a contact is a corporate one: also one who was promoted, or accepted an invitation.
create index row_change_corporate on row_change ((after ->> 'contact_id'))
  where table_name = 'contact' and after -> 'contact_types' @> '["corporate"]' and after ->> 'status' = 'active'
    and (before is null or not before -> 'contact_types' @> '["corporate"]' or before ->> 'status' <> 'active');

-- Sign-ins of people whose sessions are forgotten, from their history.
do $$
declare line bigint;
begin
  if exists (select from login) then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Noted when people last signed in', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    update login l set last_sign_in_at = s.at
    from (select login_id, greatest(
        (select max(started_at) from session where session.login_id = login.login_id),
        (select max(happened_at) from activity where login_subject = login.login_id and action like 'identity.%' and action = 'identity.signIn' and refusal is null)) as at
      from login) s
    where s.login_id = l.login_id and s.at is not null;
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;
