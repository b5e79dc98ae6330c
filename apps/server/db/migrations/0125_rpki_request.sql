-- When the trust anchor on another machine was last asked to sign; null once its response was imported.
alter table rpki_ca add column response_awaited_since timestamptz;
