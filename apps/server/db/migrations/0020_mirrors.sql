-- Keys that sign what mirrors read (NRTMv4). One signs; a `next` one is announced for a week before it takes over (draft-ietf-grow-nrtm-v4, 9.6).
create table nrtm_key (
  kid            text primary key,
  state          text not null check (state in ('next', 'current', 'retired')),
  public_jwk     jsonb not null,
  -- Sealed by SECRET_KEY.
  sealed_private bytea not null,
  created_at     timestamptz not null
);
create unique index nrtm_key_current on nrtm_key (state) where state in ('current', 'next');
call keep_history('nrtm_key', secret_columns => '{sealed_private}');
