-- DS records that a zone asks for itself (CDS, CDNSKEY): when the wish that was followed last was signed, so that an older one is not played again.
alter table rdns_zone add column cds_since timestamptz;
