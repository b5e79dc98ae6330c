-- Elections that were published with nominations before seeds were drawn get theirs now, not as their candidates are put on the ballot (decision 284).
do $$
declare line bigint;
begin
  if exists (select from election e join election_window n on n.election_id = e.election_id and n.kind = 'nomination' and n.url = '' where e.state = 'published') then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Drew the seeds of elections that are published', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    -- Three random identifiers have 366 random bits.
    insert into ballot_order (election_id, seed, drawn_at)
      select e.election_id, encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'), now()
      from election e join election_window n on n.election_id = e.election_id and n.kind = 'nomination' and n.url = ''
      where e.state = 'published' and not exists (select from election_window w where w.election_id = e.election_id and w.kind <> 'nomination' and w.kind <> 'proxy-appoint' and w.opens_at <= now())
      on conflict do nothing;
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;
