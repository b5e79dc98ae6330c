-- The registry wrote first: `requestor` is the contact it wrote to, and no first answer is counted. The release before writes none.
alter table ticket add column from_registry boolean not null default false;
