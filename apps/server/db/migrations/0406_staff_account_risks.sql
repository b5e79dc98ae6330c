-- Sign-ins of people whose sessions are forgotten, from their history. Apart from the index of the next file, which keeps changes waiting while it is made.
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
