-- How a campaign went, kept when its recipients are forgotten.
alter table quality_campaign add column sent integer, add column cured_before integer, add column failed integer,
  add check ((sent is null) = (cured_before is null) and (sent is null) = (failed is null));
