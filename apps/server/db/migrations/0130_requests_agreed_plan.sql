-- What the parties of a transfer read before they agreed: a line for each object that it touches, with what happens to it. Completion follows what is there then, and says
-- where that differs.
alter table resource_request add column agreed jsonb check (jsonb_typeof(agreed) = 'array');
